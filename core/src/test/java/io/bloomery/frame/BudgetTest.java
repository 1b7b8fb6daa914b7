package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.SampleFilters;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream costs no more than its budget allows, and no more than it delivers deserves. */
class BudgetTest {

  private static final long MIB = 1 << 20;

  static List<FilterKind<?>> kinds() {
    return Filters.kinds();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theBudgetIsTheLengthOfTheFrame(FilterKind<?> kind) throws IOException {
    byte[] frame = SampleFilters.bytes(SampleFilters.of(kind));

    assertThat(Filters.read(new ByteArrayInputStream(frame), frame.length)).isNotNull();
    assertThatThrownBy(() -> Filters.read(new ByteArrayInputStream(frame), frame.length - 1))
        .isInstanceOf(FilterFormatException.class)
        .hasMessage(
            "stream, byte 56: the frame has %d bytes; the budget is %d",
            frame.length, frame.length - 1);
  }

  @Test
  void aBudgetBelowTheHeader() {
    byte[] frame = SampleFilters.bytes(SampleFilters.of(Filters.kind(1)));
    assertThatThrownBy(() -> Filters.read(new ByteArrayInputStream(frame), 0))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("the budget is 0");
    assertThatThrownBy(() -> Filters.read(new ByteArrayInputStream(frame), -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("budgetBytes = -1 is outside the allowed range 0 …");
  }

  @ParameterizedTest
  @ValueSource(longs = {1 << 24, 1 << 27, (1L << 31) - 64})
  void aHeaderThatPromisesMuchCostsLittle(long words) {
    byte[] header =
        new FrameBuilder()
            .number("bits", words * 64)
            .number("probes", 3)
            .number("scheme", 1)
            .header(List.of(words));
    for (int delivered : new int[] {0, 1000, 500_000}) {
      InputStream in =
          new SequenceInputStream(
              new ByteArrayInputStream(header), new ByteArrayInputStream(new byte[delivered]));

      long before = allocated();
      assertThatThrownBy(() -> Filters.read(in, Long.MAX_VALUE))
          .isInstanceOf(FilterFormatException.class)
          .hasMessageContaining("byte " + (4096 + delivered))
          .hasMessageContaining("missing");
      assertThat(allocated() - before).isLessThan(16 * MIB);
    }
  }

  @Test
  void readingAllocatesLittleMoreThanTheFilter() throws IOException {
    BloomFilter filter = BloomFilter.create(BloomShape.of(8 * 24 * MIB, 3));
    filter.add("key");
    byte[] frame = SampleFilters.bytes(filter);

    long before = allocated();
    Filter read = Filters.read(new ByteArrayInputStream(frame), frame.length);
    long cost = allocated() - before;

    assertThat(read.mightContain("key")).isTrue();
    assertThat(cost).isBetween(24 * MIB, 40 * MIB);
  }

  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
