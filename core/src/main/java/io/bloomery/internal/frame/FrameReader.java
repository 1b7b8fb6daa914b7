package io.bloomery.internal.frame;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.FrameHeader;
import io.bloomery.ReadOptions;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Memory;
import io.bloomery.internal.frame.Frame.Purpose;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads frames. A filter is returned only after all checks of its reading mode have passed; a
 * decoder never sees words with wrong checksums.
 */
public final class FrameReader {

  private static final String STREAM = "stream";

  /** The source and purpose of words, and the memory that decoding them may take. */
  private record Reading(Frame.SectionSource source, Purpose purpose, long budget) {}

  private final List<FilterKind<?>> kinds;

  /** A reader that knows these kinds. */
  public FrameReader(List<FilterKind<?>> kinds) {
    this.kinds = kinds;
  }

  /**
   * The filter of a file, on the heap; {@code hashers} is null if the caller has none. Neither the
   * file nor the filter takes more than {@code budget} bytes.
   */
  public <F extends Filter> F open(
      Path file, ReadOptions.@Nullable HasherSource hashers, Class<F> type, long budget)
      throws IOException {
    try (FileChannel channel = openChannel(file)) {
      FrameInput in = input(channel, file, budget);
      FrameHeader header = wholeHeader(in, channel);
      return decode(
          in,
          header,
          hashers,
          type,
          new Reading(() -> Payload.load(in, header, true), Purpose.LOADED, budget));
    } catch (IOException e) {
      throw named(file, e);
    }
  }

  /**
   * The filter of a file, in mapped memory; what must be decoded takes up to {@code budget}. If
   * {@code verified}, all of the file was checked before.
   */
  public <F extends Filter> F map(
      Path file,
      ReadOptions.@Nullable HasherSource hashers,
      Class<F> type,
      long budget,
      boolean verified)
      throws IOException {
    try (FileChannel channel = openChannel(file)) {
      FrameInput in = input(channel, file, Long.MAX_VALUE);
      FrameHeader header = wholeHeader(in, channel);
      if (verified) {
        verify(in, header, channel);
      }
      Frame.SectionSource source = () -> Payload.map(channel, in.origin(), header, false);
      return decode(in, header, hashers, type, new Reading(source, Purpose.MAPPED, budget));
    } catch (IOException e) {
      throw named(file, e);
    }
  }

  /** The same until it is closed: {@code mapped} receives the words in mapped memory. */
  public <F extends Filter> F map(
      Path file,
      ReadOptions.@Nullable HasherSource hashers,
      Class<F> type,
      long budget,
      boolean verified,
      List<Words> mapped)
      throws IOException {
    try (FileChannel channel = openChannel(file)) {
      FrameInput in = input(channel, file, Long.MAX_VALUE);
      FrameHeader header = wholeHeader(in, channel);
      if (verified) {
        verify(in, header, channel);
      }
      Frame.SectionSource source = closeable(channel, in.origin(), header, mapped);
      return decode(in, header, hashers, type, new Reading(source, Purpose.MAPPED, budget));
    } catch (IOException e) {
      mapped.forEach(Words::close);
      throw named(file, e);
    } catch (RuntimeException | Error e) {
      mapped.forEach(Words::close);
      throw e;
    }
  }

  private static Frame.SectionSource closeable(
      FileChannel channel, String file, FrameHeader header, List<Words> mapped) {
    return () -> {
      mapped.addAll(Payload.map(channel, file, header, true));
      return mapped;
    };
  }

  /** The next filter of a stream, if its frame is no longer than {@code budget}. */
  public <F extends Filter> F read(
      InputStream stream, long budget, ReadOptions.@Nullable HasherSource hashers, Class<F> type)
      throws IOException {
    FrameInput in = new FrameInput(stream, STREAM, budget);
    FrameHeader header;
    try {
      header = HeaderCodec.read(in, kinds);
    } catch (FilterFormatException e) {
      throw in.position() > 0 ? e : new EOFException("the stream has ended; no filter is left");
    }
    in.skipZeros(header.payloadOffset());
    return decode(
        in,
        header,
        hashers,
        type,
        new Reading(() -> Payload.load(in, header, false), Purpose.LOADED, budget));
  }

  /** The filter whose frame an array holds, and nothing else. */
  public <F extends Filter> F read(
      byte[] bytes, long budget, ReadOptions.@Nullable HasherSource hashers, Class<F> type)
      throws FilterFormatException {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    F filter;
    try {
      filter = read(in, budget, hashers, type);
    } catch (FilterFormatException e) {
      throw e;
    } catch (EOFException e) {
      throw new FilterFormatException("bytes", 0, "no bytes, so no frame");
    } catch (IOException e) {
      throw new IllegalStateException("an array cannot fail", e);
    }
    if (in.available() > 0) {
      throw new FilterFormatException(
          "bytes",
          (long) bytes.length - in.available(),
          "the frame ends here; %d bytes follow".formatted(in.available()));
    }
    return filter;
  }

  /** The header of a file, after the checks that {@link #map} makes. */
  public FrameHeader header(Path file) throws IOException {
    try (FileChannel channel = openChannel(file)) {
      return wholeHeader(input(channel, file, Long.MAX_VALUE), channel);
    } catch (IOException e) {
      throw named(file, e);
    }
  }

  /** The header of a frame in memory; what follows it is not looked at. */
  public FrameHeader header(byte[] bytes) throws FilterFormatException {
    try {
      return HeaderCodec.read(
          new FrameInput(new ByteArrayInputStream(bytes), "bytes", Long.MAX_VALUE), kinds);
    } catch (FilterFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new IllegalStateException("an array cannot fail", e);
    }
  }

