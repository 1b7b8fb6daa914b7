package io.bloomery.hash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** Reads the tab-separated vectors of the test resources. */
final class Vectors {

  private Vectors() {}

  /** The fields of each line, without comment lines. */
  static List<String[]> read(String file) {
    try (InputStream in = Vectors.class.getResourceAsStream("/vectors/" + file)) {
      String text = new String(Objects.requireNonNull(in, file).readAllBytes(), UTF_8);
      return text.lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", -1))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
