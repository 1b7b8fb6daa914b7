package io.bloomery.net.index;

import io.bloomery.net.capture.Capture.Packet;
import io.bloomery.net.packet.FlowBytes;
import io.bloomery.net.packet.Unchanged;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Digests of traffic, a page for each time, in a directory: which flows had an excerpt, and whether
 * a packet passed. Pages that cannot be read are named in each answer.
 *
 * <p>One process writes at a time; any number may read meanwhile.
 */
public final class TrafficIndex {

  /**
   * Times that are asked for.
   *
   * @param from the first, in nanoseconds since 1970
   * @param to the last
   */
  public record Period(long from, long to) {
    /** All times. */
    public static final Period ALL = new Period(0, Long.MAX_VALUE);
  }

  /**
   * A flow that may have had an excerpt.
   *
   * @param flow its addresses and ports; null for one of those that were too many for the list
   * @param first when its first packet with a payload was captured, in nanoseconds since 1970; to
   *     the millisecond
   * @param last when its last one was
   */
  public record Attribution(@Nullable String flow, long first, long last) {}

  /**
   * What was found of an excerpt.
   *
   * @param flows the flows, in the order of pages
   * @param expectedFalse how many flows are expected that did not have it, if its bytes are random
   * @param missed whether a page has blocks that are too long to find it at every place
   */
  public record Found(List<Attribution> flows, double expectedFalse, boolean missed) {}

  /** A packet to ask for. */
  public static final class Mark {
    private final String flow;
    private final long nanos;
    private final byte[] unchanged = new byte[Unchanged.MOST];
    private final int length;

    /** Takes what is needed of a packet. */
    public Mark(Packet packet) {
      byte[] tuple = new byte[FlowBytes.TUPLE];
      FlowBytes.put(packet, tuple);
      this.flow = FlowBytes.text(tuple);
      this.nanos = packet.nanos();
      this.length = Unchanged.of(packet, unchanged);
    }

    /** Its addresses and ports. */
    public String flow() {
      return flow;
    }

    /** When it was captured, in nanoseconds since 1970. */
    public long nanos() {
      return nanos;
    }
  }

  /**
   * Where a packet may have passed.
   *
   * @param pages the times of pages that may have it
   * @param expectedFalse how many pages are expected if it did not pass
   */
  public record Passed(List<Period> pages, double expectedFalse) {}

  /**
   * What an index has.
   *
   * @param pages how many pages
   * @param period from the first to the last packet
   * @param bytes the bytes of all pages
   * @param traffic the bytes of IP packets that they stand for
   * @param packets the packets
   * @param tooShort packets whose payload is shorter than a block and in no digest
   * @param unlisted flows of pages that are not listed by name
   */
  public record Facts(
      int pages,
      Period period,
      long bytes,
      long traffic,
      long packets,
      long tooShort,
      long unlisted) {}

  private final PageDirectory directory;
  private final Consumer<IOException> unread;

  private TrafficIndex(PageDirectory directory, Consumer<IOException> unread) {
    this.directory = directory;
    this.unread = unread;
  }

  /**
   * Opens an index to ask it.
   *
   * @param directory where its pages are
   * @param unread is told of each page that cannot be read, in each query
   * @return the index
   * @throws IOException if there is no such directory
   */
  public static TrafficIndex open(Path directory, Consumer<IOException> unread) throws IOException {
    PageDirectory pages = new PageDirectory(directory);
    pages.files();
    return new TrafficIndex(pages, unread);
  }

  /**
   * Opens or begins an index to add packets.
   *
   * @throws IOException if the directory cannot be made
   */
  public static Writer writer(Path directory, IndexOptions options) throws IOException {
    Files.createDirectories(directory);
    return new Writer(new PageDirectory(directory), options);
  }

  /** How many pages a writer wrote, their size, and how many old ones it deleted for them. */
  public record Written(long pages, long bytes, long deleted) {}

  /** Takes packets, and writes a page whenever there are enough. */
  public static final class Writer implements AutoCloseable {
    private static final long LEAST_TIMED = 1 << 20; // bytes, so that times make no tiny pages

    private final PageDirectory directory;
    private final IndexOptions options;
    private PageBuild page;
    private long begun;
    private long pages;
    private long deleted;
    private long bytes;

