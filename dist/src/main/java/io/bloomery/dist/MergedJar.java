package io.bloomery.dist;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * All classes and resources of the program in one jar, which is also a single module: jlink takes
 * no automatic modules, and JLine's jars are automatic modules. The same parts give the same bytes.
 */
final class MergedJar {

  static final String MODULE = "io.bloomery.bloom";
  static final String MAIN = "io.bloomery.cli.Main";

  private static final LocalDateTime TIME = LocalDateTime.of(2025, 1, 1, 0, 0);

  private static final String DESCRIPTOR =
      """
      open module %s {
        requires java.desktop;
        requires java.logging;
        requires java.management;
        exports io.bloomery.cli;
        uses io.bloomery.internal.frame.Registry;
        provides io.bloomery.internal.frame.Registry with
            io.bloomery.internal.registry.AllFilters;
      }
      """
          .formatted(MODULE);

  private MergedJar() {}

  /** Merges jars and class directories, through a working directory that is emptied first. */
  static void make(List<Path> parts, String version, Path root, Path directory, Path jar)
      throws IOException {
    delete(directory);
    Files.createDirectories(directory.resolve("META-INF"));
    Files.copy(
        root.resolve("dist/src/main/legal/LIBRARIES.txt"),
        directory.resolve("META-INF/LIBRARIES.txt"));
    for (Path part : parts) {
      if (Files.isDirectory(part)) {
        addAll(part, "", directory);
      } else {
        try (FileSystem zip = FileSystems.newFileSystem(part)) {
          addAll(zip.getPath("/"), part.getFileName().toString(), directory);
        }
      }
    }
    compileDescriptor(version, directory);
    pack(manifest(version), directory, jar);
  }

  /**
   * Where a file goes: a library's own licence and notice get a directory of their own beside ours.
   */
  private static String placed(String name, String artifact) {
    boolean ours = artifact.isEmpty() || artifact.startsWith("bloomery");
    boolean terms = name.equals("META-INF/NOTICE") || name.equals("META-INF/LICENSE");
    return terms && !ours
        ? name.replace("META-INF/", "META-INF/" + artifact.replaceAll("-[0-9].*", "") + "/")
        : name;
  }

  private static void addAll(Path part, String artifact, Path directory) throws IOException {
    for (Path file : files(part)) {
      String name = part.relativize(file).toString().replace('\\', '/');
      if (!isLeftOut(name)) {
        add(name, Files.readAllBytes(file), directory.resolve(placed(name, artifact)));
      }
    }
  }

  /** Whether a file describes only the jar that it comes from. */
  private static boolean isLeftOut(String name) {
    return name.equals("META-INF/MANIFEST.MF")
        || name.endsWith("module-info.class")
        || name.startsWith("META-INF/maven/")
        || name.startsWith("META-INF/native-image/")
        || name.matches("META-INF/[^/]+\\.(SF|RSA|DSA|EC)");
  }

  private static void add(String name, byte[] bytes, Path to) throws IOException {
    if (Files.exists(to)) {
      if (!Arrays.equals(Files.readAllBytes(to), bytes)) {
        throw new IOException("two libraries have different files named " + name);
      }
      return;
    }
    Files.createDirectories(to.getParent());
    Files.write(to, bytes);
  }

  private static void compileDescriptor(String version, Path directory) throws IOException {
    Path source = Files.writeString(directory.resolve("module-info.java"), DESCRIPTOR);
    run(
        "javac",
        "--release=17",
        "-proc:none",
        "-Xlint:all,-module,-exports,-options",
        "--module-version=" + version,
        "-d",
        directory.toString(),
        source.toString());
    Files.delete(source);
  }

  /** Runs a tool of the JDK. */
  static void run(String tool, String... words) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    int code =
        ToolProvider.findFirst(tool)
            .orElseThrow(() -> new IOException("this JDK has no " + tool))
            .run(new java.io.PrintStream(text, true, StandardCharsets.UTF_8), System.err, words);
    if (code != 0) {
      throw new IOException(tool + " failed: " + text.toString(StandardCharsets.UTF_8));
    }
  }

  private static Manifest manifest(String version) {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, MAIN);
    attributes.put(Attributes.Name.MULTI_RELEASE, "true");
    attributes.put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    attributes.putValue("Enable-Native-Access", "ALL-UNNAMED");
    return manifest;
  }

  private static void pack(Manifest manifest, Path directory, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(entry("META-INF/MANIFEST.MF"));
      manifest.write(zip);
      for (Path file : files(directory)) {
        zip.putNextEntry(entry(directory.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, zip);
      }
    }
  }

  private static ZipEntry entry(String name) {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(TIME);
    return entry;
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile)
          .sorted(Comparator.comparing((Path file) -> file.toString()))
          .toList();
    }
  }

  /** Deletes a directory with everything in it, if it exists. */
  static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }
}
