package io.bloomery.similarity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.hash.Hasher;
import io.bloomery.plan.Shape;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.ExcerptMath;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * L2 of the catalogue: the block-based Bloom filter.
 *
 * <p>Measured here, of L2 (block-based Bloom filter): the slides' example: BRACADAB at offset 1 and
 * 3, S2S1 a false hit; no excerpt of 2s - 1 bytes missed; rates of random excerpts of 7, 10 and 12
 * bytes (blocks of 4) within 5 σ given the fill, with and without content keys. It is L3 with one
 * level: the same answers, places and rates. Random excerpts of three blocks, payloads of 64
 * different blocks, equal memory: .012, with three levels .747.
 */
final class BlockDigestTest {

  /** So large that no lookup errs for the few keys of an example. */
  private static final BlockDigestShape THREE_BYTES = new BlockDigestShape(1 << 16, 12, 3, false);

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] random(SplittableRandom draw, int length) {
    byte[] bytes = new byte[length];
    draw.nextBytes(bytes);
    return bytes;
  }

  /** The places of an excerpt as "alignment:offset". */
  private static List<String> places(BlockDigest digest, String excerpt) {
    return digest.find(bytes(excerpt)).stream()
        .map(match -> match.alignment() + ":" + match.offset())
        .toList();
  }

  /** Rule R6, the slides: BRA CAD is nowhere, ACA DAB at 1, RAC ADA at 3 and RAC alone at 5 too. */
  @Test
  void theExampleOfThePaper() {
    BlockDigest digest = BlockDigest.create(THREE_BYTES);
    digest.add("ABRACADABRACADARACABA");
    assertThat(digest.longest()).isEqualTo(7);
    assertThat(places(digest, "BRACADAB")).containsExactly("1:3", "2:1");
    assertThat(digest.find(bytes("BRACADAB")))
        .extracting(BlockDigest.ExcerptMatch::position)
        .containsExactly(8L, 1L);
    assertThat(places(digest, "BRACAD")).noneMatch(place -> place.startsWith("0:"));
    assertThat(places(digest, "ACADAB")).containsOnlyOnce("0:1");
    assertThat(places(digest, "RACADA")).contains("0:3").doesNotContain("0:2", "0:5");
    assertThat(places(digest, "RAC")).containsExactly("0:3", "0:5");
  }

  /** Rule R6, the slides: blocks of two packets make up a string that neither has. */
  @Test
  void blocksOfTwoPayloadsAreTakenForNeighbours() {
    BlockDigest digest = BlockDigest.create(new BlockDigestShape(1 << 16, 12, 2, false));
    digest.add("S0S1S2S3S4");
    digest.add("S0S2S3S1S4");
    assertThat(places(digest, "S2S1")).as("a false hit").containsExactly("0:2");
    assertThat(places(digest, "S1S0")).isEmpty();
    assertThat(places(digest, "S1S2S3")).containsExactly("0:1");
  }

  /** Every excerpt of 2·s − 1 bytes or more, at its place, with and without content keys. */
  @Test
  void noExcerptIsMissed() {
    SplittableRandom draw = Seeds.random(1);
    for (int blockBytes : new int[] {1, 2, 7, 32}) {
      BlockDigestShape shape = new BlockDigestShape(40_000, 3, blockBytes, blockBytes % 2 == 1);
      BlockDigest digest = BlockDigest.create(shape, Hasher.xxh3(draw.nextLong()));
      byte[][] payloads = new byte[20][];
      for (int i = 0; i < payloads.length; i++) {
        payloads[i] = random(draw, draw.nextInt(0, 300));
        digest.add(payloads[i]);
      }
      assertThat(digest.minExcerptBytes()).isEqualTo(2 * blockBytes - 1);
      for (byte[] payload : payloads) {
        for (int from = 0; from + digest.minExcerptBytes() <= payload.length; from += 3) {
          int least = from + digest.minExcerptBytes();
          int to = draw.nextInt(least, payload.length + 1);
          byte[] excerpt = Arrays.copyOfRange(payload, from, to);
          assertThat(digest.find(excerpt))
              .extracting(BlockDigest.ExcerptMatch::position)
              .contains((long) from);
          assertThat(digest.mightContain(payload, from, to - from)).isTrue();
        }
      }
    }
  }

  /** 180,000 excerpts of random bytes, given the fill, from both sides. */
  @Test
  void excerptsHaveTheirRate() {
    SplittableRandom draw = Seeds.random(2);
    for (boolean contentKeys : new boolean[] {false, true}) {
      BlockDigestShape shape =
          new BlockDigestShape(contentKeys ? 9_000 : 27_000, 2, 4, contentKeys);
      BlockDigest digest = BlockDigest.create(shape, Hasher.xxh3(draw.nextLong()));
      for (int i = 0; i < 100; i++) {
        digest.add(random(draw, 4 * 33 + 3));
      }
      assertThat(digest.longest()).isEqualTo(33);
      for (int length : new int[] {7, 10, 12}) {
        int hits = 0;
        for (int i = 0; i < 30_000; i++) {
          hits += digest.mightContain(random(draw, length)) ? 1 : 0;
        }
        Rates.assertRate(hits, 30_000, digest.excerptRate(length), 5);
      }
      assertThat(digest.falsePositiveRate()).isEqualTo(digest.excerptRate(7));
      double expected = shape.falsePositiveRate(keys(shape));
      double deviation =
          expected
              * Rates.rateDeviation(
                  (double) shape.bits(), (double) keys(shape), shape.hashesPerKey());
      assertThat(digest.lookupRate()).isCloseTo(expected, within(5 * deviation));
    }
  }

  private static long keys(BlockDigestShape shape) {
    return new HierarchicalDigestShape(shape, 1, false).keys(100 * 4 * 33);
  }

  /** The shortest excerpts that can be looked up are found by their place or not at all. */
  @Test
  void shortExcerptsCannotBeRuledOut() {
    BlockDigest digest = BlockDigest.create(new BlockDigestShape(1 << 16, 12, 4, false));
    digest.add("abcdefghij");
    assertThat(places(digest, "efgh")).containsExactly("0:1");
    assertThat(places(digest, "cdefgh")).containsExactly("2:1");
    assertThat(places(digest, "cdefg")).as("no whole block").isEmpty();
    assertThat(digest.mightContain("cdefg")).isTrue();
    assertThat(digest.mightContain("")).isTrue();
    assertThat(digest.mightContain("unseen")).isTrue();
    assertThat(digest.mightContain("unseen!")).isFalse();
    assertThat(digest.mightContain("cdefghi")).isTrue();
    assertThatThrownBy(() -> digest.find(bytes("abc")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("excerpt has 3 bytes; it needs a block of 4, and 7 to be found at every place");
  }

  /** Bytes before the first block of a payload cannot be: alignment 0 alone is tried at index 0. */
  @Test
  void nothingPrecedesAPayload() {
    BlockDigest digest = BlockDigest.create(THREE_BYTES);
    digest.add("abcdef");
    assertThat(places(digest, "?abcdef")).isEmpty();
    assertThat(places(digest, "?def??")).containsExactly("1:1");
    assertThat(places(digest, "abcdef?")).containsExactly("0:0");
  }

  /** The bytes of a payload after its last whole block, and a payload below one block. */
  @Test
  void tailsAreDropped() {
    BlockDigest digest = BlockDigest.create(THREE_BYTES);
    assertThat(digest.add("ab")).isFalse();
    assertThat(digest.longest()).isZero();
    assertThat(digest.fillRatio()).isZero();
    assertThat(digest.falsePositiveRate()).isZero();
    assertThat(digest.mightContain("abcdef")).isFalse();
    assertThat(digest.add("abcde")).isTrue();
    assertThat(digest.add("abcXX")).as("the same block").isFalse();
    assertThat(digest.longest()).isEqualTo(1);
    assertThat(places(digest, "abcde")).containsExactly("0:0");
    // −m/k·ln(1 − k/m) is k/2m too many.
    assertThat(digest.cardinality()).isCloseTo(1, within(12.0 / (1 << 16)));
  }

  @Test
  void aRangeOfAnArrayIsAPayload() {
    BlockDigest digest = BlockDigest.create(THREE_BYTES);
    digest.add(bytes("..abcdef.."), 2, 6);
    assertThat(places(digest, "abcdef")).containsExactly("0:0");
    assertThat(digest.longest()).isEqualTo(2);
    assertThat(digest.mightContain(bytes("..bcdef.."), 2, 5)).isTrue();
    assertThat(digest.mightContain(bytes("..bcdeg.."), 2, 5)).isFalse();
    assertThatThrownBy(() -> digest.add(new byte[3], 1, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  /**
   * Excerpts of random bytes, three blocks long, in equal memory: where payloads consist of few
   * different blocks, a hierarchy is worse, because their pairs and fours fill it.
   */
  @Test
  void fewDifferentBlocksFavourBlocksAlone() {
    SplittableRandom draw = Seeds.random(4);
    BlockDigestShape shape = new BlockDigestShape(35_500, 2, 4, false);
    double[] ofBlocks = new double[20];
    double[] ofLevels = new double[20];
    for (int run = 0; run < ofBlocks.length; run++) {
      Hasher hasher = Hasher.xxh3(draw.nextLong());
      BlockDigest alone = BlockDigest.create(shape, hasher);
      HierarchicalDigest hierarchy =
          HierarchicalDigest.create(new HierarchicalDigestShape(shape, 3, false), hasher);
      byte[][] blocks = new byte[64][];
      Arrays.setAll(blocks, i -> random(draw, 4));
      for (int i = 0; i < 300; i++) {
        ByteBuffer payload = ByteBuffer.allocate(4 * 32);
        while (payload.hasRemaining()) {
          payload.put(blocks[draw.nextInt(blocks.length)]);
        }
        alone.add(payload.array());
        hierarchy.add(payload.array());
      }
      ofBlocks[run] = alone.excerptRate(12);
      ofLevels[run] = hierarchy.excerptRate(12);
      if (run == 0) {
        int queries = 20_000;
        int hits = 0;
        int others = 0;
        for (int i = 0; i < queries; i++) {
          byte[] excerpt = random(draw, 12);
          hits += alone.mightContain(excerpt) ? 1 : 0;
          others += hierarchy.mightContain(excerpt) ? 1 : 0;
        }
        Rates.assertRate(hits, queries, ofBlocks[run], 5);
        Rates.assertRate(others, queries, ofLevels[run], 5);
      }
    }
    // Rounded means of 20 themselves.
    double error = Math.sqrt(2) * Rates.standardError(ofBlocks);
    assertThat(Rates.mean(ofBlocks)).isCloseTo(.0123, within(5 * error + .00005));
    error = Math.sqrt(2) * Rates.standardError(ofLevels);
    assertThat(Rates.mean(ofLevels)).isCloseTo(.745, within(5 * error + .0005));
  }

  /** One kernel: a hierarchy of one level gives the same answers, bits and rates. */
  @Test
  void itIsAHierarchyOfOneLevel() {
    SplittableRandom draw = Seeds.random(3);
    BlockDigestShape shape = new BlockDigestShape(3_000, 2, 3, true);
    BlockDigest blocks = BlockDigest.create(shape);
    HierarchicalDigest levels =
        HierarchicalDigest.create(new HierarchicalDigestShape(shape, 1, false));
    for (int i = 0; i < 20; i++) {
      byte[] payload = random(draw, 60);
      assertThat(levels.add(payload)).isEqualTo(blocks.add(payload));
    }
    assertThat(levels.fillRatio()).isEqualTo(blocks.fillRatio());
    for (int i = 0; i < 2_000; i++) {
      byte[] excerpt = random(draw, draw.nextInt(3, 12));
      assertThat(levels.find(excerpt)).isEqualTo(blocks.find(excerpt));
      assertThat(levels.excerptRate(i % 40)).isEqualTo(blocks.excerptRate(i % 40));
    }
  }

  @Test
  void sizing() {
    BlockDigestShape shape = BlockDigestShape.forPayloads(1_000_000, .01, 32, false);
    assertThat(shape.falsePositiveRate(1_000_000 / 32)).isBetween(.0099, .01);
    assertThat(shape.sizeInBits()).isEqualTo(shape.bits());
    assertThat(BlockDigestShape.forPayloads(1_000_000, .01, 32, true).bits())
        .isBetween(2 * shape.bits() - 64, 2 * shape.bits() + 64);
    double[] rate = {.01};
    assertThat(ExcerptMath.excerpt(rate, true, 32, 46, 96))
        .isLessThan(ExcerptMath.excerpt(rate, false, 32, 46, 96) / 500);
  }

  @Test
  void argumentsAreChecked() {
    assertRefused("bits = 1", () -> new BlockDigestShape(1, 1, 1, false));
    assertRefused("bits = ", () -> new BlockDigestShape(Shape.MAX_BITS + 1, 1, 1, false));
    assertRefused("hashesPerKey = 0", () -> new BlockDigestShape(10, 0, 1, false));
    assertRefused("hashesPerKey = 11", () -> new BlockDigestShape(10, 11, 1, false));
    assertRefused("hashesPerKey = 256", () -> new BlockDigestShape(1000, 256, 1, false));
    assertRefused("blockBytes = 0", () -> new BlockDigestShape(10, 1, 0, false));
    assertRefused("blockBytes = 65537", () -> new BlockDigestShape(10, 1, 65_537, false));
    assertRefused("payloadBytes = 3", () -> BlockDigestShape.forPayloads(3, .01, 4, false));
    assertRefused("lookupRate = 1.0", () -> BlockDigestShape.forPayloads(4, 1, 4, false));
    assertRefused("lookupRate = 0.0", () -> BlockDigestShape.forPayloads(4, 0, 4, false));
    BlockDigest small = BlockDigest.create(new BlockDigestShape(10, 1, 1, false));
    assertRefused(
        "payload has 11 blocks; a digest of 10 bits takes no more than 10",
        () -> small.add(new byte[11]));
    assertThat(small.longest()).isZero();
    assertThat(small.add(new byte[10])).isTrue();
    assertRefused("excerptBytes = -1", () -> small.excerptRate(-1));
    assertThat(small.excerptRate(0)).isEqualTo(1);
    assertThat(small).hasToString("BlockDigest[" + small.shape() + ", XXH3-64, seed 0]");
  }

  private static void assertRefused(String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
