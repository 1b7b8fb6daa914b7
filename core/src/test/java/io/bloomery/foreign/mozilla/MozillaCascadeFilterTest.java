package io.bloomery.foreign.mozilla;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import io.bloomery.FilterFormatException;
import io.bloomery.foreign.hash.Murmur3;
import io.bloomery.foreign.mozilla.MozillaCascadeFilter.Hash;
import io.bloomery.hash.Funnel;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Rates;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue S8: the files of Mozilla's filter-cascade and rust-cascade.
 *
 * <p>Measured here, of S8 (… in Mozilla's files): all 65,000 strings of three files of
 * filter-cascade and 10,003 of three of rust-cascade without an error; built again byte for byte;
 * truncated and hostile files are refused.
 */
final class MozillaCascadeFilterTest {

  private static final List<byte[]> DOMAINS = lines("domains-in.txt.gz");
  private static final List<byte[]> WORDS = lines("words-out.txt.gz");

  private static byte[] file(String name) {
    try (InputStream in = MozillaCascadeFilterTest.class.getResourceAsStream("/cascade/" + name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<byte[]> lines(String name) {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(
                    MozillaCascadeFilterTest.class.getResourceAsStream("/cascade/" + name)),
                UTF_8))) {
      return in.lines().map(line -> line.getBytes(UTF_8)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(MozillaCascadeFilter cascade) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      cascade.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat((long) out.size()).isEqualTo(cascade.storedBytes());
    return out.toByteArray();
  }

  private static long count(MozillaCascadeFilter cascade, List<byte[]> keys) {
    return keys.stream().filter(cascade::mightContain).count();
  }

  /** All 65 000 strings, and the same bytes from the same sets and parameters. */
  @ParameterizedTest
  @CsvSource({
    "v1-murmur, MURMUR3, 9, 50008,",
    "v2-murmur, MURMUR3, 9, 50008,",
    "v2-sha256-salt, SHA256, 10, 51128, 2024"
  })
  void filesOfFilterCascade(String name, Hash hash, int layers, long bits, String salt)
      throws IOException {
    MozillaCascadeFilter read = MozillaCascadeFilter.FORMAT.read(file("domains-" + name + ".mlbf"));
    assertThat(read.hash()).isEqualTo(hash);
    assertThat(read.isInverted()).isFalse();
    assertThat(read.layerCount()).isEqualTo(layers);
    assertThat(read.sizeInBits()).isEqualTo(bits);
    assertThat(read.layerBits(0)).isEqualTo(32_360);
    assertThat(read.layerProbes(0)).isEqualTo(5);
    assertThat(read.layerBits(layers - 1)).isEqualTo(1440);
    assertThat(read.layerProbes(layers - 1)).isEqualTo(1);
    assertThat(count(read, DOMAINS)).isEqualTo(5_000);
    assertThat(count(read, WORDS)).isZero();

    MozillaCascadeFilter.Builder builder =
        MozillaCascadeFilter.builder().hash(hash).growth(1.1).smallestLayerKeys(1000);
    if (salt != null) {
      builder.salt(salt.getBytes(UTF_8));
    }
    List<byte[]> backwards = new ArrayList<>(DOMAINS);
    Collections.reverse(backwards);
    byte[] built = bytes(builder.build(backwards, WORDS));
    assertThat(built).isEqualTo(bytes(read.asVersion2()));
    assertThat(bytes(read)).isEqualTo(file("domains-" + name + ".mlbf"));
    assertThat(read.version()).isEqualTo(name.startsWith("v2") ? 2 : 1);
  }

  /** "this", "that" and 500 hex strings against "other" and 9 500 more. */
  @ParameterizedTest
  @CsvSource({"murmur, MURMUR3,", "sha256l32, SHA256,", "sha256l32_salt, SHA256, nacl"})
  void samplesOfRustCascade(String name, Hash hash, String salt) throws IOException {
    List<byte[]> in = new ArrayList<>(List.of("this".getBytes(UTF_8), "that".getBytes(UTF_8)));
    IntStream.rangeClosed(1, 500).forEach(i -> in.add(serial(i)));
    List<byte[]> out = new ArrayList<>(List.of("other".getBytes(UTF_8)));
    IntStream.rangeClosed(501, 10_000).forEach(i -> out.add(serial(i)));
    byte[] sample = file("test_v2_" + name + "_mlbf");
    MozillaCascadeFilter read = MozillaCascadeFilter.FORMAT.read(sample);
    assertThat(read.salt()).isEqualTo((salt == null ? "" : salt).getBytes(UTF_8));
    assertThat(count(read, in)).isEqualTo(502);
    assertThat(count(read, out)).isZero();
    assertThat(read.mightContain("this")).isTrue();
    assertThat(bytes(read)).isEqualTo(sample);

    MozillaCascadeFilter.Builder builder =
        MozillaCascadeFilter.builder().hash(hash).growth(1).smallestLayerKeys(177).firstRate(0.02);
    if (salt != null) {
      builder.salt(salt.getBytes(UTF_8));
    }
    assertThat(bytes(builder.build(in, out))).isEqualTo(sample);
  }

  private static byte[] serial(int i) {
    byte[] digest = sha256(ByteBuffer.allocate(4).putInt(i).array());
    return HexFormat.of().formatHex(digest).getBytes(UTF_8);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** Keys are the SHA-256 of an issuer's key and a certificate's serial number. */
  @Test
  void realCertificates() throws IOException {
    MozillaCascadeFilter cascade = MozillaCascadeFilter.FORMAT.read(file("test_v1_murmur_mlbf"));
    HexFormat hex = HexFormat.of();
    String revoked =
        "2eb2d5a860fe50e9c242368552980150e45db5321a5b005e26d676253a409bf5062df568a051310820d7ec4327e1bafd";
    String also =
        "f11c3dd048f74edb7c45192b83e5980d2f67ec84b4ddb9396e33ff5173ed698f00d2e8f6aa80481cd4";
    String valid =
        "99fc9d40f1adb1636561a61d683d9ea6b460c57d0c75ea00c341b9dfb90b5f390b7775f7af9ae54265c9cd325710778e";
    assertThat(cascade.mightContain(hex.parseHex(revoked))).isTrue();
    assertThat(cascade.mightContain(hex.parseHex(also))).isTrue();
    assertThat(cascade.mightContain(hex.parseHex(valid))).isFalse();
    assertThat(cascade.layerCount()).isEqualTo(5);
    assertThat(cascade.layerBits(0)).isEqualTo(63_933);
  }

  /** The bytes that a second implementation, written from the format's description, gives. */
  @Test
  void counterMode() throws IOException {
    List<byte[]> in = IntStream.range(0, 50).mapToObj(i -> ("m" + i).getBytes(UTF_8)).toList();
    List<byte[]> out = IntStream.range(0, 1000).mapToObj(i -> ("o" + i).getBytes(UTF_8)).toList();
    MozillaCascadeFilter.Builder builder =
        MozillaCascadeFilter.builder()
            .hash(Hash.SHA256_COUNTER)
            .salt("salt".getBytes(UTF_8))
            .growth(1)
            .smallestLayerKeys(10);
    byte[] built = bytes(builder.build(in, out));
    assertThat(HexFormat.of().formatHex(sha256(built)))
        .isEqualTo("1d2ffd2ef064d58af8b761907a324828b2fa2f435c8f2dc1b1313ffbceb75976");
    MozillaCascadeFilter read = MozillaCascadeFilter.FORMAT.read(built);
    assertThat(count(read, in)).isEqualTo(50);
    assertThat(count(read, out)).isZero();
    MozillaCascadeFilter inverted = builder.build(out, in);
    assertThat(inverted.isInverted()).isTrue();
    assertThat(count(inverted, out)).isEqualTo(1000);
    assertThat(count(inverted, in)).isZero();
    assertThat(inverted.falsePositiveRate()).isCloseTo(1 - read.falsePositiveRate(), within(1e-12));
    byte[] flipped = built.clone();
    flipped[2] = 1;
    assertThat(bytes(inverted)).isEqualTo(flipped);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ffff0000",
        "01000108000000010000000000",
        "010001080000000100000001000108000000010000000300",
        "",
        "02",
        "0000",
        "0100",
        "0200",
        "020000",
        "02000000",
        "02000200010800000001000000010001",
        "020003" + "00",
        "0200000501020304",
        "02000000" + "04080000000100000001" + "00",
        "02000000" + "01000000000100000001",
        "02000000" + "01080000000000000001" + "00",
        "02000000" + "0108000000ffffffff01" + "00",
        "02000000" + "01ffffffff0100000001" + "00",
        "02000000" + "01080000000100000001",
        "02000000" + "01080000000100000001" + "0002080000000100000002" + "00",
        "02000000" + "01080000000100000001" + "00" + "01"
      })
  void refused(String hex) {
    assertThatThrownBy(() -> MozillaCascadeFilter.FORMAT.read(HexFormat.of().parseHex(hex)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageStartingWith("bytes, byte ");
  }

  @Test
  void aTruncatedFileIsRefused() {
    assertThatThrownBy(() -> MozillaCascadeFilter.FORMAT.read(file("test_v1_murmur_short_mlbf")))
        .isInstanceOf(FilterFormatException.class)
        .hasMessage("bytes, byte 12: the bits of layer 1: 7992 bytes are needed, 1012 are left");
  }

  /** The layer of rust-cascade's own tests, behind a version. */
  @Test
  void oneSmallLayer() throws IOException {
    MozillaCascadeFilter one =
        MozillaCascadeFilter.FORMAT.read(
            HexFormat.of().parseHex("0100" + "010900000001000000014100"));
    assertThat(one.mightContain("this")).isTrue();
    assertThat(one.mightContain("that")).isTrue();
    assertThat(one.mightContain("other")).isFalse();
    assertThat(one.falsePositiveRate()).isCloseTo(2 / 9.0, within(1e-12));
    assertThat(one).hasToString("MozillaCascadeFilter[MURMUR3, 1 layers, 9 bits]");
  }

  /** 3 000 mutations of two files: refused with an offset, or read and written as they are. */
  @Test
  void mutatedFiles() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    for (String name : List.of("test_v2_murmur_mlbf", "test_v2_sha256l32_salt_mlbf")) {
      byte[] original = file(name);
      Property.check(
          46,
          1500,
          draw -> {
            byte[] bytes = Arrays.copyOf(original, draw.between(0, original.length + 20));
            for (int i = draw.between(0, 4); i > 0 && bytes.length > 0; i--) {
              // Half of the changes hit the beginning, where the numbers are.
              int end = draw.between(0, 1) == 0 ? Math.min(20, bytes.length) : bytes.length;
              bytes[draw.between(0, end - 1)] = (byte) draw.between(0, 255);
            }
            long before = threads.getThreadAllocatedBytes(thread);
            MozillaCascadeFilter read = null;
            try {
              read = MozillaCascadeFilter.FORMAT.read(bytes);
            } catch (FilterFormatException e) {
              assertThat(e.getMessage()).startsWith("bytes, byte ");
            }
            assertThat(threads.getThreadAllocatedBytes(thread) - before).isLessThan(1 << 17);
            if (read != null) {
              read.mightContain("this");
              assertThat(read.falsePositiveRate()).isBetween(0.0, 1.0);
              assertThat(bytes(read)).isEqualTo(bytes);
            }
          });
    }
  }

  @Test
  void emptySetsAndTheirFiles(@TempDir Path directory) throws IOException {
    List<byte[]> keys = DOMAINS.subList(0, 100);
    for (List<byte[]> members : List.of(List.<byte[]>of(), keys)) {
      List<byte[]> others = members.isEmpty() ? keys : List.of();
      MozillaCascadeFilter cascade =
          MozillaCascadeFilter.builder().smallestLayerKeys(1).build(members, others);
      assertThat(cascade.layerCount()).isEqualTo(1);
      Path file = directory.resolve("cascade.mlbf");
      cascade.writeTo(file);
      assertThat(Files.readAllBytes(file)).isEqualTo(bytes(cascade));
      assertThat(count(MozillaCascadeFilter.FORMAT.open(file), keys)).isEqualTo(members.size());
      assertThat(count(MozillaCascadeFilter.builder().build(List.of(), List.of()), keys)).isZero();
    }
  }

  /** 200 000 numbers of neither set; numbers, text, bytes, parts and objects are one key. */
  @Test
  void keysOfEitherForm() {
    MozillaCascadeFilter cascade =
        MozillaCascadeFilter.builder()
            .smallestLayerKeys(100)
            .build(numbers(0, 3_000), numbers(1 << 20, 1 << 20 | 9_000));
    for (long i = 0; i < 3_000; i++) {
      assertThat(cascade.mightContain(i)).isTrue();
    }
    long yes = IntStream.range(1 << 24, (1 << 24) + 200_000).filter(cascade::mightContain).count();
    Rates.assertRate(yes, 200_000, cascade.falsePositiveRate(), 5);
    byte[] text = "müßig".getBytes(UTF_8);
    byte[] part = ByteBuffer.allocate(20).put(7, text).array();
    MozillaCascadeFilter words =
        MozillaCascadeFilter.builder()
            .build(List.of(text, Funnel.Fields.bytesOf("a", (key, into) -> into.put(key))), WORDS);
    assertThat(words.mightContain("müßig")).isTrue();
    assertThat(words.mightContain(part, 7, text.length)).isTrue();
    assertThat(words.mightContain("a", (String key, Funnel.Fields into) -> into.put(key))).isTrue();
    assertThatThrownBy(() -> words.mightContain(part, 15, 6))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> words.mightContain((byte[]) null)).hasMessage("key");
    assertThatThrownBy(() -> words.mightContain((String) null)).hasMessage("key");
    assertThatThrownBy(() -> words.mightContain(null, 0, 0)).hasMessage("bytes");
  }

  private static List<byte[]> numbers(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(i).array())
        .toList();
  }

  @Test
  void arguments() {
    MozillaCascadeFilter.Builder builder = MozillaCascadeFilter.builder();
    List<byte[]> key = List.of(new byte[] {1});
    assertThatThrownBy(() -> builder.salt(new byte[256])).hasMessageContaining("salt length = 256");
    assertThatThrownBy(() -> builder.growth(0.9)).hasMessageContaining("growth = 0.9");
    assertThatThrownBy(() -> builder.firstRate(1)).hasMessageContaining("firstRate = 1.0");
    assertThatThrownBy(() -> builder.smallestLayerKeys(0))
        .hasMessageContaining("smallestLayerKeys = 0");
    assertThatThrownBy(() -> builder.build(key, key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in both sets: [1]");
    assertThatThrownBy(() -> builder.build(null, key)).hasMessage("members");
    assertThatThrownBy(() -> builder.build(key, null)).hasMessage("others");
    assertThatThrownBy(() -> builder.salt(new byte[1]).build(key, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no salt");
    assertThatThrownBy(
            () ->
                MozillaCascadeFilter.builder()
                    .smallestLayerKeys(1 << 30)
                    .firstRate(0.001)
                    .build(key, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2^32 - 1");
    assertThat(Stream.of(Hash.values()).map(Hash::wireId)).containsExactly(1, 2, 3);
  }

  /** Values of the reference implementation; the last is its own verification of 256 keys. */
  @Test
  void murmur3() {
    HexFormat hex = HexFormat.of();
    assertThat(Murmur3.hash32(new byte[0], 0, 0, 0)).isZero();
    assertThat(Murmur3.hash32(new byte[0], 0, 0, 0xfba4c795)).isEqualTo(0x6a396f08);
    byte[] all = hex.parseHex("0021436587");
    assertThat(Murmur3.hash32(all, 1, 4, 0))
        .isEqualTo(Murmur3.hash32(hex.parseHex("21436587"), 0, 4, 0));
    byte[] hashes = new byte[1024];
    byte[] key = new byte[256];
    for (int i = 0; i < 256; i++) {
      key[i] = (byte) i;
      ByteBuffer.wrap(hashes)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt(4 * i, Murmur3.hash32(key, 0, i, 256 - i));
    }
    assertThat(Murmur3.hash32(hashes, 0, 1024, 0)).isEqualTo(0xB0F57EE3);
  }
}
