package io.bloomery.cli.file;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomOnTerminal;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.testkit.Inputs.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters read from a pipe or from a compressed file. */
final class FilterSourceTest {

  @TempDir private Path directory;
  private Path keys;

  @BeforeEach
  void write() throws IOException {
    keys = Files.writeString(directory.resolve("keys"), numbers(500));
  }

  private Path build(String kind) {
    Path file = directory.resolve(kind);
    String option = kind.equals("datasketches") ? "--format" : "--kind";
    assertThat(bloom("build", keys, option, kind, "-o", file, "-q").code()).isZero();
    return file;
  }

  private Path packed(Path file, String how) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Path packed = directory.resolve("packed." + how);
    return Files.write(packed, how.equals("gz") ? gzip(bytes) : Zstd.compress(bytes));
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"bloom", "datasketches"})
  void everyCommandReadsCompressedAndPipedFilters(String kind) throws IOException {
    Path plain = build(kind);
    byte[] bytes = Files.readAllBytes(plain);
    for (String how : new String[] {"gz", "zst"}) {
      Path packed = packed(plain, how);
      assertThat(bloom("check", packed, keys, "-s").code()).isZero();
      assertThat(bloom("check", packed, "-k", "absent", "-s").code()).isEqualTo(1);
      assertThat(bloom("info", packed).out()).startsWith(packed + "\n").doesNotContain(".filter");
      assertThat(bloom("verify", packed, "--present", keys).out()).startsWith(packed + "\n");
      Path out = directory.resolve("out");
      assertThat(bloom("convert", packed, "-fo", out).code()).isZero();
      assertThat(out).hasBinaryContent(bytes);
    }
    assertThat(bloomWith(bytes, "check", "-", keys, "-s").code()).isZero();
    assertThat(bloomWith(gzip(bytes), "check", "-", keys, "-s").code()).isZero();
    assertThat(bloomWith(bytes, "info", "-").out()).startsWith("standard input\n");
    assertThat(bloomWith(bytes, "verify", "-", "--present", keys).code()).isZero();
    Path out = directory.resolve("out");
    assertThat(bloomWith(bytes, "convert", "-", "-fo", out).out())
        .startsWith("Converted standard input to " + out);
    assertThat(out).hasBinaryContent(bytes);
    assertThat(
            Json.object(bloomWith(bytes, "check", "-", "-k", "1", "-c", "--json").out())
                .get("file"))
        .isEqualTo("standard input");
  }

  @Test
  void countQueriesCompressedAndPipedFilters() throws IOException {
    Path filter = directory.resolve("counts");
    assertThat(bloom("count", keys, "-o", filter, "-q").code()).isZero();
    byte[] bytes = Files.readAllBytes(filter);
    String plain = bloom("count", "--filter", filter, "--key", "7").out();
    assertThat(plain).contains("7");
    assertThat(bloom("count", "--filter", packed(filter, "gz"), "--key", "7").out())
        .isEqualTo(plain);
    assertThat(bloomWith(bytes, "count", "--filter", "-", "--key", "7").out()).isEqualTo(plain);
    assertThat(bloomWith(bytes, "count", "--filter", "-", "--keys-file", "-").code()).isEqualTo(2);
  }

  @Test
  void damageIsReportedUnderTheGivenName() throws IOException {
    byte[] bytes = Files.readAllBytes(build("bloom"));
    byte[] half = Arrays.copyOf(bytes, bytes.length / 2);
    Path packed = Files.write(directory.resolve("half.gz"), gzip(half));
    assertThat(bloom("check", packed, "-k", "1").err())
        .startsWith("bloom: " + packed + ", byte ")
        .hasLineCount(1);
    Bloom.Run verify = bloom("verify", packed);
    assertThat(verify.code()).isEqualTo(1);
    assertThat(verify.out()).contains("problem  " + packed + ", byte ");
    assertThat(bloomWith(half, "info", "-").err()).startsWith("bloom: standard input, byte ");
    byte[] cut = Arrays.copyOf(gzip(bytes), 200);
    Path broken = Files.write(directory.resolve("broken.gz"), cut);
    assertThat(bloom("info", broken).err()).startsWith("bloom: " + broken).hasLineCount(1);
  }

  @Test
  void standardInputIsFilterOrKeysButNotBoth() {
    assertThat(bloomWith("x", "check", "-").err()).contains("cannot be both filter and keys");
    assertThat(bloomWith("x", "verify", "-", "--absent", "-").err())
        .contains("cannot be both filter and keys");
    assertThat(bloomOnTerminal(new ByteArrayInputStream(new byte[0]), "info", "-").err())
        .contains("is a terminal");
  }
}
