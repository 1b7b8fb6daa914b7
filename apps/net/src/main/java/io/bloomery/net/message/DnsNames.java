package io.bloomery.net.message;

import java.util.function.BiConsumer;

/** The names in a message of DNS: of questions and records, and those that records point to. */
public final class DnsNames {

  private static final int MOST = 253; // characters of a name
  private static final int HEADER = 12;
  private static final int MOST_RECORDS = 512;
  private static final int MOST_JUMPS = 16;

  private final byte[] name = new byte[MOST + 2];
  private byte[] bytes = {};
  private int start;
  private int end;
  private int length; // of the last name

  /** Creates a reader of any number of messages. */
  public DnsNames() {}

  /** Gives each name of a message, with dots, and its length; stops where it is malformed. */
  public void read(byte[] message, int from, int count, BiConsumer<byte[], Integer> taker) {
    bytes = message;
    start = from;
    end = from + count;
    if (count < HEADER) {
      return;
    }
    int questions = half(from + 4);
    int records = half(from + 6) + half(from + 8) + half(from + 10);
    int at = from + HEADER;
    for (int i = 0; i < Math.min(MOST_RECORDS, questions + records); i++) {
      at = name(at, taker);
      int fixed = i < questions ? 4 : 10;
      if (at < 0 || at + fixed > end) {
        return;
      }
      if (i >= questions) {
        content(half(at), at + fixed, taker);
        at += half(at + 8);
      }
      at += fixed;
    }
  }

  /** The name in a record of a type. */
  private void content(int type, int at, BiConsumer<byte[], Integer> taker) {
    switch (type) {
      case 2, 5, 6, 12, 39 -> name(at, taker); // NS, CNAME, SOA, PTR, DNAME
      case 15, 64, 65 -> name(at + 2, taker); // MX, SVCB, HTTPS
      case 33 -> name(at + 6, taker); // SRV
      default -> {
        // no name
      }
    }
  }

  /** Gives the name at an index; returns the index behind it, -1 if it is malformed. */
  private int name(int from, BiConsumer<byte[], Integer> taker) {
    length = 0;
    int at = from;
    int behind = -1;
    for (int jumps = 0; at < end; ) {
      int size = bytes[at] & 0xFF;
      if (size == 0) {
        if (length > 1) {
          taker.accept(name, length);
        }
        return behind < 0 ? at + 1 : behind;
      }
      if (size >= 0xC0) {
        if (at + 1 >= end || ++jumps > MOST_JUMPS) {
          return -1;
        }
        behind = behind < 0 ? at + 2 : behind;
        at = start + (half(at) & 0x3FFF);
      } else if (!label(at, size)) {
        return -1;
      } else {
        at += 1 + size;
      }
    }
    return -1;
  }

  private boolean label(int at, int size) {
    if (size > 63 || at + 1 + size > end || length + size + 1 > name.length) {
      return false;
    }
    if (length > 0) {
      name[length++] = '.';
    }
    System.arraycopy(bytes, at + 1, name, length, size);
    length += size;
    return true;
  }

  private int half(int at) {
    return (bytes[at] & 0xFF) << Byte.SIZE | (bytes[at + 1] & 0xFF);
  }
}
