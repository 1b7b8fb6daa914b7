package io.bloomery.cli.add;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterFullException;
import io.bloomery.FrequencyFilter;
import io.bloomery.Storable;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.foreign.AddableForeignFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.TypedKeys;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockSink;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.spill.HashStore;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The work of {@code bloom add}: adds keys to a filter and counts those that were new. */
abstract class AddRun implements BlockSink {

  private final Path file;
  private final Reading reading;
  private long keys;
  private long skipped;

  /** The number of keys that were certainly new. */
  final LongAdder fresh = new LongAdder();

  private AddRun(Path file, Reading reading) {
    this.file = file;
    this.reading = reading;
  }

  /** Adds keys to a filter; fails if it takes none. */
  static AddRun to(Path file, Filter filter, Reading reading) {
    if (filter instanceof AddableFilter addable && filter instanceof Storable storable) {
      return new Hashed(file, addable, storable, reading);
    }
    if (filter instanceof AddableForeignFilter foreign) {
      return new ByBytes(file, foreign, reading);
    }
    if (filter instanceof Storable storable) {
      throw new Problem(
          "%s: kind %s takes no more keys; build a new filter of all keys with bloom build"
              .formatted(Octets.name(file), storable.kind().name()));
    }
    String format = filter instanceof ForeignFilter foreign ? foreign.format().name() : "unknown";
    throw new Problem(
        "%s: a filter of format %s takes no more keys; build a new one of all keys"
            .formatted(Octets.name(file), format));
  }

  /** The number of keys read. */
  long keys() {
    return keys;
  }

  /** The number of rows that could not be read. */
  long badRows() {
    return reading.badRows().count();
  }

  /** The number of empty keys skipped. */
  long skipped() {
    return skipped;
  }

  /** Adds a key given on the command line. */
  void key(String text) {
    byte[] typed = Octets.bytes(text);
    byte[] bytes = reading.form().of(typed, 0, typed.length);
    keys++;
    full(() -> add(bytes, 0, bytes.length));
  }

  /** Adds all keys of an input. */
  void read(KeyInput input, Progress progress) {
    full(() -> input.read(reading, this, progress));
  }

  /** The type of the keys. */
  final TypedKeys typed() {
    return reading.keys();
  }

  /** Adds the keys whose adding was deferred. */
  void finish() {}

  /** Adds one key. */
  abstract void add(byte[] bytes, int offset, int length);

  /** Adds the keys of a block, one block at a time. */
  abstract void addAll(Block block);

  @Override
  public boolean take(Block block) {
    addAll(block);
    keys += block.count();
    skipped += block.skipped();
    return true;
  }

  /** Adds keys; fails if the filter refuses one, so that it is not saved. */
  final void full(Runnable adding) {
    try {
      adding.run();
    } catch (FilterFullException e) {
      throw new Problem(
          "%s: is full, and the file is as it was; build a larger filter of all keys with bloom"
                  .formatted(Octets.name(file))
              + " build -n");
    } catch (IllegalStateException e) {
      throw new Problem(
          "%s: %s; the file is as it was".formatted(Octets.name(file), e.getMessage()));
    }
  }

  /** Adds to a filter that takes hashes. */
  private static final class Hashed extends AddRun {
    private final AddableFilter filter;
    private final boolean parallel;

    /** Collects the distinct keys for a kind that would store repeated ones again; else null. */
    private final @Nullable HashStore once;

    Hashed(Path file, AddableFilter filter, Storable storable, Reading reading) {
      super(file, reading);
      this.filter = filter;
      boolean collects =
          !(filter instanceof FrequencyFilter) && FilterChoice.wantsDistinctKeys(storable.kind());
      this.once = collects ? HashStore.temporary(false) : null;
      this.parallel = !collects && FilterChoice.isParallel(storable.kind());
    }

    @Override
    void add(byte[] bytes, int offset, int length) {
      long[] hash = {typed().hash(filter.hasher(), bytes, offset, length)};
      addHashes(hash, 0, 1);
    }

    @Override
    public void prepare(Block block) {
      if (parallel) {
        addNow(block.hashes(), 0, block.count());
      }
    }

    @Override
    void addAll(Block block) {
      if (!parallel) {
        addHashes(block.hashes(), 0, block.count());
      }
    }

    private void addHashes(long[] hashes, int from, int to) {
      if (once == null) {
        addNow(hashes, from, to);
      } else {
        once.add(hashes, from, to);
      }
    }

    private void addNow(long[] hashes, int from, int to) {
      long count = 0;
      for (int i = from; i < to; i++) {
        count += filter.addHash(hashes[i]) ? 1 : 0;
      }
      fresh.add(count);
    }

    @Override
    void finish() {
      HashStore store = once;
      if (store != null) {
        try (store) {
          full(() -> store.forEach(this::addNow));
        }
      }
    }
  }

  /** Adds to a filter of another system, which hashes keys in its own way. */
  private static final class ByBytes extends AddRun {
    private final AddableForeignFilter filter;

    ByBytes(Path file, AddableForeignFilter filter, Reading reading) {
      super(file, reading);
      this.filter = filter;
    }

    @Override
    void add(byte[] bytes, int offset, int length) {
      fresh.add(typed().add(filter, bytes, offset, length) ? 1 : 0);
    }

    @Override
    void addAll(Block block) {
      for (int i = 0; i < block.count(); i++) {
        int start = block.keyStarts()[i];
        try {
          add(block.bytes(), start, block.keyEnds()[i] - start);
        } catch (IllegalArgumentException e) {
          throw Reading.problem(block, i, e);
        }
      }
    }
  }
}
