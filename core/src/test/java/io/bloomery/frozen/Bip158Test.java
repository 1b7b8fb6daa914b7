package io.bloomery.frozen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The vectors of BIP 158 (bitcoin/bips, CC0-1.0): real testnet blocks, P = 19, M = 784931. */
final class Bip158Test {

  private static final int P = GolombCodedSet.BIP158_RICE_BITS;
  private static final long M = GolombCodedSet.BIP158_INVERSE_RATE;
  private static final HexFormat HEX = HexFormat.of();
  private static final int OP_RETURN = 0x6A;

  /** One row of the file. */
  private record Vector(
      String height,
      String blockHash,
      String blockHex,
      List<byte[]> previousScripts,
      String previousHeader,
      String filter,
      String header,
      String note) {

    byte[] block() {
      return HEX.parseHex(blockHex);
    }

    /** The first 16 bytes of the block hash in the order of the block, not of its display. */
    Hasher hasher() {
      byte[] key = new byte[16];
      byte[] hash = reversed(blockHash);
      System.arraycopy(hash, 0, key, 0, 16);
      return Hasher.keyed(key);
    }

    /** Scripts of outputs and of what was spent, without empty ones and data carriers. */
    List<byte[]> items() {
      List<byte[]> items = new ArrayList<>();
      for (byte[] script : outputScripts(block())) {
        if (script.length > 0 && script[0] != OP_RETURN) {
          items.add(script);
        }
      }
      previousScripts.stream().filter(script -> script.length > 0).forEach(items::add);
      return items;
    }

    long[] hashes() {
      return items().stream().mapToLong(hasher()::hash).toArray();
    }

    @Override
    public String toString() {
      return "block " + height + (note.isEmpty() ? "" : ": " + note);
    }
  }

  static List<Vector> vectors() throws IOException {
    String text;
    try (InputStream in = Bip158Test.class.getResourceAsStream("/vectors/bip158-testnet-19.json")) {
      text = new String(in.readAllBytes(), UTF_8);
    }
    // The texts have no escapes, so that tokens are enough.
    Matcher tokens = Pattern.compile("\"([^\"]*)\"|\\[|\\]|\\d+").matcher(text);
    List<Vector> vectors = new ArrayList<>();
    List<String> row = new ArrayList<>();
    List<byte[]> scripts = new ArrayList<>();
    int depth = 0;
    while (tokens.find()) {
      String token = tokens.group();
      if (token.equals("[")) {
        depth++;
      } else if (!token.equals("]")) {
        String value = tokens.group(1) == null ? token : tokens.group(1);
        if (depth == 3) {
          scripts.add(HEX.parseHex(value));
        } else {
          row.add(value);
        }
      } else if (--depth == 1) {
        if (row.size() == 7) {
          vectors.add(
              new Vector(
                  row.get(0),
                  row.get(1),
                  row.get(2),
                  List.copyOf(scripts),
                  row.get(3),
                  row.get(4),
                  row.get(5),
                  row.get(6)));
        }
        row.clear();
        scripts.clear();
      }
    }
    return vectors;
  }

