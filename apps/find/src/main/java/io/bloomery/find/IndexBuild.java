package io.bloomery.find;

import io.bloomery.find.IndexedFile.How;
import io.bloomery.find.walk.FoundFile;
import io.bloomery.tools.input.BadRows;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.problem.UnreadFormatException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes an index. One thread reads files and writes the index; the others build filters. Up to
 * twice as many blocks as threads are in memory at a time. Entries of unchanged files are copied
 * from the old index.
 */
final class IndexBuild {

  /** The size of a table entry: per file, without its name; per block, without its filter. */
  private static final int ENTRY_BYTES = 40;

  /** A file smaller than a block divided by this number shares a block with others. */
  private static final int SMALL_PART = 4;

  /** Writes a block to the file, in the order in which blocks were found. */
  @FunctionalInterface
  private interface Step {
    void write() throws IOException;
  }

  private final IndexOptions options;
  private final @Nullable IndexFile old; // null if there is no usable one
  private final ExecutorService workers;
  private final int ahead;
  private final int packedBytes;
  private final LongConsumer progress;
  private final Consumer<String> problems;
  private final BadRows badRows;

  private final Queue<Step> steps = new ArrayDeque<>();
  private final Map<Integer, Integer> groups = new HashMap<>(); // by block of the old index
  private final Set<Integer> broken = new HashSet<>(); // groups in which a file has changed
  private final List<FoundFile> small = new ArrayList<>();
  private final List<BlockBuild.Part> smallParts = new ArrayList<>();
  private @Nullable IndexWriter writer; // null before writing begins
  private @Nullable IndexTable table; // null before it is written
  private int nextBlock;
  private long fileLines; // of the file whose blocks are being written
  private long smallBytes;
  private int reused;
  private int read;
  private long readBytes;

  /**
   * Builds an index; {@code workers} has {@code threads} threads, and blocks of packed files have
   * {@code packedBytes}.
   */
  IndexBuild(
      IndexOptions options,
      @Nullable IndexFile old,
      ExecutorService workers,
      int threads,
      int packedBytes,
      LongConsumer progress,
      BadRows badRows,
      Consumer<String> problems) {
    this.badRows = badRows;
    this.options = options;
    this.old = old;
    this.workers = workers;
    this.ahead = 2 * threads;
    this.packedBytes = packedBytes;
    this.progress = progress;
    this.problems = problems;
  }

