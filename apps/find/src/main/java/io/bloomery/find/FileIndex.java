package io.bloomery.find;

import io.bloomery.file.AtomicFile;
import io.bloomery.find.walk.FileWalk;
import io.bloomery.find.walk.FoundFile;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.input.BadRows;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An index of files: a filter for each block of their content. A search reads only the blocks whose
 * filters may contain the keys. Immutable and thread-safe.
 */
@SuppressWarnings("exports") // Nullable and BadRows: callers compile without them
public final class FileIndex {

  /** Memory per thread as a multiple of a block's length, if nearly all of its keys differ. */
  private static final int BLOCK_MEMORY = 20;

  private static final int LONG = 64; // bytes of a key that no short way hashes

  private final IndexFile file;

  private FileIndex(IndexFile file) {
    this.file = file;
  }

  /** Whether a file is an index, by its first bytes. */
  public static boolean isIndex(Path file) {
    return Files.isRegularFile(file) && IndexFile.isIndex(file);
  }

  /** Opens an index for searches. Its filters are read when they are needed. */
  public static FileIndex open(Path file) {
    new Loader().start();
    return new FileIndex(IndexFile.open(file));
  }

  /**
   * Loads the classes a search needs while the index is being read: hashing alone takes the JVM 12
   * ms to start.
   */
  private static final class Loader extends Thread {
    private Loader() {
      super("bloom-loader");
      setDaemon(true);
    }

    @Override
    public void run() {
      KeyRule.Hash.HASHER.hash(new byte[LONG]);
    }
  }

  /**
   * Builds the index of files, or of all files below directories. Entries of unchanged files are
   * kept from an existing index, unless the options differ.
   *
   * @param target the file of the index, which is replaced atomically
   * @param roots absolute paths
   * @param anew whether to ignore an existing index, even a damaged one
   * @param badRows what becomes of rows that cannot be read, as the rule of the options says
   * @param problems receives files that cannot be read; the index is built without them
   * @param progress receives the total size and the amount read
   */
  public static IndexReport build(
      Path target,
      List<Path> roots,
      IndexOptions options,
      boolean anew,
      BadRows badRows,
      Consumer<String> problems,
      ReadProgress progress) {
    IndexFile present = isIndex(target) ? present(target, anew) : null;
    if (present == null || anew) {
      return write(target, roots, options, null, badRows, problems, progress);
    }
    IndexOptions alike = options.like(present.table().options());
    return write(target, roots, alike, present, badRows, problems, progress);
  }

  private static @Nullable IndexFile present(Path target, boolean anew) {
    try {
      return IndexFile.open(target);
    } catch (Problem e) {
      if (anew) {
        return null;
      }
      throw e;
    }
  }

  /**
   * Updates an index; it knows its files and options.
   *
   * @param badRows what becomes of rows that cannot be read, as for the index before
   * @param problems receives files that cannot be read; the index is built without them
   * @param progress receives the total size and the amount read
   */
  public static IndexReport update(
      Path target, BadRows badRows, Consumer<String> problems, ReadProgress progress) {
    IndexFile present = IndexFile.open(target);
    IndexTable table = present.table();
    boolean skips = table.options().rule().skipping();
    if (badRows.fails() == skips) {
      throw new Problem(
          "%s: was made with --on-error %s; build it anew for another"
              .formatted(Octets.name(target), skips ? "skip or reject" : "fail"));
    }
    return write(target, table.roots(), table.options(), present, badRows, problems, progress);
  }

  private static IndexReport write(
      Path target,
      List<Path> roots,
      IndexOptions options,
      @Nullable IndexFile present,
      BadRows badRows,
      Consumer<String> problems,
      ReadProgress progress) {
    List<FoundFile> files = FileWalk.files(roots, target, problems);
    files.forEach(file -> badRows.check(file.path()));
    long total = files.stream().mapToLong(FoundFile::size).sum();
    IndexOptions sized = options.forBytes(total, room() / Workers.THREADS);
    boolean helps =
        present != null && present.hasCurrentKeys() && present.table().options().equals(sized);
    int threads = threads(sized.blockBytes());
    ExecutorService workers = Workers.start(threads);
    try {
      progress.begin(total);
      IndexBuild build =
          new IndexBuild(
              sized,
              helps ? present : null,
              workers,
              threads,
              sized.packedBytes(room() / Workers.THREADS),
              progress::read,
              badRows,
              problems);
      Saving.save(
          path ->
              AtomicFile.write(path, out -> build.write(roots, files, IndexFile.home(target), out)),
          target);
      return new IndexFacts(target, build.table(), build.indexBytes()).report(build);
    } finally {
      workers.shutdownNow();
    }
  }

  /** How many bytes of content all threads together have memory for. */
  private static long room() {
    return Runtime.getRuntime().maxMemory() / 4 * 3 / BLOCK_MEMORY;
  }

  /** As many threads as there is memory for the blocks that they work on. */
  private static int threads(int blockBytes) {
    long heap = Runtime.getRuntime().maxMemory();
    long most = room() / blockBytes;
    if (most == 0) {
      throw new Problem(
          "blocks of %s need up to %s, and there are %d MiB of heap; BLOOM_JAVA_OPTS=-Xmx%dm gives enough"
              .formatted(
                  Text.size(blockBytes),
                  Text.size((long) BLOCK_MEMORY * blockBytes),
                  heap >> 20,
                  (((long) BLOCK_MEMORY * blockBytes) >> 20) / 3 * 4 + 64));
    }
    return (int) Math.min(most, Workers.THREADS);
  }

  /** What is in the index. */
  public IndexReport report() {
    return new IndexFacts(file.path(), file.table(), file.bytes()).report(file.version());
  }

  /** Throws if a byte of the index is damaged. */
  public void verify() {
    file.verify();
  }

  /** The file of the index. */
  public Path path() {
    return file.path();
  }

  /** Whether it was made to be searched without regard to the case of letters. */
  public boolean ignoresCase() {
    return file.table().options().rule().folded();
  }

  /** Whether rows that cannot be read are left out. */
  public boolean skipsBadRows() {
    return file.table().options().rule().skipping();
  }

  /** The number of blocks with a filter. */
  public int blocks() {
    return file.table().blocks().size();
  }

  /** The size of the indexed content. */
  public long contentBytes() {
    return file.table().contentBytes();
  }

  /**
   * Finds the lines, or rows, that hold some keys.
   *
   * @param texts the keys
   * @param problems receives files that cannot be read
   */
  public SearchResult search(
      List<String> texts, SearchOptions options, Consumer<String> problems, Matches matches) {
    KeyRule rule = file.table().options().rule();
    List<KeyRule.Wanted> keys = new ArrayList<>();
    for (String text : texts) {
      keys.add(rule.wanted(text, options.anyCase()));
    }
    Candidates candidates = new Candidates(file, keys, options.all(), problems);
    ExecutorService workers = Workers.start(Workers.THREADS);
    try {
      List<Candidates.Candidate> files = candidates.find(options, workers);
      matches.changed(candidates.stale());
      Searching searching = new Searching(rule, keys, options, workers, problems);
      if (options.reading()) {
        searching.run(files, matches);
      } else {
        for (Candidates.Candidate candidate : files) {
          matches.candidate(candidate.path());
        }
      }
      return new SearchResult(
          candidates.stale().size(), searching.readParts(), searching.readBytes());
    } finally {
      workers.shutdownNow();
    }
  }
}
