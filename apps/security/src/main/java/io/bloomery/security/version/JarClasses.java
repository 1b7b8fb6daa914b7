package io.bloomery.security.version;

import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The classes of a jar, and of jars within it. */
final class JarClasses {

  private static final int DEEPEST = 3; // jars within jars
  private static final int MOST_PROPERTIES = 1 << 16;
  private static final Pattern COORDINATES =
      Pattern.compile("META-INF/maven/[^/]+/[^/]+/pom\\.properties");
  private static final Pattern FILE_NAME = Pattern.compile("(.+?)-([0-9].*?)(\\.jar)?");

  /**
   * What the jar may unpack to, with a hundred bytes for each of its own; jars within count again.
   */
  private static final long MOST_UNPACKED = 1L << 28;

  private static final int MOST_PER_BYTE = 100;

  private final int mostClassBytes;
  private final long mostUnpacked;
  private final Set<Long> hashes = new HashSet<>();
  private String library = "";
  private String release = "";
  private int described; // how many parts it says it has
  private int broken;
  private long unpacked;

  private JarClasses(int mostClassBytes, long jarBytes) {
    this.mostClassBytes = mostClassBytes;
    this.mostUnpacked = MOST_UNPACKED + MOST_PER_BYTE * jarBytes;
  }

  /** A jar that is read; how much it unpacks to is limited. */
  private final class Jar extends ZipInputStream {

    Jar(InputStream stream) {
      super(stream);
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      int read = super.read(into, from, length);
      unpacked += Math.max(0, read);
      if (unpacked > mostUnpacked) {
        throw new IOException("unpacks to more than " + mostUnpacked + " bytes");
      }
      return read;
    }
  }

  /**
   * Reads a jar.
   *
   * @throws IOException if it cannot be read or is not a jar
   */
  static JarClasses read(Path jar, ReleaseOptions options) throws IOException {
    JarClasses classes;
    int entries;
    try (InputStream in = Files.newInputStream(jar)) {
      classes = new JarClasses(options.mostClassBytes(), Files.size(jar));
      entries = classes.read(in, 0);
    } catch (IOException e) {
      throw new IOException(Problem.with(jar, e).getMessage(), e);
    } catch (IllegalArgumentException e) { // of a name in the jar
      throw new IOException(Octets.name(jar) + ": " + e.getMessage(), e);
    }
    if (entries == 0) {
      throw new IOException(Octets.name(jar) + ": not a jar");
    }
    if (classes.described != 1) {
      Path file = jar.getFileName();
      Matcher name = FILE_NAME.matcher(file == null ? "" : Octets.name(file));
      boolean versioned = name.matches();
      classes.library = versioned ? name.group(1) : Octets.name(jar);
      classes.release = versioned ? name.group(2) : "";
    }
    return classes;
  }

  /** Reads a stream; returns how many entries it has. */
  private int read(InputStream stream, int depth) throws IOException {
    ZipInputStream zip = new Jar(stream); // closed by who opened the stream
    int entries = 0;
    for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
      entries++;
      String name = entry.getName();
      if (name.endsWith(".class")) {
        addClass(zip, name);
      } else if (name.endsWith(".jar") && depth < DEEPEST) {
        readWithin(zip, depth + 1);
      } else if (depth == 0 && COORDINATES.matcher(name).matches()) {
        describe(zip);
      }
    }
    return entries;
  }

  private void readWithin(InputStream jar, int depth) throws IOException {
    try {
      read(jar, depth);
    } catch (IOException | IllegalArgumentException e) { // the latter of a name
      if (unpacked > mostUnpacked) {
        throw e;
      }
      broken++;
    }
  }

  private void addClass(InputStream in, String name) throws IOException {
    byte[] file = in.readNBytes(mostClassBytes + 1);
    String simple = Names.simple(name);
    if (simple.equals("module-info.class") || simple.equals("package-info.class")) {
      return;
    }
    try {
      if (file.length > mostClassBytes) {
        broken++;
      } else {
        hashes.add(ClassContent.hash(file));
      }
    } catch (IOException e) {
      broken++;
    }
  }

  private void describe(InputStream in) throws IOException {
    Properties properties = new Properties();
    properties.load(new ByteArrayInputStream(in.readNBytes(MOST_PROPERTIES)));
    library =
        properties.getProperty("groupId", "") + ":" + properties.getProperty("artifactId", "");
    release = properties.getProperty("version", "");
    described++;
  }

  /** The hashes of all classes that could be read. */
  Set<Long> hashes() {
    return hashes;
  }

  /** The library, as the jar or its name says. */
  String library() {
    return library;
  }

  /** The release, as the jar or its name says; empty if neither does. */
  String release() {
    return release;
  }

  /** How many classes, or jars within the jar, could not be read. */
  int broken() {
    return broken;
  }
}
