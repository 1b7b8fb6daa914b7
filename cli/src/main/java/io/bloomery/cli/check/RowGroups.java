package io.bloomery.cli.check;

import io.bloomery.cli.option.TypeOption;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.TypedKeys;
import io.bloomery.foreign.parquet.ParquetFile.Column;
import io.bloomery.foreign.parquet.ParquetFile.Presence;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.file.ParquetInput;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks up keys in a column of Parquet files: which row groups can be skipped. */
final class RowGroups {

  /** The answer of a row group's filter for a key. */
  private enum Answer {
    ABSENT("certainly absent"),
    PRESENT("probably present"),
    NO_FILTER("no filter");

    private final String text;

    Answer(String text) {
      this.text = text;
    }
  }

  private final String column;
  private final List<String> keys;
  private final TypeOption typing;
  private final boolean[] possible; // keys that a row group may contain
  private int files;
  private int groups;
  private int skippable;

  /** Looks up these keys in the column with this name. */
  RowGroups(String column, List<String> keys, TypeOption typing) {
    this.column = column;
    this.keys = keys;
    this.typing = typing;
    this.possible = new boolean[keys.size()];
  }

  /**
   * Queries all row groups of a file; if {@code mode} is not null, prints each answer, or each row
   * group if {@code json}.
   */
  void ask(String name, Path path, Console console, Answers.@Nullable Mode mode, boolean json) {
    ParquetInput file = ParquetInput.open(path);
    List<Column> chunks =
        file.columns().stream().filter(chunk -> chunk.path().equals(column)).toList();
    if (chunks.isEmpty()) {
      List<String> names = file.columns().stream().map(Column::path).distinct().toList();
      throw new Problem(
          "%s: has no column %s; it has %s".formatted(name, column, String.join(", ", names)));
    }
    for (Column chunk : chunks) {
      List<String> answers = new ArrayList<>();
      boolean skipped = true;
      ForeignBloomFilter filter = chunk.presence() == Presence.PRESENT ? file.filter(chunk) : null;
      TypedKeys typed = filter == null ? null : typing.keys(filter.keyCoding());
      for (int i = 0; i < keys.size(); i++) {
        Answer answer = answer(filter, typed, keys.get(i));
        possible[i] |= answer != Answer.ABSENT;
        skipped &= answer == Answer.ABSENT;
        answers.add(answer.text);
        print(console, json ? null : mode, answer, name, chunk.rowGroup(), keys.get(i));
      }
      groups++;
      skippable += skipped ? 1 : 0;
      if (json
          && mode != null
          && (mode == Answers.Mode.ANNOTATE || skipped == (mode == Answers.Mode.ABSENT))) {
        console.print(
            new Report()
                .value("file", name)
                .value("rowGroup", chunk.rowGroup())
                .value("answers", answers)
                .value("skippable", skipped)
                .json());
      }
    }
    files++;
  }

  private static Answer answer(
      @Nullable ForeignBloomFilter filter, @Nullable TypedKeys typed, String key) {
    if (filter == null || typed == null) {
      return Answer.NO_FILTER;
    }
    byte[] text = Octets.bytes(key);
    return typed.mightContain(filter, text, 0, text.length) ? Answer.PRESENT : Answer.ABSENT;
  }

  private static void print(
      Console console,
      Answers.@Nullable Mode mode,
      Answer answer,
      String file,
      int group,
      String key) {
    if (mode == Answers.Mode.ANNOTATE) {
      console.print(
          "%s\t%s\t%d\t%s\n"
              .formatted(answer.text, console.shown(file), group, console.shown(key)));
    } else if (mode != null && (mode == Answers.Mode.ABSENT) == (answer == Answer.ABSENT)) {
      console.print("%s\t%d\t%s\n".formatted(console.shown(file), group, console.shown(key)));
    }
  }

  /** Whether at least one key is certainly in none of the row groups. */
  boolean isSomeAbsent() {
    for (boolean one : possible) {
      if (!one) {
        return true;
      }
    }
    return false;
  }

  /** The counts as text. */
  String text() {
    return "%s, %s, %s: %s can be skipped, %s to read"
        .formatted(
            Text.count(keys.size(), "key"),
            Text.count(files, "file"),
            Text.count(groups, "row group"),
            Text.count(skippable),
            Text.count(groups - skippable));
  }

  /** The counts as JSON. */
  String json() {
    return new Report()
        .value("column", column)
        .value("keys", keys)
        .value("files", files)
        .value("rowGroups", groups)
        .value("skippable", skippable)
        .json();
  }
}
