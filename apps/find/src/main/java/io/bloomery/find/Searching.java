package io.bloomery.find;

import io.bloomery.find.Candidates.Candidate;
import io.bloomery.find.Candidates.Part;
import io.bloomery.find.Delivery.Found;
import io.bloomery.find.Delivery.Hit;
import io.bloomery.find.context.PassingLines;
import io.bloomery.find.context.Surroundings;
import io.bloomery.find.walk.FoundFile;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads candidates on several threads and delivers the matches in order. Each thread holds one
 * chunk in memory, and the matches of up to twice as many parts as threads are kept.
 */
final class Searching {

  /** A file, its parts that remain to be read, and where they go. */
  private record Opened(Candidate file, Iterator<Part> parts, Delivery delivery) {}

  /** A part that is being read. */
  private record Pending(
      Candidate file, Part part, boolean last, Delivery delivery, Future<Found> found) {}

  private static final int AHEAD = 2 * Workers.THREADS;
  private static final int PACKED_PIECE = 1 << 18;
  private static final Part WHOLE = new Part(0, Long.MAX_VALUE, 0);

  private static final ThreadLocal<Chunks.Buffer> BUFFERS = new Buffers();

  private final KeyRule rule;
  private final List<KeyRule.Wanted> keys;
  private final SearchOptions options;
  private final ExecutorService workers;
  private final Consumer<String> problems;
  private final AtomicLong readBytes = new AtomicLong();
  private final AtomicLong readParts = new AtomicLong();

  /** Reads with all threads of {@code workers}. */
  Searching(
      KeyRule rule,
      List<KeyRule.Wanted> keys,
      SearchOptions options,
      ExecutorService workers,
      Consumer<String> problems) {
    this.rule = rule;
    this.keys = keys;
    this.options = options;
    this.workers = workers;
    this.problems = problems;
  }

  /** Reads all candidates, or until {@code matches} stops the search. */
  void run(List<Candidate> candidates, Matches matches) {
    Queue<Pending> pending = new ArrayDeque<>();
    Iterator<Candidate> files = candidates.iterator();
    Opened opened = null; // the file whose parts are not all submitted yet
    boolean more = true;
    while (more) {
      while (pending.size() < AHEAD && (opened != null || files.hasNext())) {
        Opened file = opened == null ? open(files.next(), matches) : opened;
        pending.add(submit(file));
        opened = file.parts.hasNext() ? file : null;
      }
      Pending next = pending.poll();
      if (next == null) {
        return;
      }
      next.delivery.take(next.part, get(next));
      if (next.last) {
        try (Delivery delivery = next.delivery) {
          more = delivery.end();
        }
      }
    }
  }

  private Opened open(Candidate file, Matches matches) {
    List<Part> parts = file.packed() ? List.of(WHOLE) : file.parts();
    Delivery delivery = new Delivery(file, options, matches, problems, readBytes::addAndGet);
    return new Opened(file, parts.iterator(), delivery);
  }

  /** Starts to read the next part of a file. */
  private Pending submit(Opened opened) {
    Part part = opened.parts.next();
    AtomicBoolean done = opened.delivery.done();
    Future<Found> found = workers.submit(new Reading(opened.file, part, done));
    return new Pending(opened.file, part, !opened.parts.hasNext(), opened.delivery, found);
  }

  private static final class Buffers extends ThreadLocal<Chunks.Buffer> {
    @Override
    protected Chunks.Buffer initialValue() {
      return new Chunks.Buffer();
    }
  }

  /** Reads a part, unless enough of its file has been found. */
  private final class Reading implements Callable<Found> {
    private final Candidate file;
    private final Part part;
    private final AtomicBoolean done;

    Reading(Candidate file, Part part, AtomicBoolean done) {
      this.file = file;
      this.part = part;
      this.done = done;
    }

