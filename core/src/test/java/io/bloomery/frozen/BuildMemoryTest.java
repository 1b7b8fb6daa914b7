package io.bloomery.frozen;

import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.Hashing;
import io.bloomery.HashedFilter;
import io.bloomery.testkit.Keys;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much heap the builders take, from the first key to the filter. */
final class BuildMemoryTest {

  /** Two million keys in a process whose whole heap is 17 bytes per key and 6 MB. */
  @ParameterizedTest
  @CsvSource({"fuse", "xor", "ribbon", "perfect-hash", "golomb-coded"})
  void buildsWithin17BytesPerKey(String kind, @TempDir Path directory) throws Exception {
    build(kind, 2_000_000, 17, 6, directory);
  }

  /** The hashes once, the filter of one byte per key, and the rows of a chunk. */
  @Test
  void aRibbonIsBuiltWithin10BytesPerKey(@TempDir Path directory) throws Exception {
    build("ribbon", 2_000_000, 10, 6, directory);
  }

  private static void build(String kind, int keys, int bytesPerKey, int megabytes, Path directory)
      throws Exception {
    Path log = directory.resolve("log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:NewSize=2m",
                "-XX:MaxNewSize=2m",
                "-Xmx" + ((long) bytesPerKey * keys + ((long) megabytes << 20)),
                "-cp",
                classPath(),
                TightHeap.class.getName(),
                kind,
                Integer.toString(keys))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    assertThat(Files.readString(log)).contains(keys + " keys found");
  }

  /** The class path of a build, for any test runner. */
  private static String classPath() throws URISyntaxException {
    List<String> places = new ArrayList<>();
    for (Class<?> part : List.of(TightHeap.class, HashedFilter.class, Hashing.class, Keys.class)) {
      places.add(
          Path.of(part.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
    }
    return String.join(File.pathSeparator, places);
  }

  /** What the tests run. */
  static final class TightHeap {

    private static final Map<String, FrozenBuilder<?, ?>> BUILDERS =
        Map.of(
            "fuse", FuseFilter.builder(),
            "xor", XorFilter.builder(),
            "ribbon", RibbonFilter.builder(),
            "perfect-hash", PerfectHashFilter.builder(),
            "golomb-coded", GolombCodedSet.builder().falsePositiveRate(0.01));

    private TightHeap() {}

    public static void main(String[] args) {
      FrozenBuilder<?, ?> builder = BUILDERS.get(args[0]);
      int keys = Integer.parseInt(args[1]);
      for (int i = 0; i < keys; i++) {
        builder.addHash(Keys.hash(i));
      }
      HashedFilter filter = builder.build();
      int found = 0;
      for (int i = 0; i < keys; i++) {
        found += filter.mightContainHash(Keys.hash(i)) ? 1 : 0;
      }
      System.out.println(found + " keys found");
    }
  }
}
