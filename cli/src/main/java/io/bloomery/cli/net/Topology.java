package io.bloomery.cli.net;

import io.bloomery.net.index.TrafficIndex;
import io.bloomery.net.trace.TraceOptions;
import io.bloomery.net.trace.Traceback;
import io.bloomery.tools.console.Problems;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the links and indexes of routers. */
final class Topology {

  private static final long MOST_BYTES = 1 << 26;

  private Topology() {}

  static Traceback read(Path file, TraceOptions options, Problems problems) {
    Traceback network = Traceback.create(options);
    if (Files.isDirectory(file)) {
      throw new Problem(file, "is a directory");
    }
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new Problem(file, "is longer than 64 MiB");
      }
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(Files.newInputStream(file), StandardCharsets.ISO_8859_1))) {
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          String text = Octets.text(line.getBytes(StandardCharsets.ISO_8859_1));
          take(network, file, ++number, text.strip(), problems);
        }
      }
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
    return network;
  }

  private static void take(
      Traceback network, Path file, int number, String line, Problems problems) {
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    }
    int equal = line.indexOf(" = ");
    String[] words = line.split("\\s+", -1);
    if (equal > 0 && words[1].equals("=")) {
      Path index = file.toAbsolutePath().resolveSibling(Octets.path(line.substring(equal + 3)));
      try {
        network.router(
            words[0],
            TrafficIndex.open(index, e -> problems.accept(words[0] + ": " + e.getMessage())));
      } catch (IOException e) {
        throw Problem.with(index, e);
      }
    } else if (words.length == 2) {
      network.link(words[0], words[1]);
    } else {
      throw new Problem(file, "line " + number + " is neither A B nor A = DIRECTORY");
    }
  }
}