    @Override
    public Found call() {
      if (done.get()) {
        return new Found(List.of(), 0);
      }
      try {
        return file.packed() ? packed(file) : plain(file, part, done);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private Found get(Pending pending) {
    try {
      return Workers.get(pending.found);
    } catch (UncheckedIOException e) {
      IOException cause = Objects.requireNonNull(e.getCause());
      problems.accept(Problem.with(pending.file.path(), cause).getMessage());
    } catch (Problem e) {
      problems.accept(e.getMessage()); // rows that are not what they should be
    }
    return new Found(List.of(), 0);
  }

  /**
   * Searches the records that start in a part, as long as its file is not done; the last may end
   * beyond it.
   */
  private Found plain(Candidate file, Part part, AtomicBoolean done) throws IOException {
    Records records = new Records(rule, Octets.name(file.path()));
    Collector collector = new Collector(records, Math.max(0, part.line()), false);
    try (FileChannel channel = Pieces.open(file.path())) {
      records.begin(channel);
      Chunks chunks = new Chunks(BUFFERS.get(), channel, part, records);
      boolean more = true;
      while (more && !done.get() && chunks.next()) {
        readBytes.addAndGet(chunks.length());
        more = collector.search(chunks.bytes(), chunks.length(), chunks.from());
      }
    }
    readParts.incrementAndGet();
    return collector.found();
  }

  /** Searches a file that must be read from its start. */
  private Found packed(Candidate file) throws IOException {
    FoundFile found =
        FoundFile.of(file.path(), Files.readAttributes(file.path(), BasicFileAttributes.class));
    Records records = new Records(rule, Octets.name(file.path()));
    Collector collector = new Collector(records, 0, options.isWithContext());
    try (Pieces pieces = new Pieces(found, records, PACKED_PIECE, bytes -> {})) {
      long end = file.parts().get(file.parts().size() - 1).to();
      pieces.stopAt(end);
      boolean more = true;
      while (more
          && (pieces.from() + pieces.length() < end || collector.isOwing())
          && pieces.next()) {
        if (pieces.from() == 0) {
          records.begin(pieces.bytes(), pieces.length());
        }
        readBytes.addAndGet(pieces.length());
        more = collector.search(pieces.bytes(), pieces.length(), pieces.from());
      }
    }
    readParts.addAndGet(file.parts().size());
    return collector.found();
  }

  /** Collects the matches of one part, and the lines around them if that is wanted. */
  private final class Collector implements RecordSearch.Hits, Surroundings.Sink {
    private final RecordSearch search;
    private final List<Hit> hits = new ArrayList<>();
    private final @Nullable Surroundings around; // null: only matches
    private final PassingLines content = new PassingLines(options.before());
    private long from; // where in the content the array starts
    private int length; // of what is searched in the array
    private int counted; // line ends are counted up to here
    private final long linesBefore; // in the file, before the part
    private long lines;

    Collector(Records records, long linesBefore, boolean withContext) {
      this.linesBefore = linesBefore;
      this.search =
          rule.isOfRows()
              ? new RowSearch(records, keys, options.all(), options.anyCase())
              : options.anyCase()
                  ? new FoldedSearch(rule, keys, options.all())
                  : new LineSearch(rule, keys, options.all());
      this.around = withContext ? new Surroundings(options.before(), options.after(), this) : null;
    }

    boolean search(byte[] bytes, int count, long start) throws IOException {
      counted = 0;
      from = start;
      length = count;
      if (around != null) {
        content.add(bytes, length, around.end());
      }
      boolean more = search.find(bytes, length, linesBefore + lines + 1, from == 0, this);
      count(bytes, length);
      if (around != null) {
        around.advance(content, from + length);
      }
      return more;
    }

    private void count(byte[] bytes, int to) {
      if (options.numbered() || options.isWithContext() || rule.isOfRows()) {
        for (; counted < to; counted++) {
          lines += bytes[counted] == '\n' ? 1 : 0;
        }
      }
    }

    @Override
    public boolean record(byte[] bytes, int start, int end) {
      count(bytes, start);
      byte[] line = Arrays.copyOfRange(bytes, start, end);
      long next = from + (end < length && bytes[end] == '\n' ? end + 1 : end);
      if (around == null) {
        hits.add(new Hit(true, lines, from + start, next, line));
      } else {
        try {
          around.match(content, lines + 1, from + start, next, line);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return !options.onlyFirst();
    }

    @Override
    public void take(boolean match, long number, byte[] line) {
      hits.add(new Hit(match, number - 1, 0, 0, line));
    }

    boolean isOwing() {
      return around != null && around.isOwing();
    }

    Found found() {
      return new Found(hits, lines);
    }
  }

  /** The number of bytes read. */
  long readBytes() {
    return readBytes.get();
  }

  /** The number of parts read. */
  long readParts() {
    return readParts.get();
  }
}
