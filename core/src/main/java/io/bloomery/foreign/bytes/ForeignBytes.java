package io.bloomery.foreign.bytes;

import io.bloomery.FilterFormatException;
import io.bloomery.internal.check.Memory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file in a foreign format, with a position. Each method takes the name of what it
 * reads, and throws with that name, the offset and the length if the bytes end too early; nothing
 * is allocated for bytes that are not present. Not thread-safe.
 */
public final class ForeignBytes implements AutoCloseable {

  private static final int BUFFER = 1 << 16;
  private static final int HEAD = 8;

  private final String origin;
  private final long budget;
  private final @Nullable FileChannel channel; // null: all bytes are in the buffer
  private final long length;
  private final ByteBuffer buffer;
  private long bufferStart;
  private long numberStart; // of the number that was read last
  private long missingFrom; // where bytes were missing or left over, -1 if none were

  private ForeignBytes(
      String origin, @Nullable FileChannel channel, long length, ByteBuffer buffer, long budget) {
    this.origin = origin;
    this.budget = budget;
    this.channel = channel;
    this.length = length;
    this.buffer = buffer;
  }

  /**
   * The bytes of a file, which must not change while it is read, with three quarters of the heap as
   * the {@link #budget}.
   *
   * @param file the file
   * @return its bytes, to be closed
   * @throws IOException if the file cannot be opened
   */
  public static ForeignBytes of(Path file) throws IOException {
    return of(file, Memory.budget());
  }

