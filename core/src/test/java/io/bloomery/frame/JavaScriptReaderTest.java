package io.bloomery.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import io.bloomery.window.DecayingBloomFilter;
import io.bloomery.window.DecayingShape;
import io.bloomery.window.RecentFilter;
import io.bloomery.window.RecentShape;
import io.bloomery.window.TimeDecayingFilter;
import io.bloomery.window.TimeDecayingShape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The reader in JavaScript, written from the pages of the format alone, answers as we do. {@code
 * io.bloomery.contract.JavaScriptContractTest} compares larger filters in all varieties.
 */
final class JavaScriptReaderTest {

  private static final int OTHERS = Effort.of(1_000);
  private static final int DAMAGES = 12;
  private static final int FORGED = Effort.of(40);
  private static final Hasher SEEDED = Hasher.xxh3(-7);

  @TempDir private Path directory;

  @BeforeAll
  static void node() throws Exception {
    NodeReader.assumeInstalled();
  }

  /** Members, other keys, numbers, and keys of all lengths that the hash function tells apart. */
  private static List<byte[]> keys(FilterKind<?> kind) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      keys.add(SampleFilters.key(kind, i));
    }
    for (int i = 0; i < OTHERS; i++) {
      keys.add(SampleFilters.otherKey(kind, i));
    }
    SplittableRandom draw = Seeds.random(21);
    for (int length = 0; length < 300; length++) {
      byte[] key = new byte[length % 10 == 0 ? 5 * length : length];
      draw.nextBytes(key);
      keys.add(key);
    }
    keys.add("Zürich 日本 😀".getBytes(UTF_8));
    return keys;
  }

  @Test
  void goldenFilesOfEveryKind() throws Exception {
    NodeReader reader = new NodeReader(directory);
    List<String> expected = new ArrayList<>();
    for (FilterKind<?> kind : Filters.kinds()) {
      byte[] golden = GoldenFiles.bytes(kind.name());
      Filter filter =
          Filters.read(
              new ByteArrayInputStream(golden), ReadOptions.defaults().withLimit(golden.length));
      reader.keys(keys(kind)).file(golden);
      expected.add(NodeReader.expected(filter, keys(kind)));
    }
    List<byte[]> keys = keys(Filters.kind("bloom"));
    reader.keys(keys);
    for (Filter filter : SampleFilters.otherLayouts().values()) {
      reader.file(SampleFilters.bytes(filter));
      expected.add(NodeReader.expected(filter, keys));
    }
    assertThat(reader.run()).containsExactlyElementsOf(expected);
  }

  @Test
  void samplesWithASeedAndWithAKey() throws Exception {
    String key = "00112233445566778899aabbccddeeff";
    NodeReader reader = new NodeReader(directory).secret(key);
    List<String> expected = new ArrayList<>();
    Hasher keyed = Hasher.keyed(HexFormat.of().parseHex(key));
    for (Hasher hasher : List.of(SEEDED, keyed)) {
      for (FilterKind<?> kind : Filters.kinds()) {
        if (kind.isHashed()) {
          Filter sample = SampleFilters.of(kind, hasher);
          List<byte[]> keys = keys(kind).subList(0, 220);
          reader.keys(keys).file(SampleFilters.bytes(sample));
          expected.add(NodeReader.expected(sample, keys));
        }
      }
    }
    assertThat(reader.run()).containsExactlyElementsOf(expected);
  }

  /** Keys that come one per minute, queried while they fade and after. */
  @Test
  void windowsAtAnyTime() throws Exception {
    Instant start = Instant.parse("2026-01-02T03:04:05.678Z");
    Instant[] clock = {start};
    TimeDecayingShape cells = TimeDecayingShape.of(3_000, 3);
    List<AddableFilter> filters =
        List.of(
            DecayingBloomFilter.create(
                new DecayingShape(3_000, 3, 3_600_000, 7_000, true), SEEDED, () -> clock[0]),
            DecayingBloomFilter.create(new DecayingShape(3_000, 3, 40, 7, false), SEEDED),
            RecentFilter.create(new RecentShape(16, 4, 4, 3_600_000, true), SEEDED, () -> clock[0]),
            RecentFilter.create(new RecentShape(16, 8, 4, 40, false), SEEDED),
            TimeDecayingFilter.create(
                cells.withHalfLife(Duration.ofMinutes(5)), SEEDED, () -> clock[0]),
            TimeDecayingFilter.create(
                cells.withLinearDecay(Duration.ofMinutes(50)), SEEDED, () -> clock[0]));
    List<byte[]> keys = keys(Filters.kind("bloom"));
    for (int i = 0; i < 100; i++) {
      clock[0] = clock[0].plusSeconds(60);
      for (AddableFilter filter : filters) {
        filter.add(keys.get(i));
      }
    }
    NodeReader reader = new NodeReader(directory).keys(keys);
    List<String> expected = new ArrayList<>();
    for (int minutes : new int[] {0, 10, 31, 59, 60, 100, 6_000}) {
      clock[0] = start.plus(Duration.ofMinutes(100 + minutes));
      reader.now(clock[0]);
      for (AddableFilter filter : filters) {
        reader.file(SampleFilters.bytes(filter));
        expected.add(NodeReader.expected(filter, keys));
      }
    }
    assertThat(reader.run()).containsExactlyElementsOf(expected);
  }

  @Test
  void aKeyedFilterNeedsItsKey() throws Exception {
    byte[] golden = GoldenFiles.bytes(GoldenFiles.KEYED_NAME);
    List<String> answers =
        new NodeReader(directory)
            .file(golden)
            .secret("00".repeat(16))
            .file(golden)
            .secret("000102030405060708090a0b0c0d0e0f")
            .file(golden)
            .run();
    assertThat(answers.get(0)).startsWith("error ").contains("secret key");
    assertThat(answers.get(1)).startsWith("error ").contains("secret key");
    assertThat(answers.get(2)).startsWith("ok");
  }

  @Test
  void aFilterWithANonceNeedsItsSecret() throws Exception {
    byte[] golden = GoldenFiles.bytes(GoldenFiles.NONCE_NAME);
    Filter filter =
        Filters.read(
            new ByteArrayInputStream(golden),
            ReadOptions.defaults().withLimit(golden.length).withHasher(GoldenFiles.NONCE));
    List<byte[]> keys = keys(Filters.kind("bloom"));
    List<String> answers =
        new NodeReader(directory)
            .keys(keys)
            .file(golden)
            .secret("00".repeat(32))
            .file(golden)
            .secret(GoldenFiles.SECRET)
            .file(golden)
            .run();
    assertThat(answers.get(0)).startsWith("error ").contains("secret key");
    assertThat(answers.get(1)).startsWith("error ").contains("secret key");
    assertThat(answers.get(2)).isEqualTo(NodeReader.expected(filter, keys));
  }

  /** Fields and words of any value, with right checksums. */
  @Test
  void bothReadersRefuseTheSameForgedFiles() throws Exception {
    NodeReader reader = new NodeReader(directory);
    List<String> expected = new ArrayList<>();
    for (FilterKind<?> kind : Filters.kinds()) {
      byte[] sound = GoldenFiles.bytes(kind.name());
      List<byte[]> keys = keys(kind).subList(0, 40);
      reader.keys(keys);
      SplittableRandom draw = Seeds.random(kind.id());
      for (int i = 0; i < FORGED; i++) {
        byte[] forged = forged(sound, draw);
        reader.file(forged);
        expected.add(answer(forged, keys));
      }
    }
    List<String> found = reader.run();
    found.replaceAll(answer -> answer.startsWith("error ") ? "error" : answer);
    assertThat(found).containsExactlyElementsOf(expected);
  }

  /** Any bytes of the description changed, with right checksums. */
  @Test
  void bothReadersRefuseTheSameForgedDescriptions() throws Exception {
    byte[] golden = GoldenFiles.resource(GoldenFiles.DESCRIBED_FILE);
    int end = ByteBuffer.wrap(golden).order(ByteOrder.LITTLE_ENDIAN).getInt(12) - 4;
    List<byte[]> keys = keys(Filters.kind("bloom")).subList(0, 40);
    NodeReader reader = new NodeReader(directory).keys(keys).file(golden);
    List<String> expected = new ArrayList<>(List.of(answer(golden, keys)));
    assertThat(expected.get(0)).startsWith("ok");
    SplittableRandom draw = Seeds.random(23);
    for (int i = 0; i < 10 * FORGED; i++) {
      byte[] forged = golden.clone();
      int at = i % 5 == 0 ? 52 + draw.nextInt(4) : draw.nextInt(118, end);
      forged[at] = (byte) (i % 2 == 0 ? draw.nextInt(4) : draw.nextInt(256));
      forged = FrameBuilder.reseal(forged);
      reader.file(forged);
      expected.add(answer(forged, keys));
    }
    List<String> found = reader.run();
    found.replaceAll(answer -> answer.startsWith("error ") ? "error" : answer);
    assertThat(found).containsExactlyElementsOf(expected);
    assertThat(expected).contains("error");
  }

  private static byte[] forged(byte[] sound, SplittableRandom draw) {
    ByteBuffer bytes = ByteBuffer.wrap(sound.clone()).order(ByteOrder.LITTLE_ENDIAN);
    int[] fields = FrameBuilder.valueOffsets(sound);
    int words = (int) bytes.getLong(40) / Long.BYTES;
    boolean field = draw.nextInt(4) == 0;
    int at =
        field
            ? fields[draw.nextInt(fields.length)]
            : (int) bytes.getLong(32) + Long.BYTES * draw.nextInt(words);
    long old = bytes.getLong(at);
    long[] values = {old + 1, old - 1, old ^ 1L << draw.nextInt(64), 2 * old, 0, -1, 1};
    bytes.putLong(at, values[draw.nextInt(values.length)]);
    return FrameBuilder.reseal(bytes.array());
  }

  private static String answer(byte[] frame, List<byte[]> keys) throws IOException {
    try {
      Filter filter =
          Filters.read(new ByteArrayInputStream(frame), ReadOptions.defaults().withLimit(1 << 20));
      return NodeReader.expected(filter, keys);
    } catch (FilterFormatException e) {
      return "error";
    }
  }

  @Test
  void damageIsFoundInEveryKind() throws Exception {
    NodeReader reader = new NodeReader(directory);
    SplittableRandom draw = Seeds.random(22);
    int files = 0;
    for (FilterKind<?> kind : Filters.kinds()) {
      byte[] golden = GoldenFiles.bytes(kind.name());
      for (int i = 0; i < DAMAGES; i++, files++) {
        byte[] damaged = golden.clone();
        int at = i % 3 == 0 ? draw.nextInt(160) : draw.nextInt(golden.length);
        damaged[at] ^= (byte) (1 << draw.nextInt(8));
        reader.file(i % 4 == 3 ? Arrays.copyOf(golden, at) : damaged);
      }
      reader.file(Arrays.copyOf(golden, golden.length + 1));
      files++;
    }
    assertThat(reader.run()).hasSize(files).allMatch(answer -> answer.startsWith("error "));
  }

  @Test
  void damageIsFoundOnEveryPage() throws Exception {
    BloomFilter filter = BloomFilter.create(100_000, 0.0001);
    filter.add("key");
    byte[] sound = SampleFilters.bytes(filter);
    NodeReader reader = new NodeReader(directory).file(sound);
    for (int at = 4096 + 65_535; at < sound.length; at += 65_536) {
      byte[] damaged = sound.clone();
      damaged[at] ^= 1;
      reader.file(damaged);
    }
    List<String> answers = reader.run();
    assertThat(answers.get(0)).startsWith("ok");
    assertThat(answers.subList(1, answers.size()))
        .hasSize(3)
        .allMatch(answer -> answer.endsWith("is damaged"));
  }
}
