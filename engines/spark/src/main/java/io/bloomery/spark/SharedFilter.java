package io.bloomery.spark;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoSerializable;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.FrameHeader.Description;
import io.bloomery.Storable;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.SparkFormat;
import io.bloomery.foreign.registry.ForeignFormats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A filter that can be broadcast: of any kind of Bloomery, or of any other system whose format
 * docs/formats.md describes. It is sent as the bytes of its file and is opened when it is first
 * used, once per executor; the bytes are then dropped. Works with Java serialization and with Kryo.
 *
 * <p>Thread-safe.
 */
public final class SharedFilter implements Serializable, KryoSerializable {

  private static final long serialVersionUID = 2;

  /** The first byte of a frame, which no format of another system begins with. */
  private static final byte NATIVE = (byte) 0x89;

  // Either the bytes or the filter, which replaces them once, under the lock.
  private transient byte @Nullable [] bytes;
  private transient @Nullable String format; // null: to be detected
  private transient volatile @Nullable Opened opened;

  /** A filter and what its bytes said of it. */
  private record Opened(Filter filter, Description description) {}

  private SharedFilter(byte[] bytes, @Nullable String format) {
    this.bytes = bytes;
    this.format = format;
  }

  private SharedFilter(Opened opened) {
    this.opened = opened;
  }

  /**
   * A filter that is open.
   *
   * @param filter one that can be stored, or one of another system; later adds are not shared
   * @return its bytes
   * @throws IllegalArgumentException if it is neither
   */
  public static SharedFilter of(Filter filter) {
    Objects.requireNonNull(filter, "filter");
    if (filter instanceof Storable storable) {
      return new SharedFilter(Filters.toBytes(storable, Descriptions.of(filter)), null);
    }
    if (filter instanceof ForeignFilter foreign) {
      return new SharedFilter(written(foreign), foreign.format().name());
    }
    throw new IllegalArgumentException(filter + " cannot be stored, so it cannot be shared");
  }

  /**
   * A filter as the bytes of its file.
   *
   * @param bytes a frame of Bloomery, or a file of another system whose format its content shows
   * @return the filter
   * @throws FilterFormatException if it is neither, or damaged
   */
  public static SharedFilter ofBytes(byte[] bytes) throws IOException {
    return new SharedFilter(opened(bytes, null));
  }

  /**
   * A filter as the bytes of another system's file.
   *
   * @param bytes the bytes
   * @param format the name of the format, as docs/formats.md has it
   * @return the filter
   * @throws FilterFormatException if the bytes are not of that format
   */
  public static SharedFilter ofBytes(byte[] bytes, String format) throws IOException {
    Objects.requireNonNull(format, "format");
    return new SharedFilter(opened(bytes, format));
  }

  /**
   * The filter.
   *
   * @return the same object for all tasks of an executor
   */
  public Filter filter() {
    return open().filter;
  }

  /** What its bytes say of it. */
  Description description() {
    return open().description;
  }

  private Opened open() {
    Opened open = opened;
    if (open == null) {
      synchronized (this) {
        open = opened;
        if (open == null) {
          try {
            open = opened(Objects.requireNonNull(bytes), format);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          opened = open;
          bytes = null;
        }
      }
    }
    return open;
  }

  /** The bytes of its file; not a copy, unless it is open. */
  byte[] bytes() {
    return stored().bytes;
  }

  /** What travels. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Stored(byte[] bytes, @Nullable String format) {}

  private synchronized Stored stored() {
    if (bytes != null) {
      return new Stored(bytes, format);
    }
    Opened open = Objects.requireNonNull(opened);
    return open.filter instanceof ForeignFilter foreign
        ? new Stored(written(foreign), foreign.format().name())
        : new Stored(Filters.toBytes((Storable) open.filter, open.description), null);
  }

  private static byte[] written(ForeignFilter filter) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      filter.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static Opened opened(byte[] bytes, @Nullable String format) throws IOException {
    if (format != null) {
      return new Opened(ForeignFormats.named(format).read(bytes), Description.NONE);
    }
    return bytes.length > 0 && bytes[0] == NATIVE
        ? new Opened(Filters.read(bytes), Filters.header(bytes).description())
        : new Opened(detected(bytes), Description.NONE);
  }

  /** Formats of other systems are detected in files. */
  private static Filter detected(byte[] bytes) throws IOException {
    Path file = Files.createTempFile("bloomery", ".filter");
    try {
      Files.write(file, bytes);
      // Spark's own bytes have no magic number; here they are expected.
      return ForeignFormats.candidates(file).equals(List.of(SparkFormat.FORMAT))
          ? SparkFormat.FORMAT.read(bytes)
          : Filters.open(file);
    } catch (FilterFormatException e) {
      // The user knows the bytes and not the file.
      throw new FilterFormatException("bytes", e.offset(), withoutSource(e));
    } finally {
      Files.delete(file);
    }
  }

  /** What is wrong, without the place. */
  static String withoutSource(FilterFormatException problem) {
    String place = problem.source() + ", byte " + problem.offset() + ": ";
    return Objects.requireNonNull(problem.getMessage()).substring(place.length());
  }

  @Serial
  private void writeObject(ObjectOutputStream out) throws IOException {
    Stored stored = stored();
    out.defaultWriteObject();
    out.writeObject(stored.bytes);
    out.writeObject(stored.format);
  }

  @Serial
  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    bytes = (byte[]) in.readObject();
    format = (String) in.readObject();
  }

  @Override
  public void write(Kryo kryo, Output out) {
    Stored stored = stored();
    out.writeInt(stored.bytes.length);
    out.writeBytes(stored.bytes);
    out.writeString(stored.format);
  }

  @Override
  public void read(Kryo kryo, Input in) {
    bytes = in.readBytes(in.readInt());
    format = in.readString();
  }

  @Override
  public String toString() {
    return "shared " + filter();
  }
}
