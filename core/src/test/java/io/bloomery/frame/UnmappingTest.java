package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.MappedFilter;
import io.bloomery.ReadOptions;
import io.bloomery.membership.BloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Code that maps a file temporarily leaves nothing mapped on Java 22 and later, where only closing
 * unmaps. A jar is needed for that; before Java 22 the garbage collector decides.
 */
@EnabledOnOs(OS.LINUX) // the list of what is mapped
final class UnmappingTest {

  private static final boolean AT_ONCE =
      System.getProperty("bloomery.test.classes").endsWith(".jar")
          && Runtime.version().feature() >= 22;

  @TempDir Path directory;

  private static boolean isMapped(Path file) throws IOException {
    return Files.readString(Path.of("/proc/self/maps")).contains(file.toString());
  }

  @Test
  void aClosedFilter() throws IOException {
    Path file = directory.resolve("closed.bloom");
    BloomFilter.create(1000, 0.01).writeTo(file);
    try (var mapped = MappedFilter.map(file, ReadOptions.as(BloomFilter.class))) {
      assertThat(mapped.filter().mightContain("key")).isFalse();
      assertThat(isMapped(file)).isTrue();
    }
    assertThat(AT_ONCE && isMapped(file)).isFalse();
  }

  @Test
  void aVerifiedFile() throws IOException {
    Path file = directory.resolve("verified.bloom");
    BloomFilter.create(1000, 0.01).writeTo(file);
    Filters.verify(file);
    assertThat(AT_ONCE && isMapped(file)).isFalse();
  }

  /** A section too many is found after the sections have been mapped. */
  @Test
  void aFileThatIsRefused() throws IOException {
    Path file = directory.resolve("refused.bloom");
    Files.write(file, FrameBuilder.bloom().section(0, 0).section(7).build());
    assertThatThrownBy(() -> MappedFilter.map(file, ReadOptions.as(BloomFilter.class)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("section");
    assertThat(AT_ONCE && isMapped(file)).isFalse();
  }
}
