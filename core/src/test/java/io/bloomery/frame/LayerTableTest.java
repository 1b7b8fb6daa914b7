package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.growing.ScalableShape;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Property;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of layers in a scalable filter's file may hold anything, under right checksums. */
final class LayerTableTest {

  private static final int TABLE = 4096;
  private static final int WORDS = 3 * 7;

  private static byte[] sample(ScalableShape.LayerKind kind) {
    ScalableBloomFilter filter =
        ScalableBloomFilter.create(ScalableShape.forKeys(4, 0.2, kind).withGrowth(2));
    for (int i = 0; i < 20; i++) {
      filter.add("key-" + i);
    }
    assertThat(filter.layerCount()).isEqualTo(3);
    return SampleFilters.bytes(filter);
  }

  private static byte[] with(byte[] frame, int word, long value) {
    byte[] changed = frame.clone();
    ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putLong(TABLE + 8 * word, value);
    return FrameBuilder.reseal(changed);
  }

  @ParameterizedTest
  @EnumSource
  void anyNumberInAnyPlace(ScalableShape.LayerKind kind) {
    byte[] sample = sample(kind);
    HostileFrame.check(sample);
    Property.check(
        kind.wireId(),
        Effort.of(1000),
        draw -> {
          byte[] frame = sample;
          for (int change = draw.between(1, 3); change > 0; change--) {
            frame = with(frame, draw.between(0, WORDS - 1), draw.anyLong());
          }
          HostileFrame.check(frame);
          HostileFrame.check(with(sample, draw.between(0, WORDS - 1), draw.between(0L, 600L)));
        });
  }

  @ParameterizedTest
  @EnumSource
  void theDefectIsNamed(ScalableShape.LayerKind kind) {
    byte[] sample = sample(kind);
    assertRefused(with(sample, 7, -1), "layer 1: number = -1 is outside the allowed range 0 … 63");
    assertRefused(with(sample, 14, 0), "layer 2: number = 0 is outside the allowed range 1 … 63");
    assertRefused(with(sample, 8, 0), "layer 1: capacity = 0 is outside");
    assertRefused(with(sample, 2, -5), "layer 0: keys = -5 is outside");
    assertRefused(with(sample, 6, 0), "layer 0: hashesPerKey = 0 is outside");
    assertRefused(with(sample, 3, 600_000), "section 1 has");
  }

  private static void assertRefused(byte[] frame, String message) {
    assertThatThrownBy(
            () ->
                Filters.read(
                    new ByteArrayInputStream(frame),
                    ReadOptions.defaults().withLimit(frame.length)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(message);
  }
}
