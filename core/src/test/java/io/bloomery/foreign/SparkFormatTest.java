package io.bloomery.foreign;

import static io.bloomery.foreign.ForeignSubject.key;
import static io.bloomery.foreign.ForeignSubject.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.util.sketch.BloomFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Spark reads what we write and we read what Spark writes; both answer alike. */
final class SparkFormatTest {

  private static final int KEYS = 3_000;

  static Stream<ForeignBloomFilter> filters() {
    return Stream.of(
        SparkFormat.of(SparkFormat.Version.V1, 30_000, 6, 0),
        SparkFormat.of(SparkFormat.Version.V2, 30_000, 6, 0),
        SparkFormat.of(SparkFormat.Version.V2, 25_000, 3, -77));
  }

  @ParameterizedTest
  @MethodSource("filters")
  void sparkReadsOurs(ForeignBloomFilter ours) throws IOException {
    BloomFilter empty = BloomFilter.readFrom(written(ours));
    for (int i = 0; i < KEYS; i++) {
      assertThat(ours.add(key(i))).isEqualTo(empty.putBinary(key(i)));
    }
    BloomFilter read = BloomFilter.readFrom(written(ours));
    assertThat(read).isEqualTo(empty);
    assertThat(sparks(read)).isEqualTo(written(ours));
    for (int i = 0; i < 5 * KEYS; i++) {
      assertThat(ours.mightContain(key(i))).isEqualTo(read.mightContainBinary(key(i)));
    }
  }

  @ParameterizedTest
  @MethodSource("filters")
  void weReadSparks(ForeignBloomFilter empty) throws IOException {
    BloomFilter spark = BloomFilter.readFrom(written(empty));
    for (int i = 0; i < KEYS; i++) {
      spark.putString("größe " + i);
      spark.putLong(i * -7L);
    }
    ForeignBloomFilter ours = SparkFormat.FORMAT.read(sparks(spark));
    assertThat(ours.fields()).isEqualTo(empty.fields());
    for (int i = 0; i < 5 * KEYS; i++) {
      String text = "größe " + i;
      assertThat(ours.mightContain(text)).isEqualTo(spark.mightContainString(text));
      assertThat(ours.mightContain(i * -7L)).isEqualTo(spark.mightContainLong(i * -7L));
    }
  }

  @Test
  void createChoosesSparksSizes() throws IOException {
    SplittableRandom draw = Seeds.random(2);
    for (int trial = 0; trial < 300; trial++) {
      long keys = 2 + (long) Math.pow(10, draw.nextDouble() * 5);
      double rate = 0.5 * Math.pow(10, -draw.nextDouble() * 9);
      assertThat(written(SparkFormat.create(keys, rate)))
          .as("%d keys at %s", keys, rate)
          .isEqualTo(sparks(BloomFilter.create(keys, rate)));
    }
  }

  @Test
  void seedsAndVersionsDoNotMerge() {
    ForeignBloomFilter filter = SparkFormat.of(SparkFormat.Version.V2, 640, 3, 1);
    assertThatThrownBy(() -> filter.merge(SparkFormat.of(SparkFormat.Version.V2, 640, 3, 2)))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("seed");
    assertThatThrownBy(() -> SparkFormat.of(SparkFormat.Version.V1, 640, 3, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("seed");
  }

  private static byte[] sparks(BloomFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }
}