  /** Writes the index of these files, for the directory {@code home}. */
  void write(List<Path> roots, List<FoundFile> files, Path home, OutputStream stream)
      throws IOException {
    BufferedOutputStream out = new BufferedOutputStream(stream, 1 << 20);
    writer = new IndexWriter(out);
    try {
      addAll(files);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    table = writer().finish(options, roots, home);
    out.flush();
  }

  /** What was written besides the filters. */
  IndexTable table() {
    return Objects.requireNonNull(table, "what was written");
  }

  private IndexWriter writer() {
    return Objects.requireNonNull(writer, "where blocks and files go");
  }

  private void addAll(List<FoundFile> files) {
    if (old == null) {
      files.forEach(this::readAll);
    } else {
      addAll(files, new Matching(old));
    }
    flushSmall();
    while (!steps.isEmpty()) {
      writeNext();
    }
  }

  private void addAll(List<FoundFile> files, Matching matching) {
    Map<FoundFile, Matching.Known> known = known(files, matching);
    for (FoundFile file : files) {
      Matching.Known before = known.get(file);
      if (before == null) {
        readAll(file);
      } else if (before.grown()) {
        readGrown(file, before.file(), matching);
      } else {
        reuse(file, before.file(), matching);
      }
    }
  }

  /** The files known to the old index; a group of files is known as a whole or not at all. */
  private Map<FoundFile, Matching.Known> known(List<FoundFile> files, Matching matching) {
    Map<FoundFile, Matching.Known> known = new HashMap<>();
    Map<Integer, Integer> members = new HashMap<>();
    for (IndexedFile file : matching.index().table().files()) {
      if (file.how() == How.GROUPED) {
        members.merge(file.firstBlock(), 1, Integer::sum);
      }
    }
    for (FoundFile file : files) {
      Matching.Known before = matching.known(file);
      if (before != null) {
        known.put(file, before);
        if (before.file().how() == How.GROUPED) {
          members.merge(before.file().firstBlock(), -1, Integer::sum);
        }
      }
    }
    members.forEach(
        (group, missing) -> {
          if (missing != 0) {
            broken.add(group);
          }
        });
    known
        .values()
        .removeIf(
            before ->
                before.file().how() == How.GROUPED && broken.contains(before.file().firstBlock()));
    return known;
  }

  private void reuse(FoundFile found, IndexedFile file, Matching matching) {
    IndexFile from = matching.index();
    reused++;
    int first = nextBlock;
    if (file.how() == How.GROUPED) {
      first =
          groups.computeIfAbsent(
              file.firstBlock(),
              group -> {
                copy(from, from.table().blocks().get(group));
                return nextBlock - 1;
              });
    } else {
      matching.blocks(file).forEach(block -> copy(from, block));
    }
    writer().add(file.at(found, first));
    progress.accept(found.size());
  }

  private void copy(IndexFile from, IndexedBlock block) {
    nextBlock++;
    steps.add(() -> writer().copy(from, block));
  }

  private void readGrown(FoundFile found, IndexedFile file, Matching matching) {
    int first = nextBlock;
    List<IndexedBlock> blocks = matching.blocks(file);
    IndexedBlock last = blocks.get(blocks.size() - 1);
    blocks.subList(0, blocks.size() - 1).forEach(block -> copy(matching.index(), block));
    Records records = records(found);
    try (Pieces pieces = open(found, records)) {
      try (FileChannel head = FileChannel.open(found.path(), StandardOpenOption.READ)) {
        records.begin(head);
      }
      pieces.skip(last.from());
      steps.add(() -> fileLines = last.lines());
      pieces.next();
      readBlocks(found, pieces, records, first, last.lines() + 1);
    } catch (IOException e) {
      problems.accept(Problem.with(found.path(), e).getMessage());
    }
  }

  private Records records(FoundFile file) {
    return new Records(options.rule(), Octets.name(file.path()));
  }

  private Pieces open(FoundFile file, Records records) throws IOException {
    return new Pieces(file, records, options.blockBytes(), packedBytes, progress);
  }

  private void readAll(FoundFile found) {
    Records records = records(found);
    try (Pieces pieces = open(found, records)) {
      pieces.next();
      if (!options.text() && Pieces.isBinary(pieces.bytes(), pieces.length())) {
        writer().add(file(found, found.size(), How.BINARY, nextBlock, 0));
        return;
      }
      records.begin(pieces.bytes(), pieces.length());
      if (!pieces.isPacked()
          && pieces.isLast()
          && pieces.length() < options.blockBytes() / SMALL_PART) {
        addSmall(found, pieces, records);
      } else {
        steps.add(() -> fileLines = 0);
        readBlocks(found, pieces, records, nextBlock, 1);
      }
    } catch (UnreadFormatException e) {
      writer().add(file(found, found.size(), How.UNREAD, nextBlock, 0));
    } catch (IOException e) {
      problems.accept(Problem.with(found.path(), e).getMessage());
    }
  }

  private static IndexedFile file(FoundFile found, long size, How how, int first, int blocks) {
    return new IndexedFile(
        Octets.name(found.path()),
        size,
        found.modified(),
        found.changed(),
        found.identity(),
        how,
        first,
        blocks);
  }

  /** Reads blocks from the current piece, which starts with a line, to the end of the file. */
  private void readBlocks(
      FoundFile found, Pieces pieces, Records records, int first, long firstLine)
      throws IOException {
    long line = firstLine;
    boolean packed = pieces.isPacked();
    long end = 0;
    do {
      long overhead = nextBlock == first ? entryBytes(found) : ENTRY_BYTES;
      long from = pieces.from();
      int length = pieces.length();
      end = from + length;
      byte[] bytes = pieces.take();
      submit(
          from,
          length,
          List.of(new BlockBuild.Part(records, bytes, length, line, from == 0)),
          overhead);
      line += options.rule().isOfRows() ? BlockBuild.lineEnds(bytes, length) : 0;
    } while (pieces.next());
    read++;
    How how = packed ? How.PACKED : How.PLAIN;
    writer().add(file(found, packed ? found.size() : end, how, first, nextBlock - first));
  }

  private static int entryBytes(FoundFile file) {
    return 2 * ENTRY_BYTES + file.path().getFileName().toString().length();
  }

  private void submit(long from, long length, List<BlockBuild.Part> parts, long overhead) {
    long maxBytes = (long) (options.share() * length) - overhead;
    Future<BlockBuild.Built> built = workers.submit(new BlockBuild(options, parts, maxBytes));
    long head = IndexedBlock.head(parts.get(0).bytes(), parts.get(0).length());
    readBytes += length;
    nextBlock++;
    steps.add(
        () -> {
          BlockBuild.Built done = Workers.get(built);
          if (done.problem() != null) {
            throw done.problem();
          }
          done.bad().forEach(badRows::take);
          writer().add(from, length, fileLines, head, done.filter());
          fileLines += done.lines();
        });
    while (steps.size() > ahead) {
      writeNext();
    }
  }

  private void addSmall(FoundFile found, Pieces pieces, Records records) {
    int length = pieces.length();
    if (smallBytes + length > options.blockBytes()) {
      flushSmall();
    }
    small.add(found);
    smallParts.add(new BlockBuild.Part(records, pieces.bytes(), length, 1, true));
    smallBytes += length;
  }

  private void flushSmall() {
    if (small.isEmpty()) {
      return;
    }
    long overhead = ENTRY_BYTES;
    for (int i = 0; i < small.size(); i++) {
      overhead += entryBytes(small.get(i));
      writer().add(file(small.get(i), smallParts.get(i).length(), How.GROUPED, nextBlock, 1));
    }
    read += small.size();
    steps.add(() -> fileLines = 0);
    submit(0, smallBytes, List.copyOf(smallParts), overhead);
    small.clear();
    smallParts.clear();
    smallBytes = 0;
  }

  private void writeNext() {
    try {
      steps.remove().write();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // from writing the index, not from reading the file
    }
  }

  /** The number of files copied from the old index. */
  int reused() {
    return reused;
  }

  /** The number of files read, at least in part. */
  int read() {
    return read;
  }

  /** The number of rows that could not be read and are left out. */
  long badRows() {
    return badRows.count();
  }

  /** The number of bytes of content read. */
  long readBytes() {
    return readBytes;
  }

  /** The size of the index in bytes. */
  long indexBytes() {
    return writer().position();
  }
}
