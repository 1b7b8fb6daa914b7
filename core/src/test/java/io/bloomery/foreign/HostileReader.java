package io.bloomery.foreign;

import com.sun.management.ThreadMXBean;
import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterFullException;
import io.bloomery.Filters;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Intersectable;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.foreign.bitcoin.Bip37Format;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.parquet.ParquetFile;
import io.bloomery.foreign.redis.RedisBloomFilter;
import io.bloomery.foreign.redis.RedisCuckooFilter;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.frame.FrameBuilder;
import io.bloomery.frozen.CompressedBloomFilter;
import io.bloomery.frozen.CompressedShape;
import io.bloomery.frozen.FilterDelta;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * A reader of untrusted bytes, and what must hold for all of them: they are refused with a reason,
 * or yield a filter that answers and whose own bytes are read back to the same bytes; reading takes
 * no more memory than a constant plus a few times the bytes.
 *
 * @param name the format's name, or what else is read
 * @param samples sound bytes
 * @param seal makes checksums right again, so that damage reaches what is behind them
 * @param overhead memory that reading may take whatever the bytes are
 * @param reading reads
 */
record HostileReader(
    String name, List<byte[]> samples, UnaryOperator<byte[]> seal, long overhead, Reading reading) {

  /** Reads bytes and returns what writes the result. */
  @FunctionalInterface
  interface Reading {
    /**
     * Reads.
     *
     * @throws FilterFormatException if the bytes are refused
     */
    Writing read(byte[] bytes) throws IOException;
  }

  /** Asks a filter and writes it. */
  @FunctionalInterface
  interface Writing {
    byte[] write() throws IOException;
  }

  private static final int MEMORY_FACTOR = 16;
  private static final long FOREIGN_OVERHEAD = 2 << 20;
  private static final long FOREIGN_BUDGET = 1 << 18;
  private static final int ADDS = 5;
  private static final int FRAME_BUDGET = 1 << 20;
  private static final long FRAME_OVERHEAD = 16 << 20;
  private static final int DELTA_HEADER = 64;
  private static final int MESSAGE_HEADER = 36;
  private static final int SAMPLES = 3;
  private static final List<String> PARQUET =
      List.of(
          "/foreign/parquet/data_index_bloom_encoding_stats.parquet",
          "/foreign/parquet/data_index_bloom_encoding_with_length.parquet");

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** All readers; a new foreign format or kind is among them by being registered. */
  static List<HostileReader> all() {
    List<HostileReader> readers = new ArrayList<>();
    readers.add(frames());
    readers.add(deltas());
    readers.add(messages());
    readers.add(transactions());
    List<ForeignSubject> subjects = ForeignSubject.all().toList();
    List<HostileReader> foreign =
        ForeignFormats.all().stream().map(format -> foreign(format, subjects)).toList();
    readers.addAll(foreign);
    readers.add(recognition(foreign));
    return readers;
  }

  /** Which foreign formats bytes fit; those that fit are read. */
  private static HostileReader recognition(List<HostileReader> readers) {
    List<byte[]> samples = readers.stream().map(reader -> reader.samples.get(0)).toList();
    return new HostileReader(
        "recognition",
        samples,
        bytes -> bytes,
        readers.size() * FOREIGN_OVERHEAD,
        bytes -> {
          for (ForeignFormat<?> format : ForeignFormats.all()) {
            ForeignBytes in = ForeignBytes.of(bytes);
            if (format.layout().matches(in)) {
              ask(format.layout().read(in), bytes);
            }
          }
          return () -> bytes;
        });
  }

  /** Frames of every kind. */
  private static HostileReader frames() {
    List<byte[]> samples =
        Filters.kinds().stream().map(kind -> SampleFilters.bytes(SampleFilters.of(kind))).toList();
    return new HostileReader(
        "native",
        samples,
        FrameBuilder::reseal,
        FRAME_BUDGET + FRAME_BUDGET / 8 + FRAME_OVERHEAD,
        bytes -> {
          Filter filter =
              Filters.read(
                  new ByteArrayInputStream(bytes), ReadOptions.defaults().withLimit(FRAME_BUDGET));
          return () -> {
            ask(filter);
            byte[] written = SampleFilters.bytes(filter);
            require(Arrays.equals(written, Arrays.copyOf(bytes, written.length)), "other bytes");
            return written;
          };
        });
  }

  private static HostileReader deltas() {
    BloomFilter base = BloomFilter.create(BloomShape.of(2000, 3));
    BloomFilter more = BloomFilter.create(BloomShape.of(2000, 3));
    for (int i = 0; i < 100; i++) {
      base.add(i);
      more.add(3L * i);
    }
    more.merge(base);
    long budget = base.storedBytes();
    return new HostileReader(
        "delta",
        List.of(
            FilterDelta.between(base, 1, more, 2).toBytes(), FilterDelta.whole(base, 4).toBytes()),
        bytes -> sealed(bytes, DELTA_HEADER),
        10 * budget + (1 << 20),
        bytes -> {
          FilterDelta delta = FilterDelta.read(bytes, budget);
          ask(delta.applyTo(base));
          return delta::toBytes;
        });
  }

  private static HostileReader messages() {
    CompressedBloomFilter filter = CompressedBloomFilter.create(CompressedShape.of(1, 4000, 2));
    for (int i = 0; i < 50; i++) {
      filter.add(i);
    }
    return new HostileReader(
        "message",
        List.of(
            filter.toMessage(),
            CompressedBloomFilter.create(CompressedShape.of(1, 300, 1)).toMessage()),
        bytes -> sealed(bytes, MESSAGE_HEADER),
        2 << 20,
        bytes -> {
          CompressedBloomFilter read =
              CompressedBloomFilter.ofMessage(bytes, 1 << 16, Hasher.xxh3());
          return () -> {
            ask(read);
            return read.toMessage();
          };
        });
  }

  private static HostileReader transactions() {
    Object facts = Json.resource("/foreign/bitcoin/bip37.json");
    Map<?, ?> matching = (Map<?, ?>) ((Map<?, ?>) facts).get("transaction_matching");
    return new HostileReader(
        "bitcoin transaction",
        List.of(
            BitcoinSubjects.hex(matching.get("tx")),
            BitcoinSubjects.hex(matching.get("spending_tx"))),
        bytes -> bytes,
        FOREIGN_OVERHEAD,
        bytes -> {
          Bip37Format.isRelevantAndUpdate(
              Bip37Format.create(10, 1e-6, 0, Bip37Format.Update.P2PUBKEY_ONLY), bytes);
          return () -> bytes;
        });
  }

  /** Any foreign format; its shortest files are the samples. */
  private static HostileReader foreign(ForeignFormat<?> format, List<ForeignSubject> subjects) {
    Stream<byte[]> files =
        format == ParquetFile.FORMAT
            ? PARQUET.stream().map(ForeignSubject::resource)
            : Stream.concat(
                Envelopes.all().getOrDefault(format, List.of()).stream()
                    .map(Envelopes.Sample::bytes),
                subjects.stream()
                    .filter(each -> each.format() == format)
                    .map(ForeignSubject::bytes));
    boolean dump = format == RedisBloomFilter.DUMP || format == RedisCuckooFilter.DUMP;
    return new HostileReader(
        format.name(),
        files.sorted(Comparator.comparingInt(bytes -> bytes.length)).limit(SAMPLES).toList(),
        bytes -> dump ? Envelopes.sealed(bytes) : bytes,
        FOREIGN_OVERHEAD,
        bytes -> {
          ForeignFilter filter = format.read(bytes, FOREIGN_BUDGET);
          return () -> {
            ask(filter, bytes);
            require(!filter.fields().isEmpty(), "no fields");
            byte[] written = written(filter);
            require(written.length == filter.storedBytes(), "another length than storedBytes");
            add(filter, bytes.length);
            if (filter.format() == format) {
              return written;
            }
            // A part of a larger file, which is written by itself.
            ForeignFilter again = filter.format().read(written);
            require(Arrays.equals(written(again), written), "a part is read as another filter");
            return bytes;
          };
        });
  }

  /** Adds allocate what the bytes explain, and what the budget allows beyond them. */
  private static void add(ForeignFilter filter, int length) {
    if (filter instanceof AddableForeignFilter addable) {
      long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
      try {
        for (long key = 0; key < ADDS; key++) {
          addable.add("eight-b" + key);
        }
      } catch (FilterFullException | IllegalArgumentException e) {
        require(!e.getMessage().isEmpty(), "no reason is given");
      }
      long taken = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
      require(
          taken < FOREIGN_OVERHEAD + ADDS * FOREIGN_BUDGET + (long) MEMORY_FACTOR * length,
          "adds to a filter of " + length + " bytes allocated " + taken);
    }
  }

  private static byte[] written(ForeignFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  /** Hive's rate is measured by half a million draws: it is asked of one file in 128. */
  private static void ask(ForeignFilter filter, byte[] bytes) {
    query(filter);
    if (filter.format() != HiveFormat.FORMAT || (Arrays.hashCode(bytes) & 127) == 0) {
      askRate(filter);
    }
  }

  private static void ask(Filter filter) {
    query(filter);
    askRate(filter);
  }

  private static void askRate(Filter filter) {
    double rate = filter.falsePositiveRate();
    if (!(rate >= 0 && rate <= 1)) {
      throw new AssertionError("a rate of " + rate);
    }
  }

  private static void query(Filter filter) {
    filter.mightContain(0L);
    filter.mightContain("eight-by"); // some systems take keys of 8 bytes only
    require(filter.sizeInBits() >= 0, "a negative size");
    if (filter instanceof Intersectable<?> counted) {
      require(counted.fillRatio() >= 0 && counted.fillRatio() <= 1, "a fill beyond 0…1");
      require(counted.cardinality() >= 0, "a negative number of keys");
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  /** Writes the CRC32C of all bytes but the last four of the header there. */
  private static byte[] sealed(byte[] bytes, int header) {
    if (bytes.length >= header) {
      CRC32C crc = new CRC32C();
      crc.update(bytes, 0, header - Integer.BYTES);
      crc.update(bytes, header, bytes.length - header);
      ByteBuffer.wrap(bytes)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt(header - Integer.BYTES, (int) crc.getValue());
    }
    return bytes;
  }

  /**
   * Loads the classes of reader and writer: a fuzzer's agent rewrites them where it is measured.
   */
  void warmUp() {
    try {
      for (byte[] sample : samples) {
        read(Arrays.copyOf(sample, sample.length / 2));
        read(sample.clone()).write();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Checks what must hold.
   *
   * @return whether the bytes were read
   */
  boolean check(byte[] bytes) {
    try {
      long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
      Writing filter = read(bytes);
      long taken = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
      if (taken > overhead + (long) MEMORY_FACTOR * bytes.length) {
        throw new AssertionError(taken + " bytes were allocated");
      }
      if (filter == null) {
        return false;
      }
      byte[] written = filter.write();
      Writing again = read(written);
      require(again != null, "what was written is refused");
      require(Arrays.equals(again.write(), written), "what was written is read as another filter");
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Writing read(byte[] bytes) throws IOException {
    try {
      return reading.read(bytes);
    } catch (FilterFormatException | IncompatibleFiltersException e) {
      require(!e.getMessage().isEmpty(), "no reason is given");
      return null;
    } catch (EOFException e) {
      require(bytes.length == 0, "the bytes are called empty");
      return null;
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
