package io.bloomery.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Measured here, of L6 (Zatocoding): 10⁴ cards of 8 descriptors: .0971 false drops (exact;
 * published .105); 4 descriptors: .0107 (exact; published .0140); fills .570 and .344; no true card
 * missed.
 */
final class SuperimposedCodeTest {

  private static final CardShape ZATOCARD = CardShape.zatocard();

  @TempDir Path directory;

  /** Cards with this many descriptors each; those of card i are the members of set i. */
  private static SuperimposedCode deck(int cards, int descriptors) {
    SuperimposedCode deck = SuperimposedCode.create(ZATOCARD);
    for (int card = 0; card < cards; card++) {
      assertThat(deck.add(Keys.members(descriptors, card))).isEqualTo(card);
    }
    return deck;
  }

  /**
   * 10,000 random cards. Published fills .570 and .344; false drops .105 and .0140 are fill^4,
   * which forgets that the positions of a descriptor differ: exact are .0971 and .0107.
   */
  @ParameterizedTest
  @CsvSource({"8, 0.570, 0.105, 0.0971", "4, 0.344, 0.0140, 0.0107"})
  void falseDropsOfTenThousandCards(int descriptors, double fill, double published, double exact) {
    assertThat(ZATOCARD.fill(descriptors)).isCloseTo(fill, offset(0.0005));
    assertThat(Math.pow(ZATOCARD.fill(descriptors), 4)).isCloseTo(published, offset(0.0005));
    assertThat(ZATOCARD.falsePositiveRate(descriptors)).isCloseTo(exact, offset(0.00005));

    SuperimposedCode deck = deck(10_000, descriptors);
    double[] fills = new double[10_000];
    for (int card = 0; card < fills.length; card++) {
      fills[card] = deck.notches(card).length / 40.0;
      assertThat(deck.sort(Keys.members(descriptors, card))).contains(card);
    }
    Rates.assertMean(fills, ZATOCARD.fill(descriptors), 5, 0);

    // The cards of one deck share each query, so that every query is one sample.
    double[] drops = new double[400];
    for (int i = 0; i < drops.length; i++) {
      drops[i] = deck.sort(Keys.outsiders(1, i)).length / 10_000.0;
    }
    Rates.assertMean(drops, deck.falseDropRate(1), 5, 0);
    Rates.assertMean(drops, ZATOCARD.falsePositiveRate(descriptors), 5, 0.02);

    // One deck of 10,000 cards of other descriptors is 10,000 samples for one query.
    long query = Keys.outsiders(1, 7)[0];
    Rates.assertRate(deck.sort(query).length, 10_000, ZATOCARD.falsePositiveRate(descriptors), 5);
  }

  /** Each card drops for every subset of its descriptors, also through words. */
  @Test
  void noTrueCardIsMissed() {
    SplittableRandom random = Seeds.random(1);
    SuperimposedCode deck = deck(500, 8);
    for (int card = 0; card < 500; card++) {
      long[] own = Keys.members(8, card);
      for (int i = 0; i < 10; i++) {
        int from = random.nextInt(8);
        long[] some = Arrays.copyOfRange(own, from, random.nextInt(from + 1, 9));
        assertThat(deck.sort(some)).contains(card);
      }
      assertThat(deck.mightContainHash(own[card % 8])).isTrue();
    }
    assertThat(deck.sort()).hasSize(500);
    SuperimposedCode words = SuperimposedCode.create(new CardShape(200, 5));
    words.add(List.of("steel", "alloy", "corrosion"));
    words.add(List.of("steel", "welding"));
    words.add(List.of());
    assertThat(words.sort(List.of("steel"))).contains(0, 1);
    assertThat(words.sort(List.of("welding", "steel"))).contains(1);
    assertThat(words.sort(List.of("steel", "alloy", "corrosion"))).contains(0).doesNotContain(2);
    assertThat(words.mightContain("alloy")).isTrue();
    assertThat(words.cards()).isEqualTo(3);
    assertThat(words.notches(2)).isEmpty();
    assertThat(words.sizeInBits()).isEqualTo(600);
  }

  /** Four different notches for each descriptor, every position as often as another. */
  @Test
  void notchesOfADescriptorDiffer() {
    SuperimposedCode deck = deck(5_000, 1);
    long[] counts = new long[40];
    for (int card = 0; card < 5_000; card++) {
      assertThat(deck.notches(card)).hasSize(4);
      Arrays.stream(deck.notches(card)).forEach(position -> counts[position]++);
    }
    // Positions of one card exclude each other: the counts vary by 36/39 of a multinomial's.
    double chiSquare = Arrays.stream(counts).mapToDouble(x -> (x - 500) * (x - 500) / 500.0).sum();
    double scaled = chiSquare * 39 / 36;
    assertThat(Math.sqrt(2 * scaled) - Math.sqrt(2 * 39 - 1)).isBetween(-5.0, 5.0);
  }

