package io.bloomery.net.stream;

/**
 * Takes what {@link TcpStreams} delivers. Bytes are valid during the call only.
 *
 * @param <S> what it keeps of a direction
 */
public interface Receiver<S> {

  /** A direction begins; returns what is kept of it. */
  S opened(TcpStream<S> stream);

  /** The next bytes in order; {@link TcpStream#position} is that of the first. */
  void data(TcpStream<S> stream, byte[] bytes, int from, int length);

  /** This many of the next bytes are in no packet. */
  void missing(TcpStream<S> stream, long count);

  /**
   * Bytes for a place that has, or had, others, or of which that is not known any more.
   *
   * @param position the place of the first; negative before the first delivered byte
   */
  void variant(TcpStream<S> stream, long position, byte[] bytes, int from, int length);

  /** The direction is followed no longer. */
  void ended(TcpStream<S> stream);
}
