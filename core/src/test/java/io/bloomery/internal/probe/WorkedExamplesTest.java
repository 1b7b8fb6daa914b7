package io.bloomery.internal.probe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.internal.bits.Words;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** The filters that the literature works by hand, bit for bit. */
final class WorkedExamplesTest {

  /** A filter that is told its positions. */
  private record GivenIndexes(int bits, Words words) {
    GivenIndexes(int bits) {
      this(bits, Words.forBits(bits, false));
    }

    boolean add(List<Integer> indexes) {
      boolean changed = false;
      for (int index : indexes) {
        changed |= words.setBit(index);
      }
      return changed;
    }

    boolean mightContain(List<Integer> indexes) {
      return indexes.stream().allMatch(index -> words.getBit(index));
    }

    List<Integer> ones() {
      return IntStream.range(0, bits).filter(i -> words.getBit(i)).boxed().toList();
    }

    /** Bit 0 left. */
    String picture() {
      StringBuilder picture = new StringBuilder();
      for (int i = 0; i < bits; i++) {
        picture.append(words.getBit(i) ? '1' : '0');
      }
      return picture.toString();
    }
  }

  /**
   * Tarkoma, Rothenberg and Lagerspetz 2012, figure 2: 16 bits, the probes are MD5, SHA-1 and CRC32
   * modulo 16.
   */
  @Test
  void figureTwoOfTheSurvey() {
    assertThat(surveyIndexes("a")).containsExactly(1, 8, 3);
    assertThat(surveyIndexes("b")).containsExactly(15, 8, 9);
    assertThat(surveyIndexes("y")).containsExactly(13, 10, 5);
    assertThat(surveyIndexes("l")).containsExactly(3, 7, 14);
    assertThat(surveyIndexes("q")).containsExactly(13, 0, 7);
    assertThat(surveyIndexes("z")).containsExactly(7, 10, 15);

    GivenIndexes filter = new GivenIndexes(16);
    assertThat(filter.add(surveyIndexes("a"))).isTrue();
    assertThat(filter.add(surveyIndexes("b"))).isTrue();
    assertThat(filter.ones()).containsExactly(1, 3, 8, 9, 15);
    assertThat(filter.words().get(0)).isEqualTo(0b1000_0011_0000_1010L);
    assertThat(filter.mightContain(surveyIndexes("z"))).isFalse();
    assertThat(filter.add(surveyIndexes("y"))).isTrue();
    assertThat(filter.add(surveyIndexes("l"))).isTrue();
    assertThat(filter.ones()).containsExactly(1, 3, 5, 7, 8, 9, 10, 13, 14, 15);
    assertThat(filter.words().get(0)).isEqualTo(0b1110_0111_1010_1010L);

    for (String member : List.of("a", "b", "y", "l")) {
      assertThat(filter.mightContain(surveyIndexes(member))).as(member).isTrue();
    }
    assertThat(filter.mightContain(surveyIndexes("q"))).as("q: bit 0 is missing").isFalse();
    assertThat(filter.mightContain(surveyIndexes("z"))).as("z: a false positive").isTrue();
    assertThat(filter.add(surveyIndexes("z"))).as("z: nothing new").isFalse();
  }

  private static List<Integer> surveyIndexes(String key) {
    byte[] bytes = key.getBytes(UTF_8);
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return List.of(lastDigit("MD5", bytes), lastDigit("SHA-1", bytes), (int) (crc.getValue() % 16));
  }

  /** A digest, read as a number with its first byte highest, modulo 16. */
  private static int lastDigit(String algorithm, byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance(algorithm).digest(bytes);
      return digest[digest.length - 1] & 15;
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** The course slides' example: 10 bits, 3 probes. */
  @Test
  void tenBitsOfTheSlides() {
    List<Integer> x0 = List.of(1, 4, 9);
    List<Integer> x1 = List.of(4, 5, 8);
    GivenIndexes filter = new GivenIndexes(10);
    assertThat(filter.picture()).isEqualTo("0000000000");
    assertThat(filter.add(x0)).isTrue();
    assertThat(filter.picture()).isEqualTo("0100100001");
    assertThat(filter.add(x1)).isTrue();
    assertThat(filter.picture()).isEqualTo("0100110011");
    assertThat(filter.mightContain(List.of(0, 4, 8))).as("y0: bit 0 is missing").isFalse();
    assertThat(filter.mightContain(List.of(1, 5, 8))).as("y1: a false positive").isTrue();
  }

  /** The same with counters, and why bits cannot be taken back. */
  @Test
  void tenCountersOfTheSlides() {
    List<Integer> x0 = List.of(1, 4, 9);
    List<Integer> x1 = List.of(4, 5, 8);
    int[] counters = new int[10];
    x0.forEach(i -> counters[i]++);
    x1.forEach(i -> counters[i]++);
    assertThat(Arrays.stream(counters).mapToObj(String::valueOf).reduce("", String::concat))
        .isEqualTo("0100210011");

    GivenIndexes filter = new GivenIndexes(10);
    filter.add(x0);
    filter.add(x1);
    Words withoutX0 = Words.forBits(10, false);
    filter.ones().stream().filter(i -> !x0.contains(i)).forEach(withoutX0::setBit);
    filter.words().andAll(withoutX0);
    assertThat(filter.picture()).isEqualTo("0000010010");
    assertThat(filter.mightContain(x1)).as("x1: a false negative").isFalse();
  }
}
