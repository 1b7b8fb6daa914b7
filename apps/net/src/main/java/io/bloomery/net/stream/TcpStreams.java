package io.bloomery.net.stream;

import io.bloomery.hash.Hasher;
import io.bloomery.net.stream.TcpStream.Held;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Puts the segments of TCP connections in order, each direction on its own, and tells a {@link
 * Receiver}.
 *
 * <p><b>Guarantee.</b> Every captured byte of a segment is delivered at its place as data, or is
 * one of those that were delivered or are held for that place, or goes to {@link Receiver#variant}.
 * Data of a direction come in order of their places. Memory stays within the options; what that
 * costs is counted: directions that are dropped, and bytes that are given up as missing. Packets
 * that pretend to begin or end a connection change nothing until data follow them.
 *
 * <p>Threads: one.
 *
 * @param <S> what the receiver keeps of a direction
 */
public final class TcpStreams<S> {

  /**
   * What was done.
   *
   * @param opened directions that were begun
   * @param dropped directions that were dropped for others before they were closed
   * @param missing bytes in no packet
   * @param gaps how often bytes were missing
   * @param variants how often bytes were sent that differ from those for the same place, or cannot
   *     be compared any more
   */
  public record Counts(long opened, long dropped, long missing, long gaps, long variants) {}

  private static final int PIECE = 64; // what held bytes take beside themselves

  private final StreamOptions options;
  private final Receiver<S> receiver;
  private final FlowId.Maker ids;
  private final LinkedHashMap<FlowId, TcpStream<S>> streams =
      new LinkedHashMap<>(16, 0.75f, true); // the least recently used first
  private long bytes;
  private long opened;
  private long dropped;
  private long missing;
  private long gaps;
  private long variants;

  /**
   * Creates an object that follows no connection yet.
   *
   * @param options the limits
   * @param hasher a keyed hash, which strangers do not know
   * @param receiver what takes the data
   */
  public TcpStreams(StreamOptions options, Hasher hasher, Receiver<S> receiver) {
    this.options = options;
    this.receiver = receiver;
    this.ids = new FlowId.Maker(hasher);
  }

  /** What was done so far. */
  public Counts counts() {
    return new Counts(opened, dropped, missing, gaps, variants);
  }

  /** The memory that all bytes take now. */
  long bytes() {
    return bytes;
  }

  /** How many directions are followed now. */
  int size() {
    return streams.size();
  }

  /** Takes a segment. */
  public void take(Segment segment) {
    FlowId id =
        ids.of(
            segment.sourceHigh,
            segment.sourceLow,
            segment.destinationHigh,
            segment.destinationLow,
            segment.ports);
    TcpStream<S> stream = streams.get(id);
    int begin = segment.has(Segment.SYN) ? segment.sequence + 1 : segment.sequence;
    if (stream == null) {
      if (segment.length == 0 && !segment.has(Segment.SYN)) {
        return;
      }
      stream = open(id, segment);
    } else if (segment.has(Segment.SYN) && begin != stream.next) {
      stream.other = begin;
      stream.hasOther = stream.position > 0 || !stream.held.isEmpty();
      if (!stream.hasOther) {
        stream.next = begin; // nothing was sent since the first attempt
      }
    }
    if (stream.hasOther && segment.length > 0 && begin == stream.other) {
      end(stream);
      streams.remove(id);
      stream = open(id, segment);
      stream.next = begin;
    }
    stream.nanos = segment.nanos;
    if (segment.has(Segment.FIN) || segment.has(Segment.RST)) {
      stream.isClosed = true;
    }
    if (segment.length > 0) {
      long before = stream.bytes();
      place(stream, segment, begin);
      bytes += stream.bytes() - before;
    }
    shrink(stream);
  }

  /** Delivers what is still held, and ends all directions. */
  public void finish() {
    for (TcpStream<S> stream : streams.values()) {
      end(stream);
    }
    streams.clear();
    bytes = 0;
  }

  private TcpStream<S> open(FlowId id, Segment segment) {
    TcpStream<S> stream = new TcpStream<>(id, segment);
    stream.nanos = segment.nanos;
    stream.state = receiver.opened(stream);
    streams.put(id, stream);
    opened++;
    return stream;
  }

  /** Drops the directions that were quiet for the longest time until the rest fits. */
  private void shrink(TcpStream<S> current) {
    Iterator<Map.Entry<FlowId, TcpStream<S>>> eldest = null;
    while ((bytes > options.maxBytes() || streams.size() > options.maxStreams())
        && streams.size() > 1) {
      eldest = eldest == null ? streams.entrySet().iterator() : eldest;
      TcpStream<S> stream = eldest.next().getValue();
      if (stream == current) {
        return; // it is the last, and within the limits of one
      }
      eldest.remove();
      dropped += stream.isClosed && stream.held.isEmpty() ? 0 : 1;
      end(stream);
    }
  }

  /** Delivers what is held, with gaps, and frees it. */
  private void end(TcpStream<S> stream) {
    bytes -= stream.bytes();
    while (!stream.held.isEmpty()) {
      skipTo(stream, stream.held.get(0).position());
      drain(stream);
    }
    receiver.ended(stream);
  }

  private void place(TcpStream<S> stream, Segment segment, int begin) {
    int distance = begin - stream.next; // modulo 2^32
    if (distance > 0) {
      hold(stream, segment, stream.position + distance);
    } else {
      int late = (int) Math.min(segment.length, -(long) distance);
      int again = Math.min(late, segment.captured);
      compare(stream, stream.position + distance, segment.bytes, segment.from, again);
      if (segment.captured > again) {
        deliver(stream, segment.bytes, segment.from + again, segment.captured - again);
      }
      int cut = segment.length - Math.max(segment.captured, late);
      if (cut > 0) {
        skipTo(stream, stream.position + cut);
      }
    }
    drain(stream);
    while (stream.heldBytes > options.maxHeld()) {
      skipTo(stream, stream.held.get(0).position());
      drain(stream);
    }
  }

  private void deliver(TcpStream<S> stream, byte[] from, int at, int length) {
    receiver.data(stream, from, at, length);
    stream.remember(from, at, length, options.history());
    stream.position += length;
    stream.next += length;
  }

  private void skipTo(TcpStream<S> stream, long position) {
    long count = position - stream.position;
    if (count > 0) {
      missing += count;
      gaps++;
      receiver.missing(stream, count);
      stream.forget();
      stream.position = position;
      stream.next += (int) count;
    }
  }

  /** Bytes for places before the current one: the same again, or others. */
  private void compare(TcpStream<S> stream, long at, byte[] from, int index, int length) {
    if (length <= 0) {
      return;
    }
    long kept = stream.position - stream.historyLength();
    int first = (int) Math.min(Integer.MAX_VALUE, at - kept);
    boolean same =
        at >= kept
            && first + length <= stream.historyLength()
            && Arrays.equals(stream.history(), first, first + length, from, index, index + length);
    if (!same) {
      vary(stream, at, from, index, length);
    }
  }

  private void vary(TcpStream<S> stream, long at, byte[] from, int index, int length) {
    variants++;
    receiver.variant(stream, at, from, index, length);
  }

  /** Keeps the bytes for places that have none yet, and compares the others. */
  private void hold(TcpStream<S> stream, Segment segment, long position) {
    long at = position;
    long end = position + segment.captured;
    int index = 0;
    while (at < end) {
      while (index < stream.held.size() && stream.held.get(index).end() <= at) {
        index++;
      }
      Held next = index < stream.held.size() ? stream.held.get(index) : null;
      int from = segment.from + (int) (at - position);
      if (next != null && next.position() <= at) {
        int length = (int) (Math.min(end, next.end()) - at);
        int other = (int) (at - next.position());
        if (!Arrays.equals(
            next.bytes(), other, other + length, segment.bytes, from, from + length)) {
          vary(stream, at, segment.bytes, from, length);
        }
        at += length;
      } else {
        int length = (int) (Math.min(end, next == null ? end : next.position()) - at);
        byte[] copy = Arrays.copyOfRange(segment.bytes, from, from + length);
        stream.held.add(index, new Held(at, copy));
        stream.heldBytes += length + PIECE;
        at += length;
      }
    }
  }

  /** Delivers the held bytes that are next. */
  private void drain(TcpStream<S> stream) {
    int done = 0;
    while (done < stream.held.size() && stream.held.get(done).position() <= stream.position) {
      Held piece = stream.held.get(done);
      int again = (int) Math.min(piece.length(), stream.position - piece.position());
      compare(stream, piece.position(), piece.bytes(), 0, again);
      if (again < piece.length()) {
        deliver(stream, piece.bytes(), again, piece.length() - again);
      }
      stream.heldBytes -= piece.length() + PIECE;
      done++;
    }
    if (done > 0) {
      stream.held.subList(0, done).clear();
    }
  }
}
