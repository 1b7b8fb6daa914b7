package io.bloomery.frame;

import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.SampleFilters;
import io.bloomery.testkit.Draw;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Property;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Fields of any value, under right checksums: no decoder trusts what it reads. */
class HostileFieldsTest {

  private static final long[] EDGES = {
    0,
    1,
    2,
    3,
    7,
    8,
    63,
    64,
    65,
    127,
    128,
    255,
    256,
    511,
    512,
    513,
    1 << 16,
    Integer.MAX_VALUE,
    1L << 31,
    1L << 32,
    1L << 40,
    1L << 56,
    Long.MAX_VALUE,
    -1,
    -2,
    Integer.MIN_VALUE,
    Long.MIN_VALUE
  };

  static List<FilterKind<?>> kinds() {
    return Filters.kinds();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void eachFieldAtEveryEdge(FilterKind<?> kind) {
    byte[] sample = SampleFilters.bytes(SampleFilters.of(kind));
    for (int at : FrameBuilder.valueOffsets(sample)) {
      long original = little(sample).getLong(at);
      for (long edge : EDGES) {
        checkWith(sample, at, edge);
        checkWith(sample, at, original + edge);
        checkWith(sample, at, original ^ edge);
      }
      for (double edge : new double[] {0.0, -0.0, 0.5, 1, 2, 1e-300, 1e300, Double.NaN}) {
        checkWith(sample, at, Double.doubleToRawLongBits(edge));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void severalFieldsAtOnce(FilterKind<?> kind) {
    byte[] sample = SampleFilters.bytes(SampleFilters.of(kind));
    int[] offsets = FrameBuilder.valueOffsets(sample);
    Property.check(
        kind.id(),
        Effort.of(1000),
        draw -> {
          byte[] frame = sample.clone();
          for (int at : offsets) {
            little(frame).putLong(at, value(draw, little(sample).getLong(at)));
          }
          HostileFrame.check(FrameBuilder.reseal(frame));
        });
  }

  /** The value itself, a neighbour, or anything. */
  private static long value(Draw draw, long original) {
    return switch (draw.between(0, 3)) {
      case 0 -> original;
      case 1 -> original + draw.between(-3, 3);
      case 2 -> draw.between(0L, 1000L);
      default -> draw.anyLong();
    };
  }

  private static void checkWith(byte[] sample, int at, long value) {
    byte[] frame = sample.clone();
    little(frame).putLong(at, value);
    HostileFrame.check(FrameBuilder.reseal(frame));
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
