package io.bloomery.cli.index;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A directory of logs and an index of it. */
final class IndexFixture {

  private final Path logs;
  private final Path index;

  IndexFixture(Path directory) throws IOException {
    this.logs = Files.createDirectories(directory.resolve("logs"));
    this.index = directory.resolve("logs.bloomidx");
  }

  Path logs() {
    return logs;
  }

  Path index() {
    return index;
  }

  /** Lines {@code from…to-1}, each with a unique id. */
  static String lines(String name, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append("10:00 GET /").append(name).append('/').append(i % 7).append(" id=");
      text.append(name).append('-').append(i).append(i % 100 == 0 ? " slow" : " ok").append('\n');
    }
    return text.toString();
  }

  Path write(String name, String text) throws IOException {
    Path file = logs.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /** Moves a file's modification time five seconds on. */
  static void touch(Path file) throws IOException {
    FileTime before = Files.getLastModifiedTime(file);
    Files.setLastModifiedTime(file, FileTime.fromMillis(before.toMillis() + 5000));
  }

  /** Makes or updates the index, with the smallest blocks unless options say otherwise. */
  Map<?, ?> make(Object... options) {
    List<Object> words = new ArrayList<>(List.of("index", logs, "-o", index, "--json"));
    words.addAll(List.of(options));
    if (!words.contains("--block-size")) {
      words.addAll(List.of("--block-size", "4KiB"));
    }
    Bloom.Run run = bloom(words.toArray());
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    return Json.object(run.out());
  }

  /** The names of the files that contain a key, relative to the logs. */
  List<String> find(Object... words) {
    Bloom.Run run = findRun(words);
    assertThat(run.code()).isEqualTo(run.out().isEmpty() ? 1 : 0);
    return run.out().lines().map(line -> line.replace(logs + "/", "")).toList();
  }

  /** The numbers of the lines that contain a key. */
  List<Integer> linesFound(Object... words) {
    List<Object> all = new ArrayList<>(List.of("--grep", "--json", "-q"));
    all.addAll(List.of(words));
    Bloom.Run run = findRun(all.toArray());
    assertThat(run.err()).isEmpty();
    return Json.lines(run.out()).stream()
        .map(each -> ((Double) each.get("line")).intValue())
        .toList();
  }

  /** Makes the index with these options. */
  Bloom.Run run(Object... options) {
    List<Object> words = new ArrayList<>(List.of("index", logs, "-o", index));
    words.addAll(List.of(options));
    return bloom(words.toArray());
  }

  Bloom.Run findRun(Object... words) {
    List<Object> all = new ArrayList<>(List.of("find"));
    all.addAll(List.of(words));
    all.add(index);
    return bloom(all.toArray());
  }
}