    private Writer(PageDirectory directory, IndexOptions options) {
      this.directory = directory;
      this.options = options;
      this.page = new PageBuild(options);
    }

    /** Takes a packet; fails if a page cannot be written. */
    public void add(Packet packet) throws IOException {
      long length = options.every().toNanos();
      boolean isOld = length > 0 && packet.nanos() - begun >= length;
      boolean isFull = page.traffic() + PageBuild.captured(packet) > options.pageBytes();
      if (!page.isEmpty() && (isFull || (isOld && page.traffic() >= LEAST_TIMED))) {
        end(false);
      }
      if (page.isEmpty()) {
        begun = Math.max(0, packet.nanos());
      }
      page.add(packet);
    }

    private void end(boolean isLast) throws IOException {
      byte[] stored = page.end(isLast);
      page = new PageBuild(options);
      deleted += directory.add(stored, options.budgetBytes());
      bytes += stored.length;
      pages++;
    }

    /** What was written up to now. */
    public Written written() {
      return new Written(pages, bytes, deleted);
    }

    /** Writes the page that has begun. */
    @Override
    public void close() throws IOException {
      if (!page.isEmpty()) {
        end(true);
      }
    }
  }

  private void pages(Period period, ObjLongConsumer<Page> reader) throws IOException {
    for (Path file : directory.files()) {
      try {
        Page page = PageFile.read(file);
        if (page.isIn(period)) {
          reader.accept(page, Files.size(file));
        }
      } catch (IOException e) {
        if (!(e instanceof NoSuchFileException)) { // then it was deleted meanwhile, as the oldest
          unread.accept(e);
        }
      }
    }
  }

  /**
   * Finds the flows that may have had excerpts in one packet, or across packets where these were
   * joined.
   *
   * @param excerpts the bytes
   * @param period when
   * @return what was found, for each excerpt
   * @throws IOException if the directory cannot be read
   */
  public List<Found> find(List<byte[]> excerpts, Period period) throws IOException {
    List<List<Attribution>> flows = new ArrayList<>();
    double[] expected = new double[excerpts.size()];
    boolean[] missed = new boolean[excerpts.size()];
    excerpts.forEach(each -> flows.add(new ArrayList<>()));
    pages(
        period,
        (page, bytes) -> {
          for (int i = 0; i < expected.length; i++) {
            byte[] excerpt = excerpts.get(i);
            flows.get(i).addAll(page.find(excerpt, period));
            expected[i] += page.expected(excerpt.length);
            missed[i] |= excerpt.length < 2 * page.blockBytes() - 1;
          }
        });
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < expected.length; i++) {
      found.add(new Found(flows.get(i), expected[i], missed[i]));
    }
    return found;
  }

  /**
   * Says in which pages packets may have passed.
   *
   * @param marks the packets
   * @param period when
   * @return where, for each packet
   * @throws IOException if the directory cannot be read
   */
  public List<Passed> passed(List<Mark> marks, Period period) throws IOException {
    List<List<Period>> found = new ArrayList<>();
    double[] expected = {0};
    marks.forEach(mark -> found.add(new ArrayList<>()));
    pages(
        period,
        (page, bytes) -> {
          expected[0] += page.packets().falsePositiveRate();
          for (int i = 0; i < found.size(); i++) {
            if (page.mayHavePassed(marks.get(i).unchanged, marks.get(i).length)) {
              found.get(i).add(new Period(page.facts().start(), page.facts().end()));
            }
          }
        });
    return found.stream().map(pages -> new Passed(pages, expected[0])).toList();
  }

  /** What the index has in pages that can be read; fails if the directory cannot be. */
  public Facts facts() throws IOException {
    long[] sums = new long[6];
    long[] times = {Long.MAX_VALUE, 0};
    pages(
        Period.ALL,
        (page, bytes) -> {
          Page.Facts facts = page.facts();
          times[0] = Math.min(times[0], facts.start());
          times[1] = Math.max(times[1], facts.end());
          sums[0]++;
          sums[1] += bytes;
          sums[2] += facts.traffic();
          sums[3] += facts.packets();
          sums[4] += facts.tooShort();
          sums[5] += facts.unlisted();
        });
    return new Facts(
        (int) sums[0],
        new Period(Math.min(times[0], times[1]), times[1]),
        sums[1],
        sums[2],
        sums[3],
        sums[4],
        sums[5]);
  }
}