  /** Queries of several descriptors are more selective; exact from the cards' notches. */
  @Test
  void severalDescriptorsDropFewerCards() {
    SuperimposedCode deck = deck(2_000, 8);
    for (int descriptors = 1; descriptors <= 2; descriptors++) {
      double[] drops = new double[1_000];
      for (int i = 0; i < drops.length; i++) {
        drops[i] = deck.sort(Keys.outsiders(descriptors, i)).length / 2_000.0;
      }
      Rates.assertMean(drops, deck.falseDropRate(descriptors), 5, 0);
    }
    assertThat(deck.falseDropRate(2)).isLessThan(deck.falseDropRate(1) / 5);
    assertThat(SuperimposedCode.create(ZATOCARD).falseDropRate(1)).isZero();
  }

  /** By inclusion and exclusion: Σ (-1)^j C(s, j)·(C(F - j, d)/C(F, d))^r. */
  @Test
  void theExactRateIsThatOfInclusionAndExclusion() {
    for (int[] f : new int[][] {{40, 4, 8, 4}, {40, 4, 4, 4}, {64, 3, 20, 6}, {12, 5, 3, 5}}) {
      double sum = 0;
      double choose = 1;
      for (int j = 0; j <= f[3]; j++) {
        double miss = 1;
        for (int i = 0; i < f[1]; i++) {
          miss *= Math.max(0, f[0] - j - i) / (double) (f[0] - i);
        }
        sum += (j % 2 == 0 ? 1 : -1) * choose * Math.pow(miss, f[2]);
        choose = choose * (f[3] - j) / (j + 1);
      }
      CardShape shape = new CardShape(f[0], f[1]);
      assertThat(shape.falseDropRate(f[2], f[3])).isCloseTo(sum, offset(1e-12));
    }
    assertThat(ZATOCARD.falseDropRate(0, 1)).isZero();
    assertThat(ZATOCARD.falseDropRate(1, 4)).isCloseTo(1 / 91_390.0, offset(1e-15));
    assertThat(ZATOCARD.falseDropRate(1L << 53, 40)).isCloseTo(1, offset(1e-12));
    assertThat(new CardShape(5, 5).falsePositiveRate(1)).isEqualTo(1);
  }

  /** The shortest card: one position less is too few, for any number of notches. */
  @Test
  void sizedForARate() {
    for (int descriptors : new int[] {1, 3, 8, 50}) {
      for (double rate : new double[] {0.2, 0.01, 1e-4}) {
        CardShape shape = CardShape.forCards(descriptors, rate);
        assertThat(shape.falsePositiveRate(descriptors)).isLessThanOrEqualTo(rate);
        for (int d = 1; d <= Math.min(64, shape.notches() - 1); d++) {
          assertThat(new CardShape(shape.notches() - 1, d).falsePositiveRate(descriptors))
              .as("%s with %d", shape, d)
              .isGreaterThan(rate);
        }
      }
    }
    assertThatThrownBy(() -> CardShape.forCards(10_000, 1e-300)).hasMessageContaining("a card");
  }

  @Test
  void storedDecksGrowAgain() throws IOException {
    SuperimposedCode deck = deck(37, 5);
    Path file = directory.resolve("deck.bloom");
    deck.writeTo(file);
    SuperimposedCode opened = Filters.open(file, ReadOptions.as(SuperimposedCode.class));
    SuperimposedCode mapped = Filters.map(file, ReadOptions.as(SuperimposedCode.class));
    assertThat(opened.add(1, 2, 3)).isEqualTo(37);
    assertThat(opened.sort(1, 2, 3)).contains(37);
    for (int card = 0; card < 37; card++) {
      long[] query = Arrays.copyOf(Keys.members(5, card), 2);
      assertThat(mapped.sort(query)).isEqualTo(deck.sort(query));
      assertThat(mapped.notches(card)).isEqualTo(opened.notches(card));
    }
    assertThatThrownBy(() -> mapped.add(1)).isInstanceOf(IllegalStateException.class);
    assertThat(mapped).hasToString(deck.toString());
  }

  @Test
  void argumentsAreChecked() {
    assertThatThrownBy(() -> new CardShape(0, 1))
        .hasMessage("notches = 0 is outside the allowed range 1 … 1048576");
    assertThatThrownBy(() -> new CardShape(40, 41))
        .hasMessage("notchesPerDescriptor = 41 is outside the allowed range 1 … 40");
    assertThatThrownBy(() -> ZATOCARD.falseDropRate(1, 0)).hasMessageStartingWith("positions = 0");
    assertThatThrownBy(() -> ZATOCARD.fill(-1)).hasMessageStartingWith("keys = -1");
    assertThatThrownBy(() -> CardShape.forCards(0, 0.1)).hasMessageStartingWith("descriptors");
    assertThatThrownBy(() -> CardShape.forCards(1, 1)).hasMessageStartingWith("falseDropRate");
    SuperimposedCode deck = deck(1, 1);
    assertThatThrownBy(() -> deck.falseDropRate(0)).hasMessageStartingWith("descriptors = 0");
    assertThatThrownBy(() -> deck.notches(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> deck.add((long[]) null)).hasMessage("descriptors");
  }
}
