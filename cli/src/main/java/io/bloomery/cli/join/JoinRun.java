package io.bloomery.cli.join;

import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.tools.input.Bytes;
import io.bloomery.tools.input.RowLayout;
import io.bloomery.tools.input.RowOrder;
import io.bloomery.tools.spill.Spill;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The work of {@code bloom join}: a hash join that prunes the larger side with a Bloom filter of
 * the smaller side's keys. The smaller side is held in memory if it fits. Otherwise the smaller
 * side, and the rows of the larger side that pass the filter, go to a temporary file, partitioned
 * by hash, and the partitions are joined one by one. The result is exact, since keys are compared.
 *
 * <p>Bratbergsengen 1984, "Hashing Methods and Relational Algebra Operations" (partitions, bit
 * filter); Mackert and Lohman 1986, "R* Optimizer Validation and Performance Evaluation for
 * Distributed Queries" (Bloomjoin).
 */
final class JoinRun implements AutoCloseable {

  /** Which rows are output. */
  enum Type {
    /** Every pair of rows with equal keys. */
    INNER,

    /** Every pair, and left rows without a match, padded with empty fields. */
    LEFT,

    /** Every pair, and right rows without a match, padded with empty fields except for the key. */
    RIGHT,

    /** Every pair, and rows of both sides without a match. */
    FULL,

    /** Left rows with a match, once each. */
    SEMI,

    /** Left rows without a match. */
    ANTI;

    /** Whether fields of the right side are output. */
    boolean pairs() {
      return this != SEMI && this != ANTI;
    }

    /** Whether right rows without a match are output. */
    boolean keepsRight() {
      return this == RIGHT || this == FULL;
    }

    /** Whether rows of a side without a match are output. */
    boolean keepsUnmatched(boolean isLeft) {
      return isLeft ? this == LEFT || this == FULL || this == ANTI : keepsRight();
    }

