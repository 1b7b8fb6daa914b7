package io.bloomery.frozen;

import io.bloomery.internal.solve.KeyHashes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Hashes that wait in a temporary file, sorted by their highest 8 bits. The file is a list of
 * blocks, each of one group; which blocks a group has is kept on the heap, at 16 bytes for each
 * 1024 hashes. The file goes away with {@link #close}, and with the process at the latest; most
 * systems do not even show it.
 */
final class HashSpill implements AutoCloseable {

  private static final int GROUP_LOG = 8;
  private static final int GROUPS = 1 << GROUP_LOG;
  private static final int BLOCK_BYTES = 1 << 13;

  /** The most shards that are read apart: a group is read once for each of its shards. */
  static final int MAX_SHARD_LOG = GROUP_LOG + 4;

  private final FileChannel channel;
  private final ByteBuffer[] blocks = new ByteBuffer[GROUPS];
  private final List<List<Long>> places = new ArrayList<>();
  private long size;
  private long end;

  /** An empty file in a directory, or in the system's directory for such files. */
  HashSpill(Path directory) throws IOException {
    Path file =
        directory == null
            ? Files.createTempFile("bloomery-", ".hashes")
            : Files.createTempFile(directory, "bloomery-", ".hashes");
    try {
      channel =
          FileChannel.open(
              file,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
    for (int i = 0; i < GROUPS; i++) {
      blocks[i] = ByteBuffer.allocate(BLOCK_BYTES);
      places.add(new ArrayList<>());
    }
  }

  void add(long hash) throws IOException {
    int group = (int) (hash >>> (Long.SIZE - GROUP_LOG));
    ByteBuffer block = blocks[group];
    if (!block.hasRemaining()) {
      block.flip();
      long place = end;
      while (block.hasRemaining()) {
        end += channel.write(block, end);
      }
      places.get(group).add(place);
      block.clear();
    }
    block.putLong(hash);
    size++;
  }

  long size() {
    return size;
  }

  /** The hashes whose highest {@code shardLog} bits are {@code shard}. */
  KeyHashes shard(int shard, int shardLog) throws IOException {
    KeyHashes hashes = KeyHashes.empty();
    int first = shardLog <= GROUP_LOG ? shard << (GROUP_LOG - shardLog) : shard >>> (shardLog - 8);
    int count = shardLog <= GROUP_LOG ? 1 << (GROUP_LOG - shardLog) : 1;
    ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
    for (int group = first; group < first + count; group++) {
      for (long place : places.get(group)) {
        block.clear();
        while (block.hasRemaining()) {
          if (channel.read(block, place + block.position()) < 0) {
            throw new IOException("the temporary file of hashes was cut short");
          }
        }
        take(block, shard, shardLog, hashes);
      }
      take(blocks[group].duplicate(), shard, shardLog, hashes);
    }
    return hashes;
  }

  private static void take(ByteBuffer block, int shard, int shardLog, KeyHashes hashes) {
    block.flip();
    while (block.hasRemaining()) {
      long hash = block.getLong();
      if (ShardedFilter.shard(hash, shardLog) == shard) {
        hashes.add(hash);
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
