package io.bloomery.internal.spill;

import io.bloomery.file.TemporaryFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Hashes in a temporary file, 8 bytes each, partitioned by their highest bits: they are added in
 * any order, and any shard of them, those that begin with the same bits, can be read back
 * separately, any number of times. Nothing is sorted or deduplicated: the reader of a shard does
 * that in memory.
 *
 * <p>Takes 2 MiB of memory, and 8 bytes for each 1024 hashes. The file is deleted by {@link
 * #close}, after every failure, and at the latest when the process ends. Not thread-safe.
 */
public final class HashSpill implements AutoCloseable {

  /** The most shards that can be read, as a binary logarithm. */
  public static final int MAX_SHARD_LOG = 12;

  /** Receives hashes. */
  @FunctionalInterface
  public interface Sink {
    /** Receives the hashes {@code from…to-1}; the array is reused afterwards. */
    void add(long[] hashes, int from, int to);
  }

  // The file is a list of blocks, each of hashes of one group, the highest 8 bits. A group that
  // has several shards is read once for each of them.

  private static final int GROUP_LOG = 8;
  private static final int GROUPS = 1 << GROUP_LOG;
  private static final int BLOCK = 1 << 10;

  private final FileChannel file;
  private final Group[] groups = new Group[GROUPS];
  private final ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK * Long.BYTES);
  private long end;
  private long size;

  /** The hashes of a group that are not in the file yet, and the positions of the others. */
  private static final class Group {
    private final long[] last = new long[BLOCK];
    private int used;
    private long[] places = new long[4];
    private int blocks;
  }

  /**
   * Creates an empty spill.
   *
   * @param directory where the file is created
   * @throws IOException if it cannot be created
   */
  public HashSpill(Path directory) throws IOException {
    file = TemporaryFile.open(directory);
    Arrays.setAll(groups, i -> new Group());
  }

  /** Which of {@code 2^shardLog} shards a hash is in: its highest bits. */
  public static int shardOf(long hash, int shardLog) {
    return (int) (hash >>> 1 >>> (Long.SIZE - 1 - shardLog));
  }

  /** How many hashes were added. */
  public long size() {
    return size;
  }

  /**
   * Adds a hash.
   *
   * @throws IOException if it cannot be written; the file is then deleted
   */
  public void add(long hash) throws IOException {
    Group group = groups[shardOf(hash, GROUP_LOG)];
    if (group.used == BLOCK) {
      write(group);
    }
    group.last[group.used++] = hash;
    size++;
  }

  /**
   * Adds the hashes {@code from…to-1}.
   *
   * @throws IOException if they cannot be written; the file is then deleted
   */
  public void add(long[] hashes, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      add(hashes[i]);
    }
  }

  private void write(Group group) throws IOException {
    bytes.clear();
    bytes.asLongBuffer().put(group.last);
    try {
      for (int done = 0; done < bytes.limit(); done = bytes.position()) {
        file.write(bytes, end + done);
      }
    } catch (IOException e) {
      throw failed(e);
    }
    if (group.blocks == group.places.length) {
      group.places = Arrays.copyOf(group.places, 2 * group.blocks);
    }
    group.places[group.blocks++] = end;
    end += bytes.limit();
    group.used = 0;
  }

  /**
   * Reads a shard, its hashes in the order in which they were added within each group of equal
   * highest 8 bits.
   *
   * @param shard 0 … 2^shardLog - 1
   * @param shardLog 0 … {@link #MAX_SHARD_LOG}
   * @param sink called for a block at a time
   * @throws IOException if the file cannot be read; it is then deleted
   */
  public void read(int shard, int shardLog, Sink sink) throws IOException {
    long[] block = new long[BLOCK];
    int first = shardLog <= GROUP_LOG ? shard << (GROUP_LOG - shardLog) : shard >>> (shardLog - 8);
    int count = shardLog <= GROUP_LOG ? 1 << (GROUP_LOG - shardLog) : 1;
    for (int i = first; i < first + count; i++) {
      Group group = groups[i];
      for (int j = 0; j < group.blocks; j++) {
        load(group.places[j], block);
        sink.add(block, 0, keep(block, BLOCK, shard, shardLog));
      }
      System.arraycopy(group.last, 0, block, 0, group.used);
      sink.add(block, 0, keep(block, group.used, shard, shardLog));
    }
  }

  private void load(long place, long[] block) throws IOException {
    bytes.clear();
    try {
      while (bytes.hasRemaining()) {
        if (file.read(bytes, place + bytes.position()) < 0) {
          throw new IOException("the temporary file of hashes was cut short at byte " + place);
        }
      }
    } catch (IOException e) {
      throw failed(e);
    }
    bytes.flip().asLongBuffer().get(block);
  }

  /** Moves the hashes of a shard to the front; returns their number. */
  private static int keep(long[] block, int length, int shard, int shardLog) {
    int kept = 0;
    for (int i = 0; i < length; i++) {
      block[kept] = block[i];
      kept += shardOf(block[i], shardLog) == shard ? 1 : 0;
    }
    return kept;
  }

  private IOException failed(IOException e) {
    try {
      file.close();
    } catch (IOException second) {
      e.addSuppressed(second);
    }
    return e;
  }

  /** Deletes the file and its hashes. */
  @Override
  public void close() throws IOException {
    file.close();
  }
}