    /**
     * The form of a right row: its left part, if it is output without a match, with the key in the
     * key's columns; then the columns that are not part of the key, each after a separator. Null if
     * right rows are not output.
     */
    @Nullable RowOrder rightOrder(CsvTable left, RowLayout right) {
      if (!pairs()) {
        return null;
      }
      List<Integer> fields = new ArrayList<>();
      for (int i = 0; keepsRight() && i < left.columns(); i++) {
        int part = left.keys().indexOf(i);
        fields.add(part < 0 ? RowOrder.EMPTY : right.columns().get(part));
      }
      if (fields.isEmpty()) {
        fields.add(RowOrder.EMPTY); // so that the others begin with a separator
      }
      for (int i = 0; i < right.width(); i++) {
        if (!right.columns().contains(i)) {
          fields.add(i);
        }
      }
      return new RowOrder(right.width(), left.separator(), fields);
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Receives the output rows. */
  interface Output {
    /** A row, given as its left part and its right part. */
    void row(byte[] left, int at, int length, byte[] right, int rightAt, int rightLength);
  }

  private static final int PARTITIONS = 64;
  private static final int PARTITION_SHIFT = Long.SIZE - 6;
  private static final int BITS_PER_KEY = 12;
  private static final int BLOCK_BITS = 512;
  private static final byte[] NOTHING = new byte[0];

  private final Type type;
  private final boolean buildsLeft;
  private final boolean keepEmpty;
  private final long memory;
  private final CsvTable left;
  private final CsvTable right;
  private final Output output;
  private final Hasher hasher;
  private final BlockedBloomFilter filter;
  private final byte[] emptyRight;
  private final Bytes key = new Bytes();
  private final Bytes row = new Bytes();
  private final Bytes record = new Bytes();

  private RowTable table = new RowTable();
  private @Nullable Spills spills; // null while the smaller side fits in memory
  private long pruned;
  private long passed;
  private long unmatched;
  private long rows;
  private boolean matched;

  /** Rows on disk: of the smaller side, from which the filter is built, and of the larger one. */
  private record Spills(Spill build, Spill probe) {}

  /**
   * Joins two tables whose key columns are selected.
   *
   * @param hasher the one that both are read with
   * @param buildsLeft whether the left side is the smaller one, from which the filter is built
   * @param keepEmpty whether empty keys equal each other; otherwise they match nothing
   * @param memory the memory for the smaller side, in bytes
   * @param filterBits the size of the filter in bits
   */
  JoinRun(
      Type type,
      Hasher hasher,
      CsvTable left,
      CsvTable right,
      boolean buildsLeft,
      boolean keepEmpty,
      long memory,
      long filterBits,
      Output output) {
    this.type = type;
    this.hasher = hasher;
    this.left = left;
    this.right = right;
    this.buildsLeft = buildsLeft;
    this.keepEmpty = keepEmpty;
    this.memory = memory;
    this.output = output;
    this.filter =
        BlockedBloomFilter.create(
            BlockShape.forBudget(Math.max(1, filterBits / BITS_PER_KEY), filterBits, BLOCK_BITS),
            hasher,
            Writers.ONE);
    Bytes empty = new Bytes();
    for (int i = 0; i < right.others(); i++) {
      empty.add(left.separator());
    }
    this.emptyRight = Arrays.copyOf(empty.array(), empty.length());
  }

  /** Runs the join. */
  void run() {
    build(buildsLeft ? left : right);
    probe(buildsLeft ? right : left);
    if (spills == null) {
      finish(table);
      return;
    }
    for (int i = 0; i < PARTITIONS; i++) {
      joinPartition(spills, i);
    }
  }

  /** The number of rows of the larger side that the filter ruled out. */
  long pruned() {
    return pruned;
  }

  /** The number of rows of the larger side that passed the filter. */
  long passed() {
    return passed;
  }

  /** The number of rows that passed the filter but have no match. */
  long unmatched() {
    return unmatched;
  }

  /** Whether any two rows have equal keys. */
  boolean hasMatch() {
    return matched;
  }

  /** The number of rows output. */
  long rows() {
    return rows;
  }

  /** The number of bytes written to temporary files. */
  long spilled() {
    return spills == null ? 0 : spills.build.fileBytes() + spills.probe.fileBytes();
  }

  /** Reads the row of a side in the form in which it is kept. */
  private void readRow(CsvTable side) {
    row.clear();
    if (side == left) {
      side.row(row);
    } else if (type.keepsRight()) { // the row starts with its left part for output without a match
      row.addInt(0);
      side.row(row);
      int end =
          RowLayout.fieldsEnd(
              row.array(), Integer.BYTES, row.length(), left.columns(), left.separator());
      row.setInt(0, end - Integer.BYTES);
    } else if (type.pairs()) {
      side.row(row);
    }
  }

  private void build(CsvTable side) {
    while (side.next()) {
      readRow(side);
      if (!keepEmpty && !side.isComplete()) {
        emitUnmatched(buildsLeft, row.array(), 0, row.length());
        continue;
      }
      key.clear();
      side.key(key);
      long hash = side.hash();
      filter.addHash(hash);
      if (spills != null) {
        spill(spills.build, hash);
        continue;
      }
      table.add(key, hash, row);
      if (table.bytes() > memory) {
        spillTable();
      }
    }
  }

  private void spillTable() {
    Spills made = new Spills(new Spill(PARTITIONS), new Spill(PARTITIONS));
    spills = made;
    table.forEach(
        (bytes, offset, length) -> {
          key.clear();
          key.key(bytes, offset, length);
        },
        (bytes, offset, length) -> {
          row.clear();
          row.key(bytes, offset, length);
          spill(made.build, hasher.hash(key.array(), 0, key.length()));
        });
    table = new RowTable(); // frees the rows
  }

  private void spill(Spill to, long hash) {
    record.clear();
    record.addInt(key.length());
    record.key(key.array(), 0, key.length());
    record.key(row.array(), 0, row.length());
    to.add((int) (hash >>> PARTITION_SHIFT), record.array(), 0, record.length());
  }

  private void probe(CsvTable side) {
    boolean keepsUnmatched = type.keepsUnmatched(!buildsLeft);
    while (side.next()) {
      boolean comparable = keepEmpty || side.isComplete();
      if (!comparable || !filter.mightContainHash(side.hash())) {
        pruned += comparable ? 1 : 0;
        if (keepsUnmatched) {
          readRow(side);
          emitUnmatched(!buildsLeft, row.array(), 0, row.length());
        }
        continue;
      }
      passed++;
      readRow(side);
      key.clear();
      side.key(key);
      long hash = side.hash();
      if (spills != null) {
        spill(spills.probe, hash);
      } else {
        int found = table.find(key.array(), 0, key.length(), hash);
        if (found >= 0) {
          emitMatches(table, found, row.array(), 0, row.length(), true);
        } else {
          unmatched++;
          emitUnmatched(!buildsLeft, row.array(), 0, row.length());
        }
      }
    }
  }

  /** Outputs a row of the larger side with its matches; {@code first} if it had none before. */
  private void emitMatches(
      RowTable matches, int found, byte[] bytes, int at, int length, boolean first) {
    matches.match(found);
    matched = true;
    if (type.pairs()) {
      matches.rows(
          found,
          (other, from, count) -> {
            if (buildsLeft) {
              emitPair(other, from, count, bytes, at, length);
            } else {
              emitPair(bytes, at, length, other, from, count);
            }
          });
    } else if (!buildsLeft && type == Type.SEMI && first) {
      emit(bytes, at, length, NOTHING, 0, 0);
    }
  }

  /** Outputs a row without a match, if the type of join keeps it. */
  private void emitUnmatched(boolean isLeft, byte[] bytes, int at, int length) {
    if (isLeft && (type == Type.LEFT || type == Type.FULL)) {
      emit(bytes, at, length, emptyRight, 0, emptyRight.length);
    } else if (isLeft && type == Type.ANTI) {
      emit(bytes, at, length, NOTHING, 0, 0);
    } else if (!isLeft && type.keepsRight()) {
      int own = at + Integer.BYTES + Bytes.readInt(bytes, at);
      emit(bytes, at + Integer.BYTES, own - at - Integer.BYTES, bytes, own, at + length - own);
    }
  }

  /** Finishes a part of the smaller side, once all rows of the larger side were matched with it. */
  private void finish(RowTable part) {
    if (buildsLeft && type == Type.SEMI) {
      part.rows(true, (bytes, at, length) -> emit(bytes, at, length, NOTHING, 0, 0));
    } else {
      part.rows(false, (bytes, at, length) -> emitUnmatched(buildsLeft, bytes, at, length));
    }
  }

  private void emitPair(byte[] l, int at, int length, byte[] r, int rightAt, int rightLength) {
    int skipped = type.keepsRight() ? Integer.BYTES + Bytes.readInt(r, rightAt) : 0;
    emit(l, at, length, r, rightAt + skipped, rightLength - skipped);
  }

  private void emit(byte[] l, int at, int length, byte[] r, int rightAt, int rightLength) {
    rows++;
    output.row(l, at, length, r, rightAt, rightLength);
  }

  /** Joins a partition, loading as much of its smaller side at a time as fits in memory. */
  private void joinPartition(Spills both, int partition) {
    Loader loader = new Loader(both.build, partition);
    BitSet matched = new BitSet(); // rows of the larger side, needed beyond the first part
    while (loader.load()) {
      RowTable part = loader.part;
      boolean last = loader.isLast();
      int[] next = {0};
      both.probe.read(
          partition,
          (bytes, offset, length) -> {
            int index = next[0]++;
            int keyLength = Bytes.readInt(bytes, offset);
            int keyAt = offset + Integer.BYTES;
            int rowAt = keyAt + keyLength;
            int rowLength = offset + length - rowAt;
            int found = part.find(bytes, keyAt, keyLength, hasher.hash(bytes, keyAt, keyLength));
            if (found >= 0) {
              emitMatches(part, found, bytes, rowAt, rowLength, !matched.get(index));
              matched.set(index);
            } else if (last && !matched.get(index)) {
              unmatched++;
              emitUnmatched(!buildsLeft, bytes, rowAt, rowLength);
            }
          });
      finish(part);
    }
  }

  /** Loads the smaller side of a partition part by part. */
  private final class Loader {
    private final Spill smaller;
    private final int partition;
    private RowTable part = new RowTable();
    private long loaded;
    private long seen;
    private boolean started;

    Loader(Spill smaller, int partition) {
      this.smaller = smaller;
      this.partition = partition;
    }

    boolean isLast() {
      return loaded == seen;
    }

    /** Loads the next part; the first one exists even if it is empty. */
    boolean load() {
      if (started && isLast()) {
        return false;
      }
      started = true;
      part = new RowTable();
      seen = 0;
      long from = loaded;
      smaller.read(
          partition,
          (bytes, offset, length) -> {
            seen++;
            if (seen > from && loaded == seen - 1 && (part.size() == 0 || part.bytes() <= memory)) {
              int keyLength = Bytes.readInt(bytes, offset);
              int keyAt = offset + Integer.BYTES;
              int rowAt = keyAt + keyLength;
              long hash = hasher.hash(bytes, keyAt, keyLength);
              part.add(bytes, keyAt, keyLength, hash, bytes, rowAt, offset + length - rowAt);
              loaded++;
            }
          });
      return true;
    }
  }

  @Override
  public void close() {
    if (spills != null) {
      spills.build.close();
      spills.probe.close();
    }
  }
}
