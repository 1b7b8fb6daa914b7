package io.bloomery.foreign;

import static io.bloomery.foreign.ForeignSubject.key;
import static io.bloomery.foreign.ForeignSubject.written;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Guava reads what we write and we read what Guava writes; both answer alike. */
final class GuavaFormatTest {

  private static final int KEYS = 3_000;

  @ParameterizedTest
  @EnumSource
  void guavaReadsOurs(GuavaFormat.Strategy strategy) throws IOException {
    ForeignBloomFilter ours = GuavaFormat.of(strategy, 30_000, 6);
    BloomFilter<byte[]> empty = guava(ours, Funnels.byteArrayFunnel());
    for (int i = 0; i < KEYS; i++) {
      assertThat(ours.add(key(i))).isEqualTo(empty.put(key(i)));
    }
    BloomFilter<byte[]> read = guava(ours, Funnels.byteArrayFunnel());
    assertThat(read).isEqualTo(empty);
    assertThat(guavas(read)).isEqualTo(written(ours));
    for (int i = 0; i < 5 * KEYS; i++) {
      assertThat(ours.mightContain(key(i))).isEqualTo(read.mightContain(key(i)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void weReadGuavas(GuavaFormat.Strategy strategy) throws IOException {
    BloomFilter<Long> guava = guava(GuavaFormat.of(strategy, 30_000, 6), Funnels.longFunnel());
    for (long i = 0; i < KEYS; i++) {
      guava.put(i * i - 5);
    }
    ForeignBloomFilter ours = GuavaFormat.FORMAT.read(guavas(guava));
    assertThat(ours.fields()).containsEntry("strategy", strategy.name());
    for (long i = 0; i < 5 * KEYS; i++) {
      assertThat(ours.mightContain(i * i - 5)).isEqualTo(guava.mightContain(i * i - 5));
    }
  }

  @Test
  void textIsWhatTheStringFunnelWrites() throws IOException {
    BloomFilter<CharSequence> guava = BloomFilter.create(Funnels.stringFunnel(UTF_8), KEYS, 0.05);
    ForeignBloomFilter ours = GuavaFormat.create(KEYS, 0.05);
    for (int i = 0; i < KEYS; i++) {
      guava.put("grün-" + i);
      ours.add("grün-" + i);
    }
    assertThat(written(ours)).isEqualTo(guavas(guava));
  }

  @Test
  void createChoosesGuavasSizes() throws IOException {
    SplittableRandom draw = Seeds.random(1);
    for (int trial = 0; trial < 400; trial++) {
      long keys = 1 + (long) Math.pow(10, draw.nextDouble() * 5);
      double rate = Math.pow(10, -draw.nextDouble() * (trial % 10 == 0 ? 70 : 9));
      if (-keys * Math.log(rate) < Math.log(2) * Math.log(2)) { // Guava has no filter of 0 bits
        assertThatThrownBy(() -> BloomFilter.create(Funnels.longFunnel(), keys, rate))
            .hasMessageContaining("0 bits");
        assertThat(GuavaFormat.create(keys, rate).sizeInBits()).isEqualTo(64);
        continue;
      }
      ByteBuffer guava =
          ByteBuffer.wrap(guavas(BloomFilter.create(Funnels.longFunnel(), keys, rate)));
      ByteBuffer ours = ByteBuffer.wrap(written(GuavaFormat.create(keys, rate)));
      assertThat(ours).as("%d keys at %s", keys, rate).isEqualTo(guava);
    }
  }

  @Test
  void sizesThatGuavaHasNotAreRefused() {
    assertThatThrownBy(() -> GuavaFormat.create(1_000_000_000_000L, 0.01))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> GuavaFormat.create(10, 1e-80))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("255");
  }

  private static <T> BloomFilter<T> guava(ForeignFilter ours, Funnel<T> funnel) throws IOException {
    return BloomFilter.readFrom(new ByteArrayInputStream(written(ours)), funnel);
  }

  private static byte[] guavas(BloomFilter<?> filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }
}
