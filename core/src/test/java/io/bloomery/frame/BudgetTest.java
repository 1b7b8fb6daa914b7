package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.frequency.AdaptiveBloomFilter;
import io.bloomery.frozen.CompressedBloomFilter;
import io.bloomery.frozen.GolombCodedSet;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.testkit.Keys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A stream takes no more memory than its budget allows, and in proportion to the bytes it delivers.
 */
class BudgetTest {

  private static final long MIB = 1 << 20;

  static List<FilterKind<?>> kinds() {
    return Filters.kinds();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theBudgetIsTheLengthOfTheFrame(FilterKind<?> kind) throws IOException {
    byte[] frame = SampleFilters.bytes(SampleFilters.of(kind));

    assertThat(
            Filters.read(
                new ByteArrayInputStream(frame), ReadOptions.defaults().withLimit(frame.length)))
        .isNotNull();
    assertThatThrownBy(
            () ->
                Filters.read(
                    new ByteArrayInputStream(frame),
                    ReadOptions.defaults().withLimit(frame.length - 1)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessage(
            "stream, byte 56: the frame has %d bytes; the budget is %d",
            frame.length, frame.length - 1);
  }

  @Test
  void aBudgetBelowTheHeader() {
    byte[] frame = SampleFilters.bytes(SampleFilters.of(Filters.kind(1)));
    assertThatThrownBy(
            () ->
                Filters.read(new ByteArrayInputStream(frame), ReadOptions.defaults().withLimit(0)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("the budget is 0");
    assertThatThrownBy(
            () ->
                Filters.read(new ByteArrayInputStream(frame), ReadOptions.defaults().withLimit(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limitBytes = -1 is outside the allowed range 0 …");
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
      assertThatThrownBy(() -> Filters.read(in, ReadOptions.defaults().withLimit(Long.MAX_VALUE)))
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
    Filter read =
        Filters.read(
            new ByteArrayInputStream(frame), ReadOptions.defaults().withLimit(frame.length));
    long cost = allocated() - before;

    assertThat(read.mightContain("key")).isTrue();
    assertThat(cost).isBetween(24 * MIB, 40 * MIB);
  }

  /** A file of 4 KiB that promises the largest filter there is. */
  @Test
  void aForgedCompressedFilterIsBeyondTheHeap(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("forged.bloom");
    byte[] frame = SampleFilters.bytes(SampleFilters.of(CompressedBloomFilter.KIND));
    ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(FrameBuilder.valueOffsets(frame)[0], Shape.MAX_BITS);
    Files.write(file, FrameBuilder.reseal(frame));
    for (ThrowingCallable reader :
        List.<ThrowingCallable>of(() -> Filters.open(file), () -> Filters.map(file))) {
      long before = allocated();
      assertThatThrownBy(reader)
          .isInstanceOf(FilterFormatException.class)
          .hasMessageContaining("the budget is " + Runtime.getRuntime().maxMemory() / 4 * 3);
      assertThat(allocated() - before).isLessThan(16 * MIB);
    }
  }

  @Test
  void filesHaveBudgetsToo(@TempDir Path directory) throws IOException {
    BloomFilter filter = BloomFilter.create(BloomShape.of(MIB, 3));
    Path file = directory.resolve("a.bloom");
    filter.writeTo(file);
    long length = Files.size(file);
    assertThat(
            Filters.open(file, ReadOptions.defaults().withHasher(Hasher.xxh3()).withLimit(length)))
        .isInstanceOf(BloomFilter.class);
    assertThatThrownBy(
            () ->
                Filters.open(
                    file, ReadOptions.defaults().withHasher(Hasher.xxh3()).withLimit(length - 1)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("the frame has " + length + " bytes; the budget is " + (length - 1));
    assertThat(Filters.map(file, ReadOptions.defaults().withHasher(Hasher.xxh3()).withLimit(0)))
        .isInstanceOf(BloomFilter.class);
    assertThatThrownBy(
            () -> Filters.map(file, ReadOptions.defaults().withHasher(Hasher.xxh3()).withLimit(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limitBytes = -1");
  }

  /** The next key would need a layer of a terabyte. */
  @Test
  void aForgedScalableFilterDoesNotGrow() {
    ScalableBloomFilter filter = ScalableBloomFilter.create(100, 0.01);
    filter.addHashes(Keys.members(100), 0, 100);
    byte[] frame = SampleFilters.bytes(filter);
    ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(FrameBuilder.valueOffsets(frame)[0], 1L << 31);
    byte[] forged = FrameBuilder.reseal(frame);
    assertThatThrownBy(
            () ->
                Filters.read(
                    new ByteArrayInputStream(forged),
                    ReadOptions.defaults().withLimit(forged.length)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("and the next would have");
  }

  /** It has one small layer, and clear() would open one of 2^33 bits. */
  @Test
  void aForgedScalableFilterIsNotClearedToAnother() {
    ScalableBloomFilter filter = ScalableBloomFilter.create(100, 0.01);
    byte[] frame = SampleFilters.bytes(filter);
    ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(FrameBuilder.valueOffsets(frame)[0], Shape.MAX_KEYS);
    byte[] forged = FrameBuilder.reseal(frame);
    assertThatThrownBy(() -> Filters.read(forged)).isInstanceOf(FilterFormatException.class);
  }

  @Test
  void aForgedScanEndsWithTheBits() {
    byte[] frame = SampleFilters.bytes(SampleFilters.of(AdaptiveBloomFilter.KIND));
    ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(FrameBuilder.valueOffsets(frame)[2], 1L << 30);
    byte[] forged = FrameBuilder.reseal(frame);
    assertThatThrownBy(
            () ->
                Filters.read(
                    new ByteArrayInputStream(forged),
                    ReadOptions.defaults().withLimit(forged.length)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("1073741824");
  }

  /** Codes of nothing but zeros: unary numbers that never end. */
  @Test
  void aForgedMappedGolombSetSaysSo(@TempDir Path directory) throws IOException {
    GolombCodedSet set = GolombCodedSet.ofBip158Hashes(Keys.members(1_000), 6, 100, Hasher.xxh3());
    byte[] frame = SampleFilters.bytes(set);
    Arrays.fill(frame, 4096, frame.length, (byte) 0);
    Path file = Files.write(directory.resolve("forged.bloom"), FrameBuilder.reseal(frame));
    GolombCodedSet mapped = Filters.map(file, ReadOptions.as(GolombCodedSet.class));
    assertThat(mapped.mightContain("key")).isFalse();
    for (ThrowingCallable use :
        List.<ThrowingCallable>of(
            mapped::toBip158,
            () -> mapped.withHashes(Keys.outsiders(10)),
            () -> mapped.withoutHashes(Keys.outsiders(10)),
            () -> set.union(mapped))) {
      assertThatThrownBy(use)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the mapped file is damaged: its codes do not make 1000 entries");
    }
  }

  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
