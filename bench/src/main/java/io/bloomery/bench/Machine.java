package io.bloomery.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says what the figures were measured on. */
final class Machine {

  private static final Path CACHES = Path.of("/sys/devices/system/cpu/cpu0/cache");

  private Machine() {}

  /** One line: processor, caches, huge pages, load, JVM. */
  static String describe() {
    List<String> parts = new ArrayList<>();
    Runtime runtime = Runtime.getRuntime();
    parts.add(runtime.availableProcessors() + " × " + processor());
    parts.add("caches " + caches());
    parts.add(
        String.join(
            " ",
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            "huge pages " + hugePages()));
    parts.add(
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    parts.add(String.format(Locale.ROOT, "load %.2f at the start", load));
    return String.join("; ", parts);
  }

  private static String processor() {
    return read(Path.of("/proc/cpuinfo"))
        .lines()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown processor");
  }

  private static String caches() {
    List<String> caches = new ArrayList<>();
    for (int i = 0; Files.exists(CACHES.resolve("index" + i)); i++) {
      Path cache = CACHES.resolve("index" + i);
      String type = read(cache.resolve("type"));
      if (!type.equals("Instruction")) {
        caches.add("L" + read(cache.resolve("level")) + " " + read(cache.resolve("size")));
      }
    }
    return caches.isEmpty() ? "unknown" : String.join(", ", caches);
  }

  private static String hugePages() {
    String modes = read(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"));
    int from = modes.indexOf('[');
    int to = modes.indexOf(']');
    return from < 0 || to < from ? "unknown" : modes.substring(from + 1, to);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
