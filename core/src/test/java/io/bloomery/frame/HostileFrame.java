package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.bloomery.AddableFilter;
import io.bloomery.CardinalityFilter;
import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.HashedFilter;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.LookupFilter;
import io.bloomery.Mergeable;
import io.bloomery.ReadOptions;
import io.bloomery.RemovableFilter;
import io.bloomery.SampleFilters;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/** What must hold for untrusted bytes. */
final class HostileFrame {

  private static final long BUDGET = 1 << 20;

  /** Room for messages, stack traces and tables of a fixed size. */
  private static final long OVERHEAD = 16 << 20;

  /** A growing filter may take up to this many times the size of its file. */
  private static final long MOST_GROWTH = 150;

  private static final int ADDS = 20;

  // Loads the classes of every kind first: a fuzzer's agent rewrites them in the loading thread.
  static {
    for (FilterKind<?> kind : Filters.kinds()) {
      byte[] sample = SampleFilters.bytes(SampleFilters.of(kind));
      try {
        assertThat(
                Filters.read(
                    new ByteArrayInputStream(sample),
                    ReadOptions.defaults().withLimit(sample.length)))
            .isNotNull();
        Filters.read(
            new ByteArrayInputStream(sample, 0, 4000),
            ReadOptions.defaults().withLimit(sample.length));
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("byte ");
      }
    }
  }

  private HostileFrame() {}

