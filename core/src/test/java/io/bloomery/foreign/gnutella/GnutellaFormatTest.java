package io.bloomery.foreign.gnutella;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.foreign.EthereumFormat;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Query routing tables: the hash, messages in several sequences, names and queries. */
final class GnutellaFormatTest {

  private static byte[] written(ForeignFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    assertThat(filter.storedBytes()).isEqualTo(out.size());
    return out.toByteArray();
  }

  /** Catalogue U10. */
  @ParameterizedTest
  @CsvSource({
    "'', 0",
    "eb, 6791",
    "ebc, 7082",
    "ebck, 6698",
    "ebckl, 3179",
    "ebcklm, 3235",
    "ebcklme, 6438",
    "ebcklmen, 1062",
    "ebcklmenq, 3527",
    "EBCK, 6698"
  })
  void slots(String word, int slot) {
    byte[] bytes = word.getBytes(US_ASCII);
    assertThat(GnutellaFormat.slot(bytes, 0, bytes.length, 13)).isEqualTo(slot);
  }

  /** Words put in and taken out by later sequences, of other forms than the first. */
  @Test
  void laterPatchesChangeTheTable() throws IOException {
    BitSet first = GnutellaTables.table(50);
    byte[] out = GnutellaTables.nibbles(GnutellaTables.table(20));
    for (int i = 0; i < out.length; i++) {
      out[i] &= 0x77; // 7 is positive: taken out
    }
    byte[] file =
        GnutellaTables.joined(
            GnutellaTables.reset(1 << 14, 7),
            GnutellaTables.patches(GnutellaTables.nibbles(first), 0, 4),
            GnutellaTables.patches(GnutellaTables.zlib(out), 1, 4));
    ForeignBloomFilter table = GnutellaFormat.FORMAT.read(file);
    for (int i = 0; i < 50; i++) {
      assertThat(table.mightContain("word" + i)).isEqualTo(i >= 20);
    }
    assertThat(table.bitsSet()).isEqualTo(first.cardinality() - 20);
    ForeignBloomFilter again = GnutellaFormat.FORMAT.read(written(table));
    assertThat(GnutellaFormat.table(again)).isEqualTo(GnutellaFormat.table(table));
    assertThat(written(again)).isEqualTo(written(table));

    ForeignBloomFilter reset =
        GnutellaFormat.FORMAT.read(GnutellaTables.joined(file, GnutellaTables.reset(1 << 15, 7)));
    assertThat(reset.bitsSet()).isZero();
    assertThat(reset.sizeInBits()).isEqualTo(1 << 15);
    assertThat(written(reset)).isEqualTo(GnutellaTables.reset(1 << 15, 7));
    reset.add("word");
    assertThat(GnutellaFormat.FORMAT.read(written(reset)).mightContain("word")).isTrue();
  }

  @Test
  void theBitsAlone() {
    byte[] bits = new byte[1 << 11];
    bits[6698 >> 2] = 0; // slot 2 · 6698 or the one after it in a table of 2^14
    ForeignBloomFilter table = GnutellaFormat.ofSlots(1 << 14);
    table.add("ebck");
    int slot = GnutellaFormat.slot("ebck".getBytes(US_ASCII), 0, 4, 14);
    assertThat(slot >> 1).isEqualTo(6698);
    bits[slot >> 3] = (byte) (0x80 >> (slot & 7));
    assertThat(GnutellaFormat.table(table)).isEqualTo(bits);
    assertThat(GnutellaFormat.ofTable(bits).mightContain("EbCk")).isTrue();
    assertThatThrownBy(() -> GnutellaFormat.ofTable(new byte[3000])).hasMessageContaining("power");
    assertThatThrownBy(() -> GnutellaFormat.ofSlots(1 << 13)).hasMessageContaining("slots = 8192");
    assertThatThrownBy(() -> GnutellaFormat.table(EthereumFormat.create()))
        .hasMessageContaining("not gnutella-qrp");
  }

