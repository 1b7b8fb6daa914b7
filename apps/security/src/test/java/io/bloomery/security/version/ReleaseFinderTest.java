package io.bloomery.security.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dynatrace.hash4j.hashing.Hasher64;
import io.bloomery.security.version.ReleaseFinder.Match;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;
import org.opentest4j.AssertionFailedError;

/** Libraries of others, relocated by what the shade plugin uses, and exact models of releases. */
final class ReleaseFinderTest {

  @TempDir private Path directory;

  private Path hash4j;
  private Path opentest4j;
  private Path assertj;

  @BeforeEach
  void findJars() {
    hash4j = jar(Hasher64.class);
    opentest4j = jar(AssertionFailedError.class);
    assertj = jar(Assertions.class);
  }

  private static Path jar(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static Map<String, byte[]> entries(Path jar) throws IOException {
    Map<String, byte[]> entries = new TreeMap<>();
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(jar))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        if (entry.getName().endsWith(".class") && !entry.getName().contains("-info")) {
          entries.put(entry.getName(), in.readAllBytes());
        }
      }
    }
    return entries;
  }

  private Path write(String name, Map<String, byte[]> entries) throws IOException {
    Path jar = directory.resolve(name);
    Files.write(jar, bytes(entries));
    return jar;
  }

  private static byte[] bytes(Map<String, byte[]> entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        out.write(entry.getValue());
      }
    }
    return bytes.toByteArray();
  }

  /** Moves the packages below {@code org} and {@code com}, and writes all constants anew. */
  private static Map<String, byte[]> relocated(Map<String, byte[]> entries) {
    Remapper remapper =
        new Remapper(Opcodes.ASM9) {
          @Override
          public String map(String name) {
            return name.startsWith("java") ? name : "a/shaded/" + name;
          }

          @Override
          public Object mapValue(Object value) {
            boolean isName = value instanceof String text && text.startsWith("org.");
            return isName ? "a.shaded." + value : super.mapValue(value);
          }
        };
    Map<String, byte[]> moved = new TreeMap<>();
    entries.forEach(
        (name, file) -> {
          ClassWriter out = new ClassWriter(0);
          new ClassReader(file).accept(new ClassRemapper(out, remapper), ClassReader.EXPAND_FRAMES);
          moved.put("a/shaded/" + name, out.toByteArray());
        });
    return moved;
  }

  private static List<Match> rank(Path jar, Path... among) throws IOException {
    ReleaseFinder finder = ReleaseFinder.of(jar, ReleaseOptions.DEFAULT);
    assertThat(finder.brokenClasses()).isZero();
    return finder.rank(List.of(among), each -> {});
  }

  @Test
  void librariesOfOthers() throws IOException {
    Map<String, byte[]> app = relocated(entries(hash4j));
    app.putAll(relocated(entries(opentest4j)));
    List<Match> matches = rank(write("app.jar", app), assertj, hash4j, opentest4j);
    assertThat(matches).hasSize(3);
    for (Match match : matches.subList(0, 2)) {
      assertThat(match.found()).isEqualTo(match.classes()).isPositive();
      assertThat(match.cover()).isEqualTo(1);
      assertThat(match.rank()).isEqualTo(1);
      assertThat(match.isTied()).isFalse();
    }
    Match absent = matches.get(2);
    assertThat(absent.jar()).isEqualTo(assertj);
    assertThat(absent.classes()).isGreaterThan(500);
    assertThat(absent.share())
        .isLessThan(0.05); // a class may be equal by chance, such as an empty one
    assertThat(matches).extracting(Match::library).contains("hash4j", "opentest4j");
  }

  /** The exact model: relocated classes have the same content, and different ones different. */
  @Test
  void contents() throws IOException {
    Map<String, byte[]> plain = entries(assertj);
    Map<String, byte[]> moved = relocated(plain);
    Map<String, String> classes = new TreeMap<>();
    for (Map.Entry<String, byte[]> entry : plain.entrySet()) {
      String text = ClassContent.text(entry.getValue());
      assertThat(ClassContent.text(moved.get("a/shaded/" + entry.getKey()))).isEqualTo(text);
      classes.put(text, entry.getKey());
    }
    assertThat(classes).hasSizeGreaterThan(plain.size() * 99 / 100);
  }

  @Test
  void releasesThatTheJarDoesNotTellApart() throws IOException {
    Map<String, byte[]> all = entries(hash4j);
    String last = ((TreeMap<String, byte[]>) all).lastKey();
    Map<String, byte[]> fewer = new TreeMap<>(all);
    fewer.remove(last);
    Path first = write("lib-1.0.jar", fewer);
    Path same = write("lib-1.0.1.jar", relocated(fewer));
    Path more = write("lib-1.1.jar", all);

    List<Match> matches = rank(write("whole.jar", relocated(fewer)), more, first, same);
    assertThat(matches).extracting(Match::rank).containsExactly(1, 1, 3);
    assertThat(matches).extracting(Match::isTied).containsExactly(true, true, false);
    assertThat(matches.get(2).release()).isEqualTo("1.1");
    assertThat(matches.get(2).library()).isEqualTo("lib");

    matches = rank(write("more.jar", relocated(all)), first, same, more);
    assertThat(matches).extracting(Match::rank).containsExactly(1, 2, 2);
    assertThat(matches.get(0).release()).isEqualTo("1.1");

    // Of a part, the missing classes say nothing.
    Map<String, byte[]> part = new TreeMap<>();
    fewer.entrySet().stream().limit(5).forEach(each -> part.put(each.getKey(), each.getValue()));
    matches = rank(write("part.jar", relocated(part)), more, first, same);
    assertThat(matches).extracting(Match::rank).containsExactly(1, 1, 1);
    assertThat(matches).allMatch(Match::isTied);
  }

  @Test
  void jarsInJars() throws IOException {
    Map<String, byte[]> inner = relocated(entries(opentest4j));
    Path outer =
        write("outer.jar", Map.of("BOOT-INF/lib/x.jar", bytes(inner), "README", new byte[3]));
    assertThat(rank(outer, opentest4j).get(0).share()).isEqualTo(1);
  }

  /** Damaged classes are refused, whatever the damage, and take little time and memory. */
  @Test
  void damagedClasses() throws IOException {
    SplittableRandom draw = Seeds.random(1);
    List<byte[]> classes = List.copyOf(entries(hash4j).values());
    int refused = 0;
    for (int trial = 0; trial < 5_000; trial++) {
      byte[] file = classes.get(draw.nextInt(classes.size())).clone();
      for (int i = draw.nextInt(4); i >= 0; i--) {
        file[draw.nextInt(file.length)] = (byte) draw.nextInt(256);
      }
      try {
        assertThat(ClassContent.text(file)).isNotEmpty();
      } catch (IOException e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(500, 4_900);
    Path app = write("app.jar", Map.of("A.class", new byte[9], "B.class", classes.get(0)));
    ReleaseFinder finder = ReleaseFinder.of(app, ReleaseOptions.DEFAULT);
    assertThat(finder.brokenClasses()).isEqualTo(1);
    assertThat(finder.classes()).isEqualTo(1);
    ReleaseOptions small = new ReleaseOptions(0.01, 10);
    assertThatThrownBy(() -> ReleaseFinder.of(app, small)).hasMessageContaining("no class");
    Path text = Files.writeString(directory.resolve("text"), "no jar");
    assertThatThrownBy(() -> ReleaseFinder.of(text, ReleaseOptions.DEFAULT))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a jar");
    assertThatThrownBy(() -> ReleaseOptions.DEFAULT.withRate(0)).hasMessageContaining("rate = 0");
    assertThatThrownBy(() -> new ReleaseOptions(0.1, 0)).hasMessageContaining("mostClassBytes");
  }

  @Test
  void names() {
    assertThat(Names.descriptor("(ILorg/a/B;[[Lc/D$E;J)La/B;")).isEqualTo("(ILB;[[LD$E;J)LB;");
    assertThat(Names.descriptor("L")).isEqualTo("L");
    assertThat(Names.simple("a/b/C$D")).isEqualTo("C$D");
    assertThat(Names.withoutPackages("org.apache.x.Foo")).isEqualTo("Foo");
    assertThat(Names.withoutPackages("/org/apache/data.txt, UTF-8 1.5"))
        .isEqualTo("/txt, UTF-8 1.5");
    assertThat(Names.withoutPackages("a. b")).isEqualTo("a. b");
    assertThat(Names.withoutPackages("x".repeat(100_000) + ".")).hasSize(100_001);
  }
}
