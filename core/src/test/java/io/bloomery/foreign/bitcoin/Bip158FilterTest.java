package io.bloomery.foreign.bitcoin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.foreign.BitcoinSubjects;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.testkit.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters of Bitcoin's blocks, alone and in messages; frozen.Bip158Test has the codes. */
final class Bip158FilterTest {

  private static final HexFormat HEX = HexFormat.of();

  @TempDir private Path directory;

  static List<List<?>> vectors() {
    return ((List<?>) Json.resource("/vectors/bip158-testnet-19.json"))
        .stream().skip(1).<List<?>>map(row -> (List<?>) row).toList();
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void aFilterAloneOpensWithTheHashOfItsBlock(List<?> row) throws IOException {
    byte[] bytes = HEX.parseHex((String) row.get(5));
    byte[] hash = BitcoinSubjects.reversed((String) row.get(1));
    Path file = directory.resolve("filter");
    Files.write(file, bytes);
    Bip158Filter filter = Bip158Filter.open(file, hash);
    for (Object script : (List<?>) row.get(3)) {
      assertThat(filter.mightContain(HEX.parseHex((String) script))).isTrue();
    }
    assertThat(filter.mightContain("no script".getBytes(UTF_8))).isFalse();
    assertThat(written(filter)).isEqualTo(bytes);
    assertThat(filter.storedBytes()).isEqualTo(bytes.length);
    assertThat(filter.blockHash()).isEqualTo(hash);
    assertThat(filter.fields()).containsEntry("block hash", row.get(1));

    Path message = directory.resolve("message");
    filter.inMessage(true).writeTo(message);
    Bip158Filter again = (Bip158Filter) ForeignFormats.open(message, "bip158");
    assertThat(again.blockHash()).isEqualTo(hash);
    assertThat(again.keyCount()).isEqualTo(filter.keyCount());
    assertThat(written(again.inMessage(false))).isEqualTo(bytes);
    assertThat(written(Bip158Filter.open(message, hash))).isEqualTo(written(again));
    assertThatThrownBy(() -> Bip158Filter.open(message, new byte[32]))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("another block, " + row.get(1));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void aFilterAloneSaysThatItNeedsTheHash(List<?> row) throws IOException {
    Path file = directory.resolve("filter");
    Files.write(file, HEX.parseHex((String) row.get(5)));
    assertThat(ForeignFormats.candidates(file)).containsExactly(Bip158Filter.FORMAT);
    assertThatThrownBy(() -> Filters.open(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(file + ", byte 0")
        .hasMessageContaining("could be bip158");
    assertThatThrownBy(() -> ForeignFormats.open(file, "bip158"))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(file + ", byte 0")
        .hasMessageContaining("Bip158Filter.open(file, blockHash)");
  }

  private static byte[] written(ForeignFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  @Test
  void builtFromScripts() throws IOException {
    List<byte[]> scripts = List.of("a".getBytes(UTF_8), "b".getBytes(UTF_8), "a".getBytes(UTF_8));
    byte[] hash = HEX.parseHex("01".repeat(32));
    Bip158Filter filter = Bip158Filter.ofKeys(scripts, hash);
    assertThat(filter.keyCount()).isEqualTo(2);
    assertThat(filter.mightContain("a")).isTrue();
    assertThat(filter.mightContain("c")).isFalse();
    assertThat(written(Bip158Filter.FORMAT.read(written(filter)))).isEqualTo(written(filter));
    byte[] empty = written(Bip158Filter.ofKeys(List.of(), hash));
    assertThat(Bip158Filter.FORMAT.read(empty).mightContain("a")).isFalse();
    assertThatThrownBy(() -> Bip158Filter.ofKeys(scripts, new byte[16]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("blockHash has 16 bytes");
  }

  /** Where the codes are damaged the place is counted from the beginning of the file. */
  @Test
  void placesAreThoseOfTheFile() {
    byte[] message = HEX.parseHex("00" + "00".repeat(32) + "04" + "019dfca9");
    assertThatThrownBy(() -> Bip158Filter.FORMAT.read(message))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageStartingWith("bytes, byte 38: ")
        .hasMessageContaining("padding bit");
  }
}
