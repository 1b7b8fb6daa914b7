package io.bloomery.similarity;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.ExcerptMath;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Digests of real text: the chapters of a book, each with its own host. */
final class ExcerptsOfTextTest {

  private static final int QUERIES = 2_000;
  private static final int BLOCK = 32;

  private static String book;
  private static List<byte[]> texts;

  @BeforeAll
  static void read() throws IOException {
    try (InputStream in = ExcerptsOfTextTest.class.getResourceAsStream("/text/alice.txt.gz")) {
      book = new String(new GZIPInputStream(in).readAllBytes(), US_ASCII);
    }
    texts =
        Arrays.stream(book.split("(?= {20}CHAPTER [IVX]+)", -1))
            .map(chapter -> chapter.getBytes(US_ASCII))
            .toList();
    assertThat(book).hasSize(148_707);
    assertThat(texts).hasSize(13);
  }

  private static HierarchicalDigest chapters(long seed) {
    HierarchicalDigestShape shape =
        HierarchicalDigestShape.forExcerpts(2L * book.length(), 14_000, 96, 1e-3, BLOCK, 4);
    HierarchicalDigest digest = HierarchicalDigest.create(shape, Hasher.xxh3(seed));
    for (int i = 0; i < texts.size(); i++) {
      digest.add(texts.get(i), host(i));
    }
    return digest;
  }

  private static String host(int chapter) {
    return "chapter-" + chapter;
  }

  /**
   * 2,000 passages of 63 to 400 bytes, wherever they begin: place and chapter are among those that
   * are found. The others are where the text has the same blocks, and as many by chance as
   * expected.
   */
  @Test
  void everyPassageIsFoundInItsChapter() {
    SplittableRandom draw = Seeds.random(1);
    double[] errors = new double[20];
    for (int run = 0; run < errors.length; run++) {
      HierarchicalDigest digest = chapters(draw.nextLong());
      assertThat(digest.hosts()).hasSize(13);
      double expected = 0;
      int found = 0;
      double[] places = places(digest);
      double rate = digest.lookupRate();
      for (int i = 0; i < QUERIES / errors.length; i++) {
        int number = draw.nextInt(texts.size());
        byte[] chapter = texts.get(number);
        int length = Math.min(draw.nextInt(63, 400), chapter.length);
        int from = draw.nextInt(chapter.length - length + 1);
        byte[] excerpt = Arrays.copyOfRange(chapter, from, from + length);
        List<BlockDigest.ExcerptMatch> matches = digest.find(excerpt);
        assertThat(matches)
            .anyMatch(match -> match.position() == from && match.hosts().contains(host(number)));
        found += (int) matches.stream().filter(match -> !isInText(match, excerpt)).count();
        for (int alignment = 0; alignment < BLOCK; alignment++) {
          int blocks = (length - alignment) / BLOCK;
          boolean right = (from + alignment) % BLOCK == 0; // else contents are mistaken first
          double tried = right ? 1 : Math.pow(rate, blocks);
          expected += tried * places[blocks];
        }
      }
      errors[run] = found - expected;
    }
    // Blocks that the text repeats err together, so that digests are the samples.
    Rates.assertMean(errors, 0, 5, 0);
  }

  /** Whether some chapter has the whole blocks of an excerpt at a place. */
  private static boolean isInText(BlockDigest.ExcerptMatch match, byte[] excerpt) {
    int end = excerpt.length - (excerpt.length - match.alignment()) % BLOCK;
    int start = match.offset() * BLOCK;
    int stop = start + end - match.alignment();
    return texts.stream()
        .anyMatch(
            text ->
                stop <= text.length
                    && Arrays.equals(text, start, stop, excerpt, match.alignment(), end));
  }

  /** For each number of blocks, the expected number of offsets at which all lookups err. */
  private static double[] places(HierarchicalDigest digest) {
    double rate = digest.lookupRate();
    double[] places = new double[400 / BLOCK + 1];
    for (int blocks = 1; blocks < places.length; blocks++) {
      for (int offset = 1; offset <= digest.longest() - blocks; offset++) {
        double all = 1;
        for (int level = 0; level < digest.shape().levels(); level++) {
          all *= Math.pow(rate, (double) ExcerptMath.groups(level, offset, blocks));
        }
        places[blocks] += all;
      }
    }
    return places;
  }

  /** The same passages in capital letters, which the book has not, at the promised rate. */
  @Test
  void whatTheBookDoesNotSayIsSeldomFound() {
    SplittableRandom draw = Seeds.random(2);
    HierarchicalDigest digest = chapters(draw.nextLong());
    String capitals = book.toUpperCase(Locale.ROOT).replace(' ', '_');
    int hits = 0;
    for (int i = 0; i < QUERIES; i++) {
      int from = draw.nextInt(capitals.length() - 96);
      hits += digest.mightContain(capitals.substring(from, from + 96)) ? 1 : 0;
    }
    assertThat(digest.excerptRate(96)).as("as sized").isLessThan(1e-3);
    Rates.assertRateAtMost(hits, QUERIES, digest.excerptRate(96), 5);
  }

  /** The whole book as one payload of 4,647 blocks: content keys keep it searchable. */
  @Test
  void aBookIsOnePayload() {
    SplittableRandom draw = Seeds.random(3);
    byte[] all = book.getBytes(US_ASCII);
    HierarchicalDigest digest =
        HierarchicalDigest.create(
            HierarchicalDigestShape.forExcerpts(all.length, all.length, 63, 1e-2, BLOCK, 3),
            Hasher.xxh3(draw.nextLong()));
    assertThat(digest.add(all)).isTrue();
    assertThat(digest.longest()).isEqualTo(4_647);
    assertThat((double) digest.sizeInBits() / Byte.SIZE / all.length)
        .as("share of the text")
        .isLessThan(.2);
    for (int i = 0; i < QUERIES; i++) {
      int from = draw.nextInt(all.length - 63 - 32);
      assertThat(digest.find(Arrays.copyOfRange(all, from, from + 63)))
          .extracting(BlockDigest.ExcerptMatch::position)
          .contains((long) from);
    }
    assertThat(
            digest.mightContain(
                "Down the Rabbit-Hole\n\n\n  Alice was beginning to get very tired"))
        .isTrue();
    assertThat(
            digest.mightContain("Call me Ishmael. Some years ago - never mind how long precisely"))
        .isFalse();
  }
}