  /** The header of a file of which every byte and every rule of its kind was checked. */
  public FrameHeader verify(Path file) throws IOException {
    try (FileChannel channel = openChannel(file)) {
      FrameInput in = input(channel, file, Long.MAX_VALUE);
      FrameHeader header = wholeHeader(in, channel);
      verify(in, header, channel);
      return header;
    } catch (IOException e) {
      throw named(file, e);
    }
  }

  private static void verify(FrameInput in, FrameHeader header, FileChannel channel)
      throws IOException {
    Payload.verify(in, header);
    // No check depends on the hashes of keys, so any key works for a keyed filter.
    Hasher hasher = header.isKeyed() ? Hasher.keyed(new byte[16]) : hasher("", header, null);
    List<Words> mapped = new ArrayList<>();
    try {
      Frame.SectionSource source = closeable(channel, in.origin(), header, mapped);
      decode(in, header, hasher, new Reading(source, Purpose.VERIFIED, Long.MAX_VALUE));
    } finally {
      mapped.forEach(Words::close);
    }
  }

  /** The bytes that all frames begin with, for messages. */
  public static String magic() {
    return HeaderCodec.magic();
  }

  /** Whether a file is a frame, possibly a damaged one. */
  public static boolean isFrame(Path file) throws IOException {
    try (FileChannel channel = openChannel(file)) {
      return HeaderCodec.isMagic(
          Channels.newInputStream(channel).readNBytes(HeaderCodec.MAGIC_BYTES));
    } catch (IOException e) {
      throw named(file, e);
    }
  }

  /** An error of reading a file, which names it: those of channels name nothing. */
  public static IOException named(Path file, IOException error) {
    return named(file.toString(), error);
  }

  /** The same by the name of the file. */
  public static IOException named(String file, IOException error) {
    if (error.getClass() != IOException.class) {
      return error;
    }
    IOException named = new FileSystemException(file, null, error.getMessage());
    named.initCause(error);
    return named;
  }

  private static FileChannel openChannel(Path file) throws IOException {
    return FileChannel.open(Objects.requireNonNull(file, "file"), StandardOpenOption.READ);
  }

  private static FrameInput input(FileChannel channel, Path file, long budget) {
    return new FrameInput(Channels.newInputStream(channel), file.toString(), budget);
  }

  /** Header, padding and the file's length, which the header must give exactly. */
  private FrameHeader wholeHeader(FrameInput in, FileChannel channel) throws IOException {
    FrameHeader header = HeaderCodec.read(in, kinds);
    long expected = header.frameBytes();
    long found = channel.size();
    if (found != expected) {
      throw new FilterFormatException(
          in.origin(),
          Math.min(found, expected),
          "the file has %d bytes; the frame has %d".formatted(found, expected));
    }
    in.skipZeros(header.payloadOffset());
    return header;
  }

  private static <F extends Filter> F decode(
      FrameInput in,
      FrameHeader header,
      ReadOptions.@Nullable HasherSource hashers,
      Class<F> type,
      Reading reading)
      throws IOException {
    FilterKind<?> kind = header.kind();
    if (!type.isAssignableFrom(kind.type())) {
      throw new FilterFormatException(
          in.origin(),
          HeaderCodec.KIND_AT,
          "kind %s is a %s, not a %s"
              .formatted(kind, kind.type().getSimpleName(), type.getSimpleName()));
    }
    Hasher hasher = hasher(in.origin(), header, hashers == null ? null : hashers.hasher(header));
    return type.cast(Objects.requireNonNull(decode(in, header, hasher, reading)));
  }

  /** The filter; null if it was only verified. */
  private static @Nullable Filter decode(
      FrameInput in, FrameHeader header, @Nullable Hasher hasher, Reading reading)
      throws IOException {
    Frame frame =
        Frame.read(header, hasher, reading.source, in.origin(), reading.budget, reading.purpose);
    Filter filter;
    try {
      filter = frame.verifyAs(header.kind());
    } catch (IllegalArgumentException e) { // from a constructor, which knows its ranges best
      throw frame.problem(e.getMessage());
    } catch (OutOfMemoryError e) { // of a large array, which leaves the rest as it was
      throw frame.problem(Memory.shortage(header.frameBytes()));
    }
    frame.checkAllUsed();
    return filter;
  }

  /** The hasher that the header names: the given one if it matches, or one with the stored seed. */
  private static @Nullable Hasher hasher(String origin, FrameHeader header, @Nullable Hasher given)
      throws FilterFormatException {
    if (given == null) {
      if (header.isKeyed()) {
        throw new FilterFormatException(
            origin,
            HeaderCodec.SEED_AT,
            "made with a secret key (%s); give the key with %s"
                .formatted(
                    header.hash(),
                    header.nonce().isPresent() ? "KeyedFilters.of(secret)" : "Hasher.keyed(key)"));
      }
      return header.hashId() == 0 ? null : Hasher.xxh3(header.seedOrKeyCheck());
    }
    if (given.matches(header.hashId(), header.seedOrKeyCheck(), header.nonce())) {
      return given;
    }
    throw new FilterFormatException(
        origin,
        HeaderCodec.SEED_AT,
        "%s: the filter was made with %s; the hasher given is %s"
            .formatted(
                header.isKeyed() && given.isKeyed() ? "wrong key" : "wrong hasher",
                header.hash(),
                given));
  }
}