  /**
   * Either the frame is refused with a reason, or it is a filter that answers and that is written
   * as the same bytes again. Neither costs more memory than the budget allows.
   */
  static void check(byte[] bytes) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    Filter filter = null;
    try {
      filter =
          Filters.read(new ByteArrayInputStream(bytes), ReadOptions.defaults().withLimit(BUDGET));
    } catch (FilterFormatException e) {
      require(e.getMessage().startsWith("stream, byte "), e.getMessage());
    } catch (EOFException e) {
      require(bytes.length == 0, "bytes that are called empty");
    } catch (IOException e) {
      throw new AssertionError("an array cannot fail", e);
    }
    long read = threads.getThreadAllocatedBytes(thread) - before;
    require(read < BUDGET + BUDGET / 8 + OVERHEAD, "reading that takes too much memory");
    if (filter != null) {
      byte[] again = SampleFilters.bytes(filter);
      require(Arrays.equals(again, undescribed(bytes, again)), "other bytes");
      ask(filter);
      use(filter);
      require(
          threads.getThreadAllocatedBytes(thread) - before
              < BUDGET + OVERHEAD + MOST_GROWTH * bytes.length,
          "use that takes too much memory");
    }
  }

  /** An assertion for the loops of fuzzers. */
  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private static boolean isShare(double value) {
    return value >= 0 && value <= 1;
  }

  /** Queries end. */
  static void ask(Filter filter) {
    filter.mightContain("key-0");
    filter.mightContain(0L);
    require(isShare(filter.falsePositiveRate()), "a rate beyond 0…1");
    require(filter.sizeInBits() >= 0, "a negative size");
    if (filter instanceof FrequencyFilter counts) {
      counts.count("key-0");
    }
    if (filter instanceof LookupFilter map) {
      map.get("key-0");
    }
    if (filter instanceof CardinalityFilter cells) {
      require(isShare(cells.fillRatio()), "a fill beyond 0…1");
      require(!Double.isNaN(cells.cardinality()), "no number of keys");
    }
  }

  /** Changes end, and either work or say why not: full, or a key that was removed for good. */
  static void use(Filter filter) {
    try {
      if (filter instanceof AddableFilter keys) {
        for (int i = 0; i < ADDS; i++) {
          keys.add(i);
        }
      }
      if (filter instanceof RemovableFilter keys) {
        keys.remove(0L);
      }
    } catch (IllegalStateException e) {
      require(!e.getMessage().isEmpty(), "no reason is given");
    }
  }

  /** What was written after changes opens again, with the same answers. */
  static void writeAndReopen(Filter filter) {
    Filter again;
    try {
      again = Filters.read(SampleFilters.bytes(filter), reading(filter));
    } catch (FilterFormatException e) {
      throw new AssertionError("written after use, and refused: " + e.getMessage(), e);
    }
    ask(again);
    for (int i = 0; i < ADDS; i++) {
      require(again.mightContain(i) == filter.mightContain(i), "another answer after reopening");
    }
    if (filter instanceof FrequencyFilter counts && again instanceof FrequencyFilter same) {
      for (int i = 0; i < ADDS; i++) {
        require(same.count(i) == counts.count(i), "another count after reopening");
      }
    }
  }

  /**
   * Merging and clearing end, where a kind has them, and leave a filter that opens again: with
   * itself, with a filter of the same bytes and more keys, with a sound one in both directions.
   *
   * @param opened a filter of {@code bytes}, for its hasher
   * @param sound bytes of a sound filter of the same kind
   * @return whether anything was merged or cleared
   */
  static boolean mergeAndClear(Filter opened, byte[] bytes, byte[] sound) throws IOException {
    boolean done = false;
    if (opened instanceof Mergeable<?>) {
      Filter filter = Filters.read(bytes, reading(opened));
      merge(filter, filter);
      require(Arrays.equals(SampleFilters.bytes(filter), bytes), "changed by itself");
      Filter used = Filters.read(bytes, reading(opened));
      use(used);
      merge(filter, used);
      merge(filter, Filters.read(sound));
      merge(Filters.read(sound), filter);
      done = true;
    }
    Optional<Method> clear =
        Arrays.stream(opened.getClass().getMethods())
            .filter(method -> method.getName().equals("clear") && method.getParameterCount() == 0)
            .findFirst();
    if (clear.isPresent()) {
      Filter filter = Filters.read(bytes, reading(opened));
      try {
        clear.get().invoke(filter);
      } catch (IllegalAccessException e) {
        throw new LinkageError("clear of " + opened.getClass(), e);
      } catch (InvocationTargetException e) {
        throw new AssertionError("clear: " + e.getCause(), e);
      }
      for (int i = 0; i < ADDS; i++) {
        require(!filter.mightContain(i), "a key after clearing");
      }
      writeAndReopen(filter);
      use(filter);
      writeAndReopen(filter);
      done = true;
    }
    return done;
  }

  /** All keys of both are in the first, unless they do not fit or the shapes differ. */
  @SuppressWarnings("unchecked") // both are of one kind
  private static void merge(Filter into, Filter other) {
    Mergeable<Filter> merged = (Mergeable<Filter>) into;
    boolean[] before = new boolean[ADDS];
    for (int i = 0; i < ADDS; i++) {
      before[i] = into.mightContain(i);
    }
    boolean fits = merged.isCompatible(other);
    boolean whole = false;
    try {
      merged.merge(other);
      require(fits, "merged, and said to be incompatible");
      whole = true;
    } catch (IncompatibleFiltersException e) {
      require(!fits, "said to be compatible, and not merged");
    } catch (IllegalStateException e) {
      require(!e.getMessage().isEmpty(), "no reason is given");
    }
    for (int i = 0; i < ADDS; i++) {
      require(
          into.mightContain(i) || !(before[i] || (whole && other.mightContain(i))),
          "a key that was lost by merging");
    }
    ask(into);
    writeAndReopen(into);
  }

  private static ReadOptions<Filter> reading(Filter filter) {
    return filter instanceof HashedFilter hashed
        ? ReadOptions.defaults().withHasher(hashed.hasher())
        : ReadOptions.defaults();
  }

  /** The frame without its description, if it has one: the rest is as a filter is written. */
  private static byte[] undescribed(byte[] bytes, byte[] written) {
    ByteBuffer frame = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (frame.getShort(8) == 1) {
      return Arrays.copyOf(bytes, written.length);
    }
    int header = (int) ByteBuffer.wrap(written).order(ByteOrder.LITTLE_ENDIAN).getLong(32);
    byte[] plain = Arrays.copyOf(written, written.length);
    System.arraycopy(bytes, (int) frame.getLong(32), plain, header, written.length - header);
    return plain;
  }
}