  @Test
  void namesAndQueries() {
    ForeignBloomFilter table = GnutellaFormat.ofSlots(1 << 16);
    GnutellaFormat.addName(table, "The_Well-Tempered Clavier, Book 2 (Prélude).ogg");
    for (String query :
        new String[] {
          "clavier",
          "CLAV",
          "tempered well",
          "temp",
          "prélude",
          "PRÉL",
          "a b",
          "",
          "book clavier nonsense"
        }) {
      assertThat(GnutellaFormat.mightAnswer(table, query)).as(query).isTrue();
    }
    for (String query :
        new String[] {"goldberg", "clavier nonsense", "te", "book other nonsense"}) {
      assertThat(GnutellaFormat.mightAnswer(table, query)).as(query).isEqualTo(query.equals("te"));
    }
    assertThat(table.mightContain("te")).isFalse();
  }

  /** An ultrapeer sends the merge of its leaves' tables. */
  @Test
  void tablesMerge() {
    ForeignBloomFilter leaf = GnutellaFormat.ofSlots(1 << 16);
    ForeignBloomFilter other = GnutellaFormat.ofSlots(1 << 16);
    leaf.add("one");
    other.add("two");
    leaf.merge(other);
    assertThat(GnutellaFormat.mightAnswer(leaf, "one two")).isTrue();
    assertThatThrownBy(() -> leaf.merge(GnutellaFormat.ofSlots(1 << 17)))
        .isInstanceOf(IncompatibleFiltersException.class);
    ForeignFormat.Maker maker = GnutellaFormat.FORMAT.maker().orElseThrow();
    assertThat(maker.create(1000, 0.01).sizeInBits()).isEqualTo(1 << 17);
    assertThatThrownBy(() -> maker.create(1_000_000, 0.01)).hasMessageContaining("2^21 slots");
  }

  @Test
  void whatIsRefused() {
    byte[] reset = GnutellaTables.reset(1 << 14, 2);
    byte[] entries = GnutellaTables.nibbles(GnutellaTables.table(9));
    byte[] half = Arrays.copyOf(entries, 4096);
    refused("neither a RESET", GnutellaTables.patch(1, 1, 0, 4, half));
    refused("power of two", GnutellaTables.reset((1 << 14) + 1, 2));
    refused("PATCH 2 of 2 is missing", reset, GnutellaTables.patch(1, 2, 0, 4, half));
    refused("the number of the PATCH", reset, GnutellaTables.patch(2, 2, 0, 4, half));
    refused("entries for 8192 slots", reset, GnutellaTables.patch(1, 1, 0, 4, half));
    refused("the number of PATCHes", reset, GnutellaTables.patch(1, 0, 0, 4, half));
    refused("the compressor", reset, GnutellaTables.patch(1, 1, 2, 4, half));
    refused("entries of 8 bits", reset, GnutellaTables.patch(1, 1, 0, 8, half));
    refused(
        "the same in all",
        reset,
        GnutellaTables.patch(1, 2, 0, 4, half),
        GnutellaTables.patch(2, 2, 0, 1, half));
    refused("decompressed", reset, GnutellaTables.patch(1, 1, 1, 4, half));
    byte[] zlib = GnutellaTables.zlib(entries);
    refused("slots", reset, GnutellaTables.patch(1, 1, 1, 4, Arrays.copyOf(zlib, zlib.length - 1)));
    refused(
        "follow", reset, GnutellaTables.patch(1, 1, 1, 4, Arrays.copyOf(zlib, zlib.length + 1)));
    byte[] bomb = GnutellaTables.zlib(new byte[1 << 24]);
    refused("more than 16384 slots", reset, GnutellaTables.patch(1, 1, 1, 4, bomb));
  }

  private static void refused(String message, byte[]... messages) {
    assertThatThrownBy(() -> GnutellaFormat.FORMAT.read(GnutellaTables.joined(messages)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(message);
  }
}
