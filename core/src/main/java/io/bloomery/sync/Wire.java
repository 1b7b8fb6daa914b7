package io.bloomery.sync;

import io.bloomery.sync.ReconciliationException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Messages over a pair of streams: type, length, content, CRC32C of everything before. Sides take
 * turns, so that one reads while the other writes, and full pipes cannot block both. Nothing is
 * read beyond a message. Memory is taken as bytes arrive, not as they are announced, and counts
 * against the budget, whose limit all messages together may not exceed. What is sent is not
 * buffered.
 */
final class Wire {

  private static final int CHUNK = 1 << 16;
  private static final int LONGEST = Integer.MAX_VALUE - 16;
  private static final int MOST_TEXT = 200;
  private static final int CHECK_BYTES = 4;

  private final InputStream in;
  private final CheckedOut out;
  private final Budget budget;
  private long sent;
  private long received;
  private int messages;
  private boolean within; // a message of the peer, who may still be writing it

  Wire(InputStream in, OutputStream out, Budget budget) {
    this.in = in;
    this.out = new CheckedOut(out);
    this.budget = budget;
  }

  long sent() {
    return sent;
  }

  long received() {
    return received;
  }

  /** Messages of this side so far. */
  int messages() {
    return messages;
  }

  void send(Message message) throws IOException {
    Counter counter = new Counter();
    message.writeTo(counter);
    out.begin();
    out.write(message.type());
    new Message(message.type()).number(counter.count).writeTo(out);
    message.writeTo(out);
    sent += out.end();
    messages++;
  }

  /** Counts bytes. */
  private static final class Counter extends OutputStream {
    private long count;

    @Override
    public void write(int b) {
      count++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      count += length;
    }
  }

  /** Writes in pieces, and a checksum of everything at the end. */
  private static final class CheckedOut extends OutputStream {
    private final OutputStream to;
    private final byte[] buffer = new byte[CHUNK / 4];
    private final CRC32C check = new CRC32C();
    private int filled;
    private long count;

    CheckedOut(OutputStream to) {
      this.to = to;
    }

    void begin() {
      check.reset();
      count = 0;
      filled = 0;
    }

    @Override
    public void write(int b) throws IOException {
      if (filled == buffer.length) {
        pass();
      }
      buffer[filled++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      for (int done = 0; done < length; ) {
        if (filled == buffer.length) {
          pass();
        }
        int some = Math.min(length - done, buffer.length - filled);
        System.arraycopy(bytes, offset + done, buffer, filled, some);
        filled += some;
        done += some;
      }
    }

    private void pass() throws IOException {
      check.update(buffer, 0, filled);
      to.write(buffer, 0, filled);
      count += filled;
      filled = 0;
    }

    /** Writes the rest with the checksum; returns the bytes since the beginning. */
    long end() throws IOException {
      if (filled > buffer.length - CHECK_BYTES) {
        pass();
      }
      check.update(buffer, 0, filled);
      ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN).putInt(filled, (int) check.getValue());
      filled += CHECK_BYTES;
      to.write(buffer, 0, filled);
      to.flush();
      return count + filled;
    }
  }

  /** The next message, which must be of one of some types; a refusal is thrown. */
  Message.Content receive(int... types) throws IOException {
    within = true;
    budget.repayAll();
    CRC32C check = new CRC32C();
    int type = next(check);
    long length = 0;
    int shift = 0;
    for (int part = 0x80; part >= 0x80; shift += 7) {
      part = next(check);
      if (shift > 56) {
        throw new ReconciliationException(Reason.MALFORMED, "a message of endless length");
      }
      length |= (long) (part & 0x7F) << shift;
    }
    if (Arrays.stream(types).noneMatch(each -> each == type) && type != Message.REFUSE) {
      throw new ReconciliationException(
          Reason.MALFORMED,
          "message of type " + type + " instead of " + Arrays.toString(types) + "; not a peer?");
    }
    long most = Math.min(LONGEST, budget.limit() - received);
    if (length > most) {
      throw new ReconciliationException(
          Reason.LIMIT, "a message of " + length + " bytes; at most " + most + " are accepted");
    }
    byte[] content = content((int) length, check);
    verify(check);
    within = false;
    Message.Content message = new Message.Content(type, content);
    if (type == Message.REFUSE) {
      throw refusal(message);
    }
    return message;
  }

  private int next(CRC32C check) throws IOException {
    int next = in.read();
    if (next < 0) {
      throw ended();
    }
    received++;
    check.update(next);
    return next;
  }

  private static ReconciliationException ended() {
    return new ReconciliationException(Reason.TRUNCATED, "the peer's stream ended too early");
  }

  private byte[] content(int length, CRC32C check) throws IOException {
    int room = Math.min(length, CHUNK);
    borrow(room);
    byte[] content = new byte[room];
    int have = 0;
    while (have < length) {
      if (have == room) {
        room = (int) Math.min(length, 2L * have);
        borrow(room);
        content = Arrays.copyOf(content, room);
        budget.repay(have);
      }
      int count = in.read(content, have, content.length - have);
      if (count < 0) {
        throw ended();
      }
      check.update(content, have, count);
      have += count;
      received += count;
    }
    return content;
  }

  private void borrow(int bytes) throws ReconciliationException {
    budget.borrow(bytes, "a message of the peer");
  }

  private void verify(CRC32C check) throws IOException {
    int expected = (int) check.getValue();
    byte[] found = in.readNBytes(CHECK_BYTES);
    received += found.length;
    if (found.length < CHECK_BYTES) {
      throw ended();
    }
    if (ByteBuffer.wrap(found).order(ByteOrder.LITTLE_ENDIAN).getInt() != expected) {
      throw new ReconciliationException(Reason.MALFORMED, "a message is damaged: wrong checksum");
    }
  }

  /**
   * Tells the peer why this side gives up, unless the peer may be writing, since both would then
   * block.
   */
  void refuse(ReconciliationException why) {
    if (within || why.reason() == Reason.REFUSED) {
      return;
    }
    byte[] text = String.valueOf(why.getMessage()).getBytes(StandardCharsets.UTF_8);
    Message message = new Message(Message.REFUSE).number(why.reason().wireId());
    message.bytes(text, 0, Math.min(text.length, MOST_TEXT));
    try {
      send(message);
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  /** Whether a character is shown and moves nothing else, such as the direction of a text. */
  private static boolean isPlain(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private static ReconciliationException refusal(Message.Content message)
      throws ReconciliationException {
    message.number("reason", Integer.MAX_VALUE);
    byte[] bytes = message.bytes("text", Math.min(message.left(), MOST_TEXT));
    StringBuilder text = new StringBuilder();
    new String(bytes, StandardCharsets.UTF_8)
        .codePoints()
        .map(c -> isPlain(c) ? c : '?')
        .forEach(text::appendCodePoint);
    return new ReconciliationException(Reason.REFUSED, "the peer refused: " + text);
  }
}