  /**
   * The bytes of a file, which must not change while it is read.
   *
   * @param file the file
   * @param budget as {@link #budget} says
   * @return its bytes, to be closed
   * @throws IOException if the file cannot be opened
   */
  public static ForeignBytes of(Path file, long budget) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      long length = channel.size();
      ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(length, BUFFER)).limit(0);
      return new ForeignBytes(file.toString(), channel, length, buffer, budget);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * The bytes of an array, which must not change while it is read, with three quarters of the heap
   * as the {@link #budget}.
   *
   * @param bytes the whole file
   * @return these bytes
   */
  public static ForeignBytes of(byte[] bytes) {
    return of(bytes, Memory.budget());
  }

  /**
   * The bytes of an array, which must not change while it is read.
   *
   * @param bytes the whole file
   * @param budget as {@link #budget} says
   * @return these bytes
   */
  public static ForeignBytes of(byte[] bytes, long budget) {
    return new ForeignBytes("bytes", null, bytes.length, ByteBuffer.wrap(bytes), budget);
  }

  /**
   * The memory that the filter may take for bits that its header claims but the file does not hold.
   *
   * @return bytes
   */
  public long budget() {
    return budget;
  }

  /**
   * Throws if the memory that the last number claims, and the bytes do not hold, exceeds the
   * budget.
   *
   * @param bytes the memory it would take
   * @param what its name, for the message
   * @throws FilterFormatException if that is more than the budget
   */
  public void claim(long bytes, String what) throws FilterFormatException {
    if (bytes > budget) {
      throw problem(numberStart, "%s would take %d bytes; the budget is %d", what, bytes, budget);
    }
  }

  /**
   * How numbers of several bytes are read from now on; at first the highest byte comes first.
   *
   * @param order which byte comes first
   * @return this
   */
  public ForeignBytes order(ByteOrder order) {
    buffer.order(order);
    return this;
  }

  /**
   * How many bytes there are.
   *
   * @return the length of the file
   */
  public long length() {
    return length;
  }

  /**
   * Where the next byte is read.
   *
   * @return 0 … {@link #length}
   */
  public long position() {
    return bufferStart + buffer.position();
  }

  /**
   * The number of remaining bytes.
   *
   * @return {@link #length} minus {@link #position}
   */
  public long remaining() {
    return length - position();
  }

  /**
   * Moves to a position within the bytes or to their end.
   *
   * @param position 0 … {@link #length}
   */
  public void seek(long position) {
    if (position >= bufferStart && position <= bufferStart + buffer.limit()) {
      buffer.position((int) (position - bufferStart));
    } else {
      bufferStart = position;
      buffer.position(0).limit(0);
    }
  }

  /**
   * The next byte, 0 … 255.
   *
   * @param what the number's name, for messages
   * @return the number
   * @throws IOException if the bytes end too early, or cannot be read
   */
  public int u8(String what) throws IOException {
    fill(1, what);
    return Byte.toUnsignedInt(buffer.get());
  }

  /**
   * The next two bytes, 0 … 65,535.
   *
   * @param what the number's name, for messages
   * @return the number
   * @throws IOException if the bytes end too early, or cannot be read
   */
  public int u16(String what) throws IOException {
    fill(Short.BYTES, what);
    return Short.toUnsignedInt(buffer.getShort());
  }

  /**
   * The next four bytes, with their sign.
   *
   * @param what the number's name, for messages
   * @return the number
   * @throws IOException if the bytes end too early, or cannot be read
   */
  public int i32(String what) throws IOException {
    fill(Integer.BYTES, what);
    return buffer.getInt();
  }

  /**
   * The next four bytes, without a sign.
   *
   * @param what the number's name, for messages
   * @return the number
   * @throws IOException if the bytes end too early, or cannot be read
   */
  public long u32(String what) throws IOException {
    return Integer.toUnsignedLong(i32(what));
  }

  /**
   * The next eight bytes.
   *
   * @param what the number's name, for messages
   * @return the number
   * @throws IOException if the bytes end too early, or cannot be read
   */
  public long i64(String what) throws IOException {
    fill(Long.BYTES, what);
    return buffer.getLong();
  }

  /**
   * The next eight bytes, as IEEE 754 has them.
   *
   * @param what the number's name, for messages
   * @return the number
   * @throws IOException if the bytes end too early, or cannot be read
   */
  public double f64(String what) throws IOException {
    return Double.longBitsToDouble(i64(what));
  }

  /**
   * The next bytes, in a new array.
   *
   * @param count how many
   * @param what their name, for messages
   * @return the bytes
   * @throws IOException if the bytes end too early, or cannot be read
   */
  public byte[] bytes(long count, String what) throws IOException {
    need(count, what);
    if (count > Integer.MAX_VALUE - 8) {
      throw problem(position(), "%s: %d bytes are more than one array holds", what, count);
    }
    byte[] bytes = new byte[(int) count];
    for (int done = 0; done < bytes.length; ) {
      fill(1, what);
      int some = Math.min(bytes.length - done, buffer.remaining());
      buffer.get(bytes, done, some);
      done += some;
    }
    return bytes;
  }

  /**
   * The next 64-bit numbers in the current byte order.
   *
   * @param count how many
   * @param what their name, for messages
   * @return the numbers
   * @throws IOException if the bytes end too early, or cannot be read
   */
  public long[] words(long count, String what) throws IOException {
    if (count < 0 || count > Integer.MAX_VALUE - 8) {
      throw problem(position(), "%s: %d words are more than one array holds", what, count);
    }
    need(count * Long.BYTES, what);
    long[] words = new long[(int) count];
    for (int i = 0; i < words.length; i++) {
      words[i] = i64(what);
    }
    return words;
  }

  /**
   * The next bytes as bits, the lowest of each byte first: bit i is bit i mod 64 of word i / 64.
   *
   * @param byteCount how many bytes
   * @param what their name, for messages
   * @return the words
   * @throws IOException if the bytes end too early, or cannot be read
   */
  public long[] bits(long byteCount, String what) throws IOException {
    ByteOrder order = buffer.order();
    order(ByteOrder.LITTLE_ENDIAN);
    long whole = byteCount / Long.BYTES;
    int rest = (int) (byteCount % Long.BYTES);
    need(byteCount, what);
    if (whole >= Integer.MAX_VALUE - 8) {
      throw problem(position(), "%s: %d bytes are more than one array holds", what, byteCount);
    }
    long[] words = new long[(int) (whole + (rest > 0 ? 1 : 0))];
    for (int i = 0; i < whole; i++) {
      words[i] = i64(what);
    }
    for (int i = 0; i < rest; i++) {
      words[words.length - 1] |= (long) u8(what) << (i * Byte.SIZE);
    }
    order(order);
    return words;
  }

  /**
   * Throws unless at least this many bytes remain.
   *
   * @param count how many
   * @param what their name, for the message
   * @throws FilterFormatException if fewer remain
   */
  public void need(long count, String what) throws FilterFormatException {
    if (count < 0 || count > remaining()) {
      throw wrongLength(
          position(), "%s: %d bytes are needed, %d are left", what, count, remaining());
    }
  }

  /**
   * Throws unless exactly this many bytes remain.
   *
   * @param count how many
   * @param what their name, for the message
   * @throws FilterFormatException if fewer or more remain
   */
  public void needExactly(long count, String what) throws FilterFormatException {
    need(count, what);
    if (count != remaining()) {
      throw wrongLength(
          position(), "%s: %d bytes are expected, %d are left", what, count, remaining());
    }
  }

  /**
   * Throws unless the number that was read last is within its range.
   *
   * @param value the number
   * @param least the lowest that is allowed
   * @param most the highest that is allowed
   * @param what its name, for the message
   * @return the number
   * @throws FilterFormatException if it is outside
   */
  public long within(long value, long least, long most, String what) throws FilterFormatException {
    if (value < least || value > most) {
      throw problem(
          numberStart, "%s = %d is outside the allowed range %d … %d", what, value, least, most);
    }
    return value;
  }

  /**
   * Throws if bytes remain.
   *
   * @throws FilterFormatException if bytes follow the filter
   */
  public void end() throws FilterFormatException {
    if (remaining() != 0) {
      throw problem(position(), "%d bytes follow the filter", remaining());
    }
  }

  /**
   * The exception for a file that is shorter or longer than its header says.
   *
   * @param at the offset to name
   * @param form the message, as {@link String#format} takes it
   * @param values the values in the message
   * @return an exception to throw
   */
  public FilterFormatException wrongLength(long at, String form, Object... values) {
    missingFrom = position();
    return problem(at, form, values);
  }

  /**
   * Where the last attempt to read it found bytes missing or left over.
   *
   * @return the offset, -1 if it did not
   */
  public long missingFrom() {
    return missingFrom;
  }

  /** Starts reading at the first byte. */
  public void restart() {
    seek(0);
    missingFrom = -1;
  }

  /**
   * The exception for a defect at an offset.
   *
   * @param at the offset to name
   * @param form the message, as {@link String#format} takes it
   * @param values the values in the message
   * @return an exception to throw
   */
  public FilterFormatException problem(long at, String form, @Nullable Object... values) {
    return new FilterFormatException(origin, at, String.format(Locale.ROOT, form, values));
  }

  /**
   * The message of a problem, without the name of the file.
   *
   * @param problem the result of {@link #problem} or {@link #wrongLength}
   * @return the rest of its message
   */
  public String withoutOrigin(FilterFormatException problem) {
    return Objects.requireNonNull(problem.getMessage()).substring(origin.length() + 2);
  }

  /**
   * The first bytes, for a message.
   *
   * @return up to eight bytes in hexadecimal
   * @throws IOException if they cannot be read
   */
  public String head() throws IOException {
    seek(0);
    byte[] head = bytes(Math.min(HEAD, length), "the first bytes");
    return head.length == 0 ? "none" : HexFormat.ofDelimiter(" ").formatHex(head);
  }

  /**
   * Fills the buffer until it holds this many bytes from the position on, at most {@link #BUFFER}.
   */
  private void fill(int count, String what) throws IOException {
    numberStart = position();
    if (buffer.remaining() >= count) {
      return;
    }
    need(count, what);
    bufferStart = position();
    buffer.compact();
    while (buffer.position() < count) {
      // The bytes of an array are all in the buffer, so that only those of a file are missing.
      if (FileReads.read(channel, buffer, bufferStart + buffer.position(), origin) < 0) {
        throw problem(length, "%s: the file was cut short while it was read", what);
      }
    }
    buffer.flip();
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  /** Writes the numbers of a foreign format; call {@link #flush} at the end. Not thread-safe. */
  public static final class Output {

    private static final int BUFFER = 1 << 13;

    private final OutputStream out;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);

    /**
     * Writes to a stream, through a small buffer.
     *
     * @param out the stream; neither flushed nor closed
     * @param order which byte of a number comes first
     */
    public Output(OutputStream out, ByteOrder order) {
      this.out = out;
      buffer.order(order);
    }

    /**
     * A byte.
     *
     * @param value its lowest 8 bits are written
     * @return this
     * @throws IOException if writing fails
     */
    public Output u8(int value) throws IOException {
      room(1).put((byte) value);
      return this;
    }

    /**
     * Two bytes.
     *
     * @param value its lowest 16 bits are written
     * @return this
     * @throws IOException if writing fails
     */
    public Output u16(int value) throws IOException {
      room(Short.BYTES).putShort((short) value);
      return this;
    }

    /**
     * Four bytes.
     *
     * @param value the number
     * @return this
     * @throws IOException if writing fails
     */
    public Output i32(int value) throws IOException {
      room(Integer.BYTES).putInt(value);
      return this;
    }

    /**
     * Eight bytes.
     *
     * @param value the number
     * @return this
     * @throws IOException if writing fails
     */
    public Output i64(long value) throws IOException {
      room(Long.BYTES).putLong(value);
      return this;
    }

    /**
     * Eight bytes, as IEEE 754 has them.
     *
     * @param value the number
     * @return this
     * @throws IOException if writing fails
     */
    public Output f64(double value) throws IOException {
      return i64(Double.doubleToRawLongBits(value));
    }

    /**
     * Bytes as they are.
     *
     * @param bytes the bytes
     * @return this
     * @throws IOException if writing fails
     */
    public Output bytes(byte[] bytes) throws IOException {
      flush();
      out.write(bytes);
      return this;
    }

    /**
     * Numbers of eight bytes each.
     *
     * @param words the numbers
     * @return this
     * @throws IOException if writing fails
     */
    public Output words(long[] words) throws IOException {
      for (long word : words) {
        i64(word);
      }
      return this;
    }

    /**
     * The first bytes of bits as {@link ForeignBytes#bits} reads them.
     *
     * @param words the bits
     * @param byteCount how many bytes
     * @return this
     * @throws IOException if writing fails
     */
    public Output bits(long[] words, long byteCount) throws IOException {
      for (long i = 0; i < byteCount; i++) {
        u8((int) (words[(int) (i >>> 3)] >>> ((i & 7) << 3)));
      }
      return this;
    }

    /**
     * Writes buffered bytes to the stream, which itself is not flushed.
     *
     * @throws IOException if writing fails
     */
    public void flush() throws IOException {
      out.write(buffer.array(), 0, buffer.position());
      buffer.clear();
    }

    private ByteBuffer room(int count) throws IOException {
      if (buffer.remaining() < count) {
        flush();
      }
      return buffer;
    }
  }
}
