package io.bloomery.find;

import io.bloomery.find.walk.FoundFile;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Matches the files found with those in the index. A file is unchanged if its size, its
 * modification time, the time of its last change, which no program can set back, and its identity
 * are the same. A file that was renamed, which changes the latter time, is recognised by its
 * identity, if size and modification time are the same and every block still starts with the same
 * bytes. A file has grown if it is the same file, longer, and every block still starts with the
 * same bytes. Anything else is new.
 */
final class Matching {

  /**
   * What the index knows about a file.
   *
   * @param file the file as stored in the index
   * @param grown whether it has grown since
   */
  record Known(IndexedFile file, boolean grown) {}

  private final IndexFile index;
  private final Map<String, IndexedFile> byPath = new HashMap<>();
  private final Map<Long, IndexedFile> byIdentity = new HashMap<>();

  /** Compares with the files of an index. */
  Matching(IndexFile index) {
    this.index = index;
    for (IndexedFile file : index.table().files()) {
      byPath.put(file.path(), file);
      if (file.identity() != 0) {
        byIdentity.put(file.identity(), file);
      }
    }
  }

  /** What the index knows about a file, or null if the file is new or has changed. */
  @Nullable Known known(FoundFile found) {
    IndexedFile named = byPath.get(Octets.name(found.path()));
    if (named != null && isSame(named, found)) {
      return new Known(named, false);
    }
    IndexedFile identical = byIdentity.get(found.identity());
    if (identical == null) {
      return null;
    }
    if (!identical.equals(named) && isRenamed(identical, found)) {
      return new Known(identical, false);
    }
    return isGrown(identical, found) ? new Known(identical, true) : null;
  }

  private static boolean isSame(IndexedFile file, FoundFile found) {
    return file.size() == found.size()
        && file.modified() == found.modified()
        && (file.changed() == found.changed() || file.changed() == 0)
        && file.identity() == found.identity();
  }

  private boolean isRenamed(IndexedFile file, FoundFile found) {
    return file.size() == found.size()
        && file.modified() == found.modified()
        && (file.how() != IndexedFile.How.PLAIN || hasSameHeads(found.path(), blocks(file)));
  }

  private boolean isGrown(IndexedFile file, FoundFile found) {
    return file.how() == IndexedFile.How.PLAIN
        && file.blocks() > 0
        && found.size() > file.size()
        && hasSameHeads(found.path(), blocks(file));
  }

  private static boolean hasSameHeads(Path file, List<IndexedBlock> blocks) {
    try (FileChannel channel = Pieces.open(file)) {
      for (IndexedBlock block : blocks) {
        int length = (int) Math.min(IndexedBlock.HEAD_BYTES, block.length());
        byte[] head = Pieces.read(channel, block.from(), length);
        if (head.length < length || IndexedBlock.head(head, length) != block.head()) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }

  /** The index. */
  IndexFile index() {
    return index;
  }

  /** The blocks of a file. */
  List<IndexedBlock> blocks(IndexedFile file) {
    return index.table().blocks().subList(file.firstBlock(), file.firstBlock() + file.blocks());
  }

  /** The number of files in the index. */
  int files() {
    return byPath.size();
  }
}