  @Test
  void allSixAreThere() throws IOException {
    assertThat(vectors())
        .extracting(Vector::height)
        .containsExactly("0", "2", "49291", "926485", "1263442", "1414221");
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void filterIsEqualByteForByte(Vector vector) throws IOException {
    GolombCodedSet set = GolombCodedSet.ofBip158Hashes(vector.hashes(), P, M, vector.hasher());
    assertThat(HEX.formatHex(set.toBip158())).isEqualTo(vector.filter());
    for (byte[] item : vector.items()) {
      assertThat(set.mightContain(item)).isTrue();
    }
    assertThat(set.falsePositiveRate()).isLessThanOrEqualTo(1.0 / M);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void theirBytesAreReadAndWrittenBack(Vector vector) throws IOException {
    byte[] bytes = HEX.parseHex(vector.filter());
    GolombCodedSet set = GolombCodedSet.ofBip158Bytes(bytes, P, M, vector.hasher());
    assertThat(set.toBip158()).isEqualTo(bytes);
    long[] hashes = vector.hashes();
    long[] hits = new long[hashes.length / 64 + 1];
    assertThat(set.mightContainHashes(hashes, 0, hashes.length, hits)).isEqualTo(hashes.length);
    assertThat(set.mightContain("not a script of this block")).isFalse();
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void headerIsTheDoubleHashOfFilterAndHeaderBefore(Vector vector) throws GeneralSecurityException {
    byte[] filter =
        GolombCodedSet.ofBip158Hashes(vector.hashes(), P, M, vector.hasher()).toBip158();
    byte[] both = new byte[64];
    System.arraycopy(doubleSha256(filter), 0, both, 0, 32);
    System.arraycopy(reversed(vector.previousHeader()), 0, both, 32, 32);
    assertThat(doubleSha256(both)).isEqualTo(reversed(vector.header()));
    byte[] blockHeader = new byte[80];
    System.arraycopy(vector.block(), 0, blockHeader, 0, 80);
    assertThat(doubleSha256(blockHeader)).isEqualTo(reversed(vector.blockHash()));
  }

  @Test
  void largeFilterRoundTrips() throws IOException {
    long[] hashes = Keys.members(20_000);
    GolombCodedSet set = GolombCodedSet.ofBip158Hashes(hashes, P, M, Hasher.xxh3());
    byte[] bytes = set.toBip158();
    assertThat(bytes[0]).isEqualTo((byte) 0xFD);
    assertThat(set.keyCount()).isEqualTo(20_000);
    GolombCodedSet again = GolombCodedSet.ofBip158Bytes(bytes, P, M, Hasher.xxh3());
    assertThat(again.toBip158()).isEqualTo(bytes);
    long[] hits = new long[20_000 / 64 + 1];
    assertThat(again.mightContainHashes(hashes, 0, 20_000, hits)).isEqualTo(20_000);
    GolombCodedSet many = GolombCodedSet.ofBip158Hashes(Keys.members(70_000), 4, 20, Hasher.xxh3());
    assertThat(many.toBip158()[0]).isEqualTo((byte) 0xFE);
    assertThat(many.keyCount()).as("numbers that coincide are kept").isEqualTo(70_000);
    assertThat(GolombCodedSet.ofBip158Bytes(many.toBip158(), 4, 20, Hasher.xxh3()).toBip158())
        .isEqualTo(many.toBip158());
  }

  @Test
  void whatIsNoFilterIsRefusedWithItsPlace() {
    assertRefused("", "ends inside");
    assertRefused("01", "1 items; the bytes hold up to 0");
    assertRefused("ffffffffffffffffff00", "items");
    assertRefused("fe00000001" + "00".repeat(10), "16777216 items; the bytes hold up to 4");
    assertRefused("fd0100" + "00".repeat(10), "shortest form");
    assertRefused("019dfca800", "bytes follow");
    assertRefused("019dfca9", "padding bit");
    assertRefused("01f0000000", "beyond the range");
    assertRefused("01ffffff", "ends inside");
    assertThatThrownBy(() -> GolombCodedSet.ofBip158Hashes(new long[2], 33, M, Hasher.xxh3()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("riceBits = 33");
    assertThatThrownBy(() -> GolombCodedSet.ofHashes(Keys.members(1000), 0.013).toBip158())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("n·M");
  }

  private static void assertRefused(String hex, String message) {
    assertThatThrownBy(() -> GolombCodedSet.ofBip158Bytes(HEX.parseHex(hex), P, M, Hasher.xxh3()))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(message);
  }

  /** Bytes of any kind are a filter that is written back alike, or refused. */
  @Test
  void hostileBytesAreReadOrRefused() throws IOException {
    byte[] real = GolombCodedSet.ofBip158Hashes(Keys.members(12), P, M, Hasher.xxh3()).toBip158();
    int[] read = new int[1];
    Property.check(
        158,
        20_000,
        draw -> {
          byte[] bytes;
          if (draw.between(0, 1) == 0) {
            bytes = new byte[draw.between(0, 40)];
            for (int i = 0; i < bytes.length; i++) {
              bytes[i] = (byte) draw.anyLong();
            }
          } else {
            bytes = real.clone();
            bytes[draw.between(0, bytes.length - 1)] ^= (byte) (1 << draw.between(0, 7));
          }
          int riceBits = draw.between(0, 3) == 0 ? draw.between(0, 32) : P;
          try {
            GolombCodedSet set = GolombCodedSet.ofBip158Bytes(bytes, riceBits, M, Hasher.xxh3());
            assertThat(set.toBip158()).isEqualTo(bytes);
            read[0]++;
          } catch (FilterFormatException expected) {
            assertThat(expected.offset()).isBetween(0L, (long) bytes.length);
          }
        });
    assertThat(read[0]).isGreaterThan(500);
  }

  /** Walks through a serialized block: outputs of all transactions. */
  private static List<byte[]> outputScripts(byte[] block) {
    ByteBuffer in = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).position(80);
    List<byte[]> scripts = new ArrayList<>();
    for (long transactions = compactSize(in); transactions > 0; transactions--) {
      in.getInt();
      long inputs = compactSize(in);
      boolean witness = inputs == 0;
      if (witness) {
        in.get();
        inputs = compactSize(in);
      }
      for (long i = 0; i < inputs; i++) {
        skip(in, 36);
        skip(in, compactSize(in));
        skip(in, 4);
      }
      for (long outputs = compactSize(in); outputs > 0; outputs--) {
        skip(in, 8);
        byte[] script = new byte[(int) compactSize(in)];
        in.get(script);
        scripts.add(script);
      }
      for (long i = 0; witness && i < inputs; i++) {
        for (long parts = compactSize(in); parts > 0; parts--) {
          skip(in, compactSize(in));
        }
      }
      skip(in, 4);
    }
    assertThat(in.hasRemaining()).isFalse();
    return scripts;
  }

  private static void skip(ByteBuffer in, long bytes) {
    in.position(in.position() + (int) bytes);
  }

  private static long compactSize(ByteBuffer in) {
    int first = Byte.toUnsignedInt(in.get());
    return switch (first) {
      case 0xFD -> Short.toUnsignedInt(in.getShort());
      case 0xFE -> Integer.toUnsignedLong(in.getInt());
      case 0xFF -> in.getLong();
      default -> first;
    };
  }

  private static byte[] reversed(String hex) {
    byte[] bytes = HEX.parseHex(hex);
    for (int i = 0, j = bytes.length - 1; i < j; i++, j--) {
      byte swap = bytes[i];
      bytes[i] = bytes[j];
      bytes[j] = swap;
    }
    return bytes;
  }

  private static byte[] doubleSha256(byte[] bytes) throws GeneralSecurityException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    return digest.digest(digest.digest(bytes));
  }
}
