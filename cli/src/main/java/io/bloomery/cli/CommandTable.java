package io.bloomery.cli;

import io.bloomery.tools.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A table of commands, from which the parser, help, manual pages and completion are made. It is
 * written as code that visits one line after another, so that the class of a line is loaded only
 * when that line is wanted: a list of classes would load them all, and a list of lambdas takes even
 * longer.
 */
abstract class CommandTable {

  /** Visits the lines in turn. */
  abstract static class Search {

    /** Whether this line is the one looked for. */
    abstract boolean at(String words, CommandGroup group, String summary, Part part);

    /** A line whose command needs nothing but the library. */
    final boolean at(String words, CommandGroup group, String summary) {
      return at(words, group, summary, Parts.LIBRARY);
    }
  }

  /**
   * Visits the lines in the order of the help and returns the class of the first match; null if
   * there is none.
   */
  abstract @Nullable Class<?> lines(Search search);

  /** The class of a command. */
  final Class<?> type(String words) {
    return Objects.requireNonNull(
        lines(
            new Search() {
              @Override
              boolean at(String each, CommandGroup group, String summary, Part part) {
                return each.equals(words);
              }
            }),
        words);
  }

  /** Every line, including commands whose module is absent. */
  final List<CommandEntry> all() {
    List<CommandEntry> all = new ArrayList<>();
    lines(
        new Search() {
          @Override
          boolean at(String words, CommandGroup group, String summary, Part part) {
            all.add(new CommandEntry(words, group, summary, part, CommandTable.this));
            return false;
          }
        });
    return all;
  }

  /** The commands that can be run here. */
  final List<CommandEntry> present() {
    List<CommandEntry> present = all();
    present.removeIf(entry -> !entry.part().isPresent());
    return present;
  }

  /**
   * The commands of an application that can be run here; if it is empty, those of the top level.
   */
  final List<CommandEntry> below(String application) {
    List<CommandEntry> below = present();
    below.removeIf(entry -> !entry.application().equals(application));
    return below;
  }

  /** The line with these words. */
  final Optional<CommandEntry> line(String words) {
    for (CommandEntry entry : all()) {
      if (entry.words().equals(words)) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }

  /**
   * The command that the arguments name: the first of them that is a command and, if that is an
   * application, the next that is one of its commands. Global options may precede it.
   *
   * @throws Problem if the module that the command needs is absent
   */
  final Optional<CommandEntry> asked(String... args) {
    Optional<CommandEntry> asked = Optional.empty();
    for (String word : args) {
      String before = asked.isPresent() ? asked.get().words() + " " : "";
      Optional<CommandEntry> next = line(before + word);
      if (next.isPresent() && next.get().group() != CommandGroup.APPLICATIONS) {
        return requirePresent(next);
      }
      asked = next.isPresent() ? next : asked;
    }
    return requirePresent(asked);
  }

  private static Optional<CommandEntry> requirePresent(Optional<CommandEntry> asked) {
    if (asked.isPresent() && !asked.get().part().isPresent()) {
      throw new Problem(
          "%s needs %s, which is not installed: add its jar to the class path of bloom, or its module by --add-modules"
              .formatted(asked.get().words(), asked.get().part().artifact()));
    }
    return asked;
  }
}
