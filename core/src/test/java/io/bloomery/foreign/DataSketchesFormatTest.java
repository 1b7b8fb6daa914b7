package io.bloomery.foreign;

import static io.bloomery.foreign.ForeignSubject.key;
import static io.bloomery.foreign.ForeignSubject.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.datasketches.memory.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnJre;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** DataSketches reads what we write and we read what it writes; both answer alike. */
final class DataSketchesFormatTest {

  private static final int KEYS = 3_000;
  private static final String LIBRARY = "datasketches-memory 3 refuses other versions of Java";

  @Test
  @EnabledOnJre(
      value = {JRE.JAVA_17, JRE.JAVA_21},
      disabledReason = LIBRARY)
  void dataSketchesReadsOurs() throws IOException {
    ForeignBloomFilter ours = DataSketchesFormat.of(30_000, 6, -5);
    BloomFilter theirs = BloomFilterBuilder.createBySize(30_000, 6, -5);
    for (int i = 0; i < KEYS; i++) {
      assertThat(ours.add(key(i))).isEqualTo(!theirs.queryAndUpdate(key(i)));
    }
    assertThat(uncounted(written(ours))).isEqualTo(uncounted(theirs.toByteArray()));
    BloomFilter read = BloomFilter.heapify(Memory.wrap(written(ours)));
    for (int i = 0; i < 5 * KEYS; i++) {
      assertThat(ours.mightContain(key(i))).isEqualTo(read.query(key(i)));
    }
  }

  @Test
  @EnabledOnJre(
      value = {JRE.JAVA_17, JRE.JAVA_21},
      disabledReason = LIBRARY)
  void weReadDataSketches() throws IOException {
    BloomFilter theirs = BloomFilterBuilder.createByAccuracy(2 * KEYS, 0.02, 99);
    for (int i = 0; i < KEYS; i++) {
      theirs.update("größe " + i);
      theirs.update(i * -7L);
    }
    ForeignBloomFilter ours = DataSketchesFormat.FORMAT.read(theirs.toByteArray());
    assertThat(ours.bitsSet()).isEqualTo(theirs.getBitsUsed());
    for (int i = 0; i < 5 * KEYS; i++) {
      String text = "größe " + i;
      assertThat(ours.mightContain(text)).isEqualTo(theirs.query(text));
      assertThat(ours.mightContain(i * -7L)).isEqualTo(theirs.query(i * -7L));
    }
  }

  @Test
  @EnabledOnJre(
      value = {JRE.JAVA_17, JRE.JAVA_21},
      disabledReason = LIBRARY)
  void createChoosesTheirSizes() throws IOException {
    SplittableRandom draw = Seeds.random(3);
    for (int trial = 0; trial < 300; trial++) {
      long keys = 1 + (long) Math.pow(10, draw.nextDouble() * 6);
      double rate = Math.pow(10, -draw.nextDouble() * 9);
      byte[] theirs = BloomFilterBuilder.createByAccuracy(keys, rate, trial).toByteArray();
      assertThat(written(DataSketchesFormat.create(keys, rate, trial)))
          .as("%d keys at %s", keys, rate)
          .isEqualTo(theirs);
    }
  }

  @Test
  @EnabledOnJre(
      value = {JRE.JAVA_17, JRE.JAVA_21},
      disabledReason = LIBRARY)
  void anEmptyFilterIsItsPreamble(@TempDir Path directory) throws IOException {
    byte[] bytes = ForeignSubject.resource("/foreign/datasketches/empty-seed1.sk");
    Path file = directory.resolve("empty.sk");
    Files.write(file, bytes);
    ForeignBloomFilter filter = (ForeignBloomFilter) Filters.open(file);
    assertThat(filter.fields()).containsEntry("bits", 1024L).containsEntry("seed", 1L);
    assertThat(filter.mightContain("anything")).isFalse();
    assertThat(filter.falsePositiveRate()).isZero();
    assertThat(written(filter)).isEqualTo(bytes);
    assertThat(filter.storedBytes()).isEqualTo(bytes.length);

    BloomFilter theirs = BloomFilter.heapify(Memory.wrap(bytes));
    theirs.update("something");
    assertThat(filter.add("something")).isTrue();
    assertThat(written(filter)).isEqualTo(theirs.toByteArray());

    ForeignBloomFilter other = DataSketchesFormat.FORMAT.read(bytes);
    other.merge(DataSketchesFormat.FORMAT.read(bytes));
    assertThat(written(other)).isEqualTo(bytes);
    other.merge(filter);
    assertThat(written(other)).isEqualTo(written(filter));
  }

  @Test
  void anEmptyFilterOfAnySizeTakesNoMemory() throws IOException {
    byte[] bytes = ForeignSubject.resource("/foreign/datasketches/empty-seed1.sk");
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(16, 1 << 26);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    ForeignBloomFilter filter = DataSketchesFormat.FORMAT.read(bytes);
    assertThat(filter.mightContain("a key")).isFalse();
    long taken = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    assertThat(filter.sizeInBits()).isEqualTo(1L << 32);
    assertThat(taken).isLessThan(1 << 20);
  }

  /** The library's sums of the bits' numbers are cut to 32 bits above that. */
  @Test
  void moreThanTwoToThe32BitsAreRefused() {
    byte[] bytes = ForeignSubject.resource("/foreign/datasketches/empty-seed1.sk");
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(16, (1 << 26) + 1);
    assertThatThrownBy(() -> DataSketchesFormat.FORMAT.read(bytes))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("67108865");
    assertThatThrownBy(() -> DataSketchesFormat.create(1_000_000_000, 0.01, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4294967296");
  }

  @Test
  void theCountOfSetBitsIsKeptAndChecked() throws IOException {
    byte[] bytes =
        ForeignSubject.resource("/foreign/datasketches/long-1000-16384bits-5h-seed9001.sk");
    assertThat(bytes).isEqualTo(uncounted(bytes));
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(24, 4303);
    ForeignBloomFilter counted = DataSketchesFormat.FORMAT.read(bytes);
    assertThat(written(counted)).isEqualTo(bytes);
    counted.merge(DataSketchesFormat.FORMAT.read(uncounted(bytes)));
    assertThat(written(counted)).isEqualTo(bytes);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(24, 4302);
    assertThatThrownBy(() -> DataSketchesFormat.FORMAT.read(bytes))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("4303 bits are set, but the header counts 4302");
  }

  private static byte[] uncounted(byte[] bytes) {
    byte[] copy = bytes.clone();
    ByteBuffer.wrap(copy).putLong(24, -1);
    return copy;
  }
}
