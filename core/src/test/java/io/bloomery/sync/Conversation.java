package io.bloomery.sync;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The messages of both sides of a reconciliation. With a fixed seed, a side that receives the same
 * messages sends the same ones, so a damaged recording represents a damaged peer.
 *
 * @param initiator the bytes of the initiator
 * @param responder the bytes of the responder
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Conversation(byte[] initiator, byte[] responder) {

  /** Content and place of a message. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Part(int type, byte[] content) {

    /** The message with a right checksum. */
    byte[] sealed() {
      byte[] length = bytes(new Message(type).number(content.length));
      ByteBuffer bytes =
          ByteBuffer.allocate(1 + length.length + content.length + 4)
              .order(ByteOrder.LITTLE_ENDIAN);
      bytes.put((byte) type).put(length).put(content);
      CRC32C check = new CRC32C();
      check.update(bytes.array(), 0, bytes.position());
      return bytes.putInt((int) check.getValue()).array();
    }
  }

  /** Copies what is written. */
  private static final class Tee extends FilterOutputStream {
    private final ByteArrayOutputStream copy = new ByteArrayOutputStream();

    Tee(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      copy.write(bytes, offset, length);
    }
  }

  static Conversation of(SetReconciliation here, SetReconciliation there) throws IOException {
    Tee[] tees = new Tee[2];
    Peers.run(
        (in, out) -> {
          tees[0] = new Tee(out);
          return here.initiate(in, tees[0]);
        },
        (in, out) -> {
          tees[1] = new Tee(out);
          return there.respond(in, tees[1]);
        });
    return new Conversation(tees[0].copy.toByteArray(), tees[1].copy.toByteArray());
  }

  /** The content of a message. */
  static byte[] bytes(Message message) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      message.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  static List<Part> parts(byte[] bytes) {
    List<Part> parts = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.hasRemaining()) {
      int type = in.get();
      int length = 0;
      int next = 0x80;
      for (int shift = 0; next >= 0x80; shift += 7) {
        next = in.get() & 0xFF;
        length |= (next & 0x7F) << shift;
      }
      byte[] content = new byte[length];
      in.get(content).getInt();
      parts.add(new Part(type, content));
    }
    return parts;
  }

  static byte[] join(List<Part> parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    parts.forEach(part -> out.writeBytes(part.sealed()));
    return out.toByteArray();
  }

  /** What an initiator makes of a recording, with no one listening. */
  static SetReconciliation.Result initiate(SetReconciliation side, byte[] heard)
      throws IOException {
    return side.initiate(in(heard), OutputStream.nullOutputStream());
  }

  /** What a responder makes of a recording, with no one listening. */
  static SetReconciliation.Result respond(SetReconciliation side, byte[] heard) throws IOException {
    return side.respond(in(heard), OutputStream.nullOutputStream());
  }

  private static InputStream in(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }
}
