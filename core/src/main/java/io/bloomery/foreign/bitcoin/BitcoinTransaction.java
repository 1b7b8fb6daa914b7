package io.bloomery.foreign.bitcoin;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.bytes.ForeignBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The parts of a transaction that BIP 37 uses. The id is the double SHA-256 of the transaction
 * without its witnesses, in the order of the bytes, not of its display.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record BitcoinTransaction(byte[] id, List<Input> inputs, List<byte[]> outputScripts) {

  private static final int OUTPOINT_BYTES = 36;
  private static final int PUSHDATA1 = 76;
  private static final int PUSHDATA4 = 78;

  /** The spent output, as its id and number, and the script that allows it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Input(byte[] outpoint, byte[] script) {}

  /** Parses a transaction; allocates only for bytes that are present. */
  static BitcoinTransaction parse(byte[] bytes) throws FilterFormatException {
    try (ForeignBytes in = ForeignBytes.of(Objects.requireNonNull(bytes, "transaction"))) {
      return parse(bytes, in);
    } catch (FilterFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new IllegalStateException("an array cannot fail", e);
    }
  }

  private static BitcoinTransaction parse(byte[] bytes, ForeignBytes in) throws IOException {
    in.need(Integer.BYTES, "the version");
    in.seek(Integer.BYTES);
    int body = Integer.BYTES;
    long count = CompactSize.read(in, "the number of inputs");
    boolean witness = count == 0;
    if (witness) {
      in.within(in.u8("the witness flag"), 1, 1, "the witness flag");
      body += 2;
      count = CompactSize.read(in, "the number of inputs");
    }
    List<Input> inputs = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      byte[] outpoint = in.bytes(OUTPOINT_BYTES, "an outpoint");
      inputs.add(new Input(outpoint, text(in, "an input's script")));
      in.i32("a sequence number");
    }
    List<byte[]> outputs = new ArrayList<>();
    for (long i = CompactSize.read(in, "the number of outputs"); i > 0; i--) {
      in.i64("an amount");
      outputs.add(text(in, "an output's script"));
    }
    int end = (int) in.position();
    for (long i = witness ? count : 0; i > 0; i--) {
      for (long parts = CompactSize.read(in, "parts of a witness"); parts > 0; parts--) {
        text(in, "a part of a witness");
      }
    }
    in.needExactly(Integer.BYTES, "the lock time");
    MessageDigest digest = sha256();
    digest.update(bytes, 0, Integer.BYTES);
    digest.update(bytes, body, end - body);
    digest.update(bytes, bytes.length - Integer.BYTES, Integer.BYTES);
    return new BitcoinTransaction(digest.digest(digest.digest()), inputs, outputs);
  }

  private static byte[] text(ForeignBytes in, String what) throws IOException {
    return in.bytes(CompactSize.read(in, what), what);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The key of an output: the id and the output's number. */
  byte[] outpoint(int output) {
    return ByteBuffer.allocate(OUTPOINT_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(id)
        .putInt(output)
        .array();
  }

  /** The data that a script pushes, up to its end or to a push that is longer than the script. */
  static List<byte[]> pushes(byte[] script) {
    List<byte[]> pushes = new ArrayList<>();
    int at = 0;
    while (at < script.length) {
      int code = script[at++] & 0xFF;
      long length = code < PUSHDATA1 ? code : 0;
      if (code >= PUSHDATA1 && code <= PUSHDATA4) {
        int width = 1 << (code - PUSHDATA1);
        if (width > script.length - at) {
          break;
        }
        for (int i = 0; i < width; i++) {
          length |= (script[at++] & 0xFFL) << (8 * i);
        }
      }
      if (length > script.length - at) {
        break;
      }
      pushes.add(Arrays.copyOfRange(script, at, at + (int) length));
      at += (int) length;
    }
    return pushes;
  }
}
