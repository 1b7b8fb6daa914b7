package io.bloomery.contract;

import static io.bloomery.contract.FilterContractTest.assertNamed;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.frame.FrameBuilder;
import io.bloomery.frame.NodeReader;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.similarity.BlockDigest;
import io.bloomery.similarity.BlockDigestShape;
import io.bloomery.similarity.HierarchicalDigest;
import io.bloomery.similarity.HierarchicalDigestShape;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contracts for digests, whose keys are excerpts of payloads and have no hash of their own. */
final class DigestContractTest {

  private static final Funnel<String> FUNNEL = (text, into) -> into.put(text);

  @TempDir private Path directory;

  private static HierarchicalDigest digest(int levels, boolean perLevel, Hasher hasher) {
    BlockDigestShape blocks = new BlockDigestShape(5_000, 3, 4, levels != 2);
    return HierarchicalDigest.create(new HierarchicalDigestShape(blocks, levels, perLevel), hasher);
  }

  private static HierarchicalDigest empty() {
    return digest(3, false, Hasher.xxh3(Seeds.of(1)));
  }

  private static byte[] random(SplittableRandom draw, int length) {
    byte[] bytes = new byte[length];
    draw.nextBytes(bytes);
    return bytes;
  }

  @Test
  void allFormsOfAnExcerptAgree() {
    SplittableRandom draw = Seeds.random(2);
    HierarchicalDigest digest = empty();
    ByteBuffer numbers = ByteBuffer.allocate(80).order(ByteOrder.LITTLE_ENDIAN);
    for (long i = 0; i < 10; i++) {
      numbers.putLong(i * i);
    }
    digest.add(numbers.array());
    digest.add("Zürich, 日本, 😀");
    digest.add(new byte[] {0, 0, 0, 8, 0, 0, 0});
    for (long number = 0; number < 100; number++) {
      byte[] bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
      byte[] padded = ByteBuffer.allocate(14).put(3, bytes).array();
      boolean found = digest.mightContain(bytes);
      assertThat(digest.mightContain(number)).isEqualTo(found);
      assertThat(digest.mightContain(padded, 3, 8)).isEqualTo(found);
      assertThat(digest.find(bytes).isEmpty()).isEqualTo(!found);
    }
    assertThat(digest.mightContain(81)).isTrue();
    assertThat(digest.mightContain(draw.nextLong() | 1L << 62)).isFalse();
    assertThat(digest.mightContain("rich, 日本, ")).isTrue();
    assertThat(digest.mightContain("reich, 日本, ")).as("bytes before a block").isTrue();
    assertThat(digest.mightContain("rich; 日本! ")).isFalse();
    byte[] fields = new byte[12];
    fields[0] = 8;
    HierarchicalDigest ofFields = empty();
    ofFields.add(fields);
    assertThat(ofFields.mightContain("\0\0\0\0\0\0\0\0", FUNNEL)).isTrue();
    assertThat(digest.mightContain("another", FUNNEL)).isFalse();
  }

  @Test
  void nullsAndRangesAreRefused() {
    HierarchicalDigest digest = empty();
    assertNamed("key", () -> digest.mightContain((CharSequence) null));
    assertNamed("key", () -> digest.mightContain((byte[]) null));
    assertNamed("bytes", () -> digest.mightContain(null, 0, 0));
    assertNamed("key", () -> digest.mightContain(null, FUNNEL));
    assertNamed("funnel", () -> digest.mightContain("a", (Funnel<String>) null));
    assertNamed("payload", () -> digest.add((byte[]) null));
    assertNamed("payload", () -> digest.add((CharSequence) null));
    assertNamed("payload", () -> digest.add(null, "host"));
    assertNamed("bytes", () -> digest.add(null, 0, 0));
    assertNamed("host", () -> digest.add(new byte[9], null));
    assertNamed("excerpt", () -> digest.find(null));
    assertNamed("other", () -> digest.merge(null));
    assertNamed("other", () -> digest.isCompatible(null));
    assertNamed("shape", () -> HierarchicalDigest.create(null));
    assertNamed("shape", () -> BlockDigest.create(null));
    assertNamed("hasher", () -> HierarchicalDigest.create(digest.shape(), null));
    assertThatThrownBy(() -> digest.mightContain(new byte[8], 1, 8))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(digest.fillRatio()).isZero();
    assertThat(digest.hosts()).isEmpty();
  }

  @Test
  void mergeIsTheUnion() {
    SplittableRandom draw = Seeds.random(3);
    HierarchicalDigest one = empty();
    HierarchicalDigest two = empty();
    HierarchicalDigest both = empty();
    for (int i = 0; i < 10; i++) {
      byte[] payload = random(draw, draw.nextInt(20, 90));
      String host = "host-" + i;
      (i % 2 == 0 ? one : two).add(payload, host);
      both.add(payload, host);
    }
    assertThat(one.isCompatible(two)).isTrue();
    one.merge(two);
    one.merge(one);
    assertThat(SampleFilters.bytes(one)).isEqualTo(SampleFilters.bytes(both));
    HierarchicalDigest other = digest(4, false, one.hasher());
    other.add(new byte[40]);
    assertThat(one.isCompatible(other)).isFalse();
    assertThatThrownBy(() -> one.merge(other))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContainingAll("shape", "levels=3", "levels=4");
    HierarchicalDigest seeded = digest(3, false, Hasher.xxh3(Seeds.of(99)));
    assertThat(one.isCompatible(seeded)).isFalse();
    assertThatThrownBy(() -> one.merge(seeded))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("hasher");
    assertThat(SampleFilters.bytes(one)).isEqualTo(SampleFilters.bytes(both));
  }

