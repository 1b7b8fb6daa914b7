package io.bloomery.security.replay;

import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.ReadOptions;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Two filters, of an interval of time and of the one before it, and one more while another node is
 * ahead: it has that node's ids of the next interval. The intervals, called epochs, are numbered
 * from 1970 on, so that all nodes with the same options have the same.
 *
 * <p>Whoever calls {@link #turn} makes sure that no other method but {@link #advance} and {@link
 * #isDue} runs meanwhile.
 */
final class Epochs {

  /**
   * What another node wrote.
   *
   * @param newest the epoch of its first filter
   * @param filters those of the newest epoch and of the one before
   */
  record Export(long newest, List<BlockedBloomFilter> filters) {}

  private static final long MAGIC = 0x424C4D5245504C32L; // BLMREPL2
  private static final int HEADER = 4 * Long.BYTES + Integer.BYTES; // the last is its CRC-32C
  private static final String EXPORT = "export of another node";
  private static final int FILTERS = 2;

  private final ReplayOptions options;
  private final long span;
  private final BlockedBloomFilter[] filters = new BlockedBloomFilter[FILTERS]; // by epoch mod 2
  private final AtomicLong latest = new AtomicLong(Long.MIN_VALUE);
  private volatile long newest;
  private volatile @Nullable BlockedBloomFilter next; // ids of the epoch to come, of other nodes

  Epochs(ReplayOptions options) {
    this.options = options;
    this.span = options.span();
    BlockShape shape =
        BlockShape.forKeys(options.idsPerSpan(), options.falseRejectRate() / FILTERS);
    for (int i = 0; i < FILTERS; i++) {
      filters[i] = BlockedBloomFilter.create(shape, options.hasher());
    }
    newest = newestAt(advance(options.clock().millis()));
  }

  /** The furthest that the clock has come, this reading included. */
  long advance(long millis) {
    long known = latest.get();
    while (known < millis) {
      if (latest.compareAndSet(known, millis)) {
        return millis;
      }
      known = latest.get();
    }
    return known;
  }

  long epochOf(long millis) {
    return Math.floorDiv(millis, span);
  }

  /** The first time at which an epoch is the newest. */
  long firstMilli(long epoch) {
    return epoch * span - options.tolerance().toMillis();
  }

  private long newestAt(long now) {
    return epochOf(now + options.tolerance().toMillis());
  }

  boolean isDue(long now) {
    return newestAt(now) > newest;
  }

  long oldest() {
    return newest - 1;
  }

  /** Empties the filters of epochs that are over. */
  void turn(long now) {
    long until = newestAt(now);
    if (until <= newest) {
      return;
    }
    for (long epoch = Math.max(newest + 1, until - 1); epoch <= until; epoch++) {
      BlockedBloomFilter known = epoch == newest + 1 ? next : null;
      if (known == null) {
        filters[slot(epoch)].clear();
      } else {
        filters[slot(epoch)] = known;
      }
    }
    next = null;
    newest = until;
  }

  private static int slot(long epoch) {
    return (int) (epoch & 1);
  }

  /** The filter for ids of a time, or null if that time is not kept. */
  @Nullable BlockedBloomFilter filterOf(long millis) {
    long epoch = epochOf(millis);
    return epoch == newest || epoch == newest - 1 ? filters[slot(epoch)] : null;
  }

  boolean mightContain(long hash) {
    BlockedBloomFilter ahead = next;
    return filters[0].mightContainHash(hash)
        || filters[1].mightContainHash(hash)
        || (ahead != null && ahead.mightContainHash(hash));
  }

  double falsePositiveRate() {
    BlockedBloomFilter ahead = next;
    double none = (1 - filters[0].falsePositiveRate()) * (1 - filters[1].falsePositiveRate());
    return 1 - (ahead == null ? none : none * (1 - ahead.falsePositiveRate()));
  }

  long sizeInBits() {
    return filters[0].sizeInBits() + filters[1].sizeInBits();
  }

  /** Adds an id that was recorded earlier, if its epoch is kept. */
  void restore(long epoch, long hash) {
    if (epoch == newest || epoch == newest - 1) {
      filters[slot(epoch)].addHash(hash);
    }
  }

  void write(DataOutputStream out) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER).putLong(MAGIC);
    header.putLong(options.window().toMillis()).putLong(options.tolerance().toMillis());
    header.putLong(newest);
    out.write(header.putInt(checksum(header.array())).array());
    for (int back = 0; back < FILTERS; back++) {
      filters[slot(newest - back)].writeTo(out);
    }
  }

  /** Reads what another node wrote; takes no more memory than this node's filters. */
  Export read(DataInputStream in) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    in.readFully(header.array());
    if (header.getLong() != MAGIC) {
      throw new FilterFormatException(EXPORT, 0, "not an export of a guard");
    }
    if (header.getInt(HEADER - Integer.BYTES) != checksum(header.array())) {
      throw new FilterFormatException(EXPORT, 0, "the header is damaged");
    }
    require("window", header.getLong(), options.window().toMillis());
    require("tolerance", header.getLong(), options.tolerance().toMillis());
    long epoch = header.getLong();
    List<BlockedBloomFilter> read = new ArrayList<>();
    for (int i = 0; i < FILTERS; i++) {
      BlockedBloomFilter filter =
          Filters.read(
              in,
              ReadOptions.as(BlockedBloomFilter.class)
                  .withHasher(options.hasher())
                  .withLimit(filters[i].storedBytes()));
      if (!filter.shape().equals(filters[i].shape())) {
        throw new IncompatibleFiltersException(
            "the other node's filters are %s, not %s"
                .formatted(filter.shape(), filters[i].shape()));
      }
      read.add(filter);
    }
    return new Export(epoch, read);
  }

  private static int checksum(byte[] header) {
    CRC32C sum = new CRC32C();
    sum.update(header, 0, HEADER - Integer.BYTES);
    return (int) sum.getValue();
  }

  private static void require(String what, long actual, long expected) {
    if (actual != expected) {
      throw new IncompatibleFiltersException(
          "the other node's %s is %d ms, not %d ms".formatted(what, actual, expected));
    }
  }

  /** Adds the filters of epochs that are kept here, too, and of the one to come. */
  void merge(Export other) {
    if (other.newest() > newest + 1) {
      throw new IncompatibleFiltersException(
          "the other node's clock is ahead by more than window and tolerance");
    }
    for (int back = 0; back < FILTERS; back++) {
      long epoch = other.newest() - back;
      if (epoch == newest || epoch == newest - 1) {
        filters[slot(epoch)].merge(other.filters().get(back));
      } else if (epoch == newest + 1) {
        BlockedBloomFilter ahead = next;
        if (ahead == null) {
          next = other.filters().get(back);
        } else {
          ahead.merge(other.filters().get(back));
        }
      }
    }
  }
}
