package io.bloomery.frame;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files with right checksums and a field or a word at the edge of what is accepted: they answer,
 * can be added to and cleared, and what is written then opens again.
 */
final class EdgeFieldsTest {

  private static final long BUDGET = 1 << 20;
  private static final double[] REALS = {
    Double.NaN, 0, -0.0, Double.MIN_VALUE, 1e-300, 1e-9, Math.nextDown(1), 1, 1e300, -1
  };

  static List<FilterKind<?>> kinds() {
    return Filters.kinds();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void usedWrittenAndReopened(FilterKind<?> kind) {
    byte[] sample = SampleFilters.bytes(SampleFilters.of(kind));
    for (int at : places(sample)) {
      for (long value : values()) {
        byte[] frame = sample.clone();
        ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putLong(at, value);
        use(kind, FrameBuilder.reseal(frame), at);
      }
    }
  }

  /** All fields, and the first words of the payload, which hold the tables of many kinds. */
  private static List<Integer> places(byte[] frame) {
    List<Integer> places = new ArrayList<>();
    for (int at : FrameBuilder.valueOffsets(frame)) {
      places.add(at);
    }
    ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
    int payload = (int) bytes.getLong(32);
    for (int i = 0; i < 8 && 8L * i < bytes.getLong(40); i++) {
      places.add(payload + 8 * i);
    }
    return places;
  }

  private static List<Long> values() {
    List<Long> values = new ArrayList<>();
    for (int bit = 0; bit < Long.SIZE; bit++) {
      values.add(1L << bit);
      values.add((1L << bit) - 1);
    }
    for (double real : REALS) {
      values.add(Double.doubleToRawLongBits(real));
    }
    return values;
  }

  private static void use(FilterKind<?> kind, byte[] frame, int at) {
    Filter filter;
    try {
      filter = Filters.read(frame, ReadOptions.defaults().withLimit(BUDGET));
    } catch (FilterFormatException e) {
      return;
    }
    try {
      HostileFrame.ask(filter);
      HostileFrame.use(filter);
      HostileFrame.ask(filter);
      HostileFrame.writeAndReopen(filter);
    } catch (RuntimeException | AssertionError e) {
      String hex = HexFormat.of().formatHex(frame, at, at + 8);
      throw new AssertionError("%s: %s at byte %d".formatted(kind, hex, at), e);
    }
  }
}