  @Test
  void aCopyIsIndependent() {
    BlockDigest digest = BlockDigest.create(new BlockDigestShape(5_000, 3, 4, false));
    digest.add("the first payload".getBytes(UTF_8), "a");
    BlockDigest copy = digest.copy();
    copy.add("another, much longer payload".getBytes(UTF_8), "b");
    assertThat(digest.mightContain("much longer")).isFalse();
    assertThat(digest.hosts()).containsExactly("a");
    assertThat(digest.longest()).isEqualTo(4);
    assertThat(copy.mightContain("much longer")).isTrue();
    assertThat(copy.mightContain("first pay")).isTrue();
    assertThat(copy.hosts()).containsExactly("a", "b");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyWayBackKeepsEveryAnswer(boolean perLevel) throws IOException {
    SplittableRandom draw = Seeds.random(4);
    HierarchicalDigest digest = digest(4, perLevel, Hasher.xxh3(7));
    List<byte[]> excerpts = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      byte[] payload = random(draw, 100);
      digest.add(payload, "host " + i);
      excerpts.add(Arrays.copyOfRange(payload, i, i + 30));
      excerpts.add(random(draw, 9));
    }
    Path file = directory.resolve("digest.bloom");
    digest.writeTo(file);
    byte[] frame = SampleFilters.bytes(digest);
    HierarchicalDigest mapped = Filters.map(file, ReadOptions.as(HierarchicalDigest.class));
    for (Filter back :
        List.of(
            mapped,
            Filters.open(file),
            Filters.read(
                new ByteArrayInputStream(frame), ReadOptions.defaults().withLimit(frame.length)))) {
      HierarchicalDigest again = (HierarchicalDigest) back;
      assertThat(again.shape()).isEqualTo(digest.shape());
      assertThat(again.hosts()).isEqualTo(digest.hosts());
      assertThat(again.longest()).isEqualTo(25);
      assertThat(again.excerptRate(40)).isEqualTo(digest.excerptRate(40));
      for (byte[] excerpt : excerpts) {
        assertThat(again.find(excerpt)).isEqualTo(digest.find(excerpt));
      }
    }
    assertThatThrownBy(() -> mapped.add(random(draw, 50), "new"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("read-only");
    assertThat(mapped.hosts()).doesNotContain("new");
    assertThat(mapped.copy().add(random(draw, 50), "new")).isTrue();
  }

  /** Two threads add payloads with hosts; every one is found at its place and by its host. */
  @Test
  void twoThreadsLoseNothing() {
    SplittableRandom draw = Seeds.random(5);
    byte[][] payloads = new byte[400][];
    Arrays.setAll(payloads, i -> random(draw, 4 + i));
    HierarchicalDigest digest =
        HierarchicalDigest.create(HierarchicalDigestShape.forPayloads(160_000, .01, 4, true, 3));
    Race.run(
        2,
        thread -> {
          for (int i = thread; i < payloads.length; i += 2) {
            digest.add(payloads[i], "host-" + i);
          }
        });
    assertThat(digest.hosts()).hasSize(400);
    assertThat(digest.longest()).isEqualTo(403 / 4);
    for (int i = 5; i < payloads.length; i++) {
      String host = "host-" + i;
      assertThat(digest.find(payloads[i], List.of(host)))
          .contains(new BlockDigest.ExcerptMatch(0, 0, 0, List.of(host)));
    }
  }

  /** Places and hosts, by the reader in JavaScript. */
  @Test
  void theOtherReaderFindsTheSame() throws Exception {
    NodeReader.assumeInstalled();
    SplittableRandom draw = Seeds.random(6);
    NodeReader reader = new NodeReader(directory);
    List<String> expected = new ArrayList<>();
    for (int levels : new int[] {1, 2, 5}) {
      HierarchicalDigest digest = digest(levels, levels == 5, Hasher.xxh3(draw.nextLong()));
      List<byte[]> excerpts = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        byte[] payload = random(draw, 90);
        digest.add(payload, "host" + i % 3);
        int from = draw.nextInt(30);
        excerpts.add(Arrays.copyOfRange(payload, from, from + draw.nextInt(1, 60)));
        excerpts.add(random(draw, draw.nextInt(0, 12)));
      }
      reader.keys(excerpts).file(SampleFilters.bytes(digest));
      expected.add(NodeReader.expected(digest, excerpts));
    }
    assertThat(reader.run()).containsExactlyElementsOf(expected);
    assertThat(expected.get(0)).contains("+found=0:", ":host1");
  }

  /** What else may be wrong in a file is in the tests of all kinds. */
  @Test
  void hostsAreInOrder() {
    HierarchicalDigest digest = empty();
    digest.add(new byte[9], "aa");
    digest.add(new byte[9], "bb");
    byte[] frame = SampleFilters.bytes(digest);
    frame[new String(frame, ISO_8859_1).lastIndexOf("aa")] = 'c';
    byte[] forged = FrameBuilder.reseal(frame);
    assertThatThrownBy(
            () ->
                Filters.read(
                    new ByteArrayInputStream(forged),
                    ReadOptions.defaults().withLimit(forged.length)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("hosts are not in ascending order");
  }
}
