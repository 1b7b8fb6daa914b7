package io.bloomery.foreign.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.bytes.ForeignBytes;
import java.io.IOException;

/**
 * Reads structures in Thrift's compact protocol. Nothing is read from {@code end} on, lists cannot
 * be longer than the bytes that are left, and structures nest no deeper than {@link #MAX_DEPTH}.
 *
 * <p>A structure is read by calling {@link #field} until it returns 0, and reading or {@linkplain
 * #skip() skipping} each field's value; {@link #enter} and {@link #leave} enclose it. Apache
 * Thrift, "Thrift compact protocol".
 */
final class ThriftCompact {

  static final int I32 = 5;
  static final int I64 = 6;
  static final int BINARY = 8;
  static final int LIST = 9;
  static final int STRUCT = 12;

  static final int MAX_DEPTH = 32;

  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  private static final int DOUBLE = 7;
  private static final int SET = 10;
  private static final int MAP = 11;
  private static final int UUID = 13;
  private static final int UUID_BYTES = 16;
  private static final int LONG_LIST = 15;
  private static final int MAX_VARINT_BITS = 70;

  private final ForeignBytes in;
  private final long end;
  private final int[] fields = new int[MAX_DEPTH];
  private int depth = -1;
  private int type;

  /** Reads from the current position on. */
  ThriftCompact(ForeignBytes in, long end) {
    this.in = in;
    this.end = end;
  }

  /** Begins a structure. */
  void enter() throws FilterFormatException {
    if (depth + 1 == MAX_DEPTH) {
      throw in.problem(in.position(), "structures are nested deeper than %d", MAX_DEPTH);
    }
    fields[++depth] = 0;
  }

  /** Ends the structure whose last {@link #field} was 0. */
  void leave() {
    depth--;
  }

  /** The number of the next field, 0 after the last one. */
  int field() throws IOException {
    int head = u8("a field");
    type = head & 15;
    if (head == 0) {
      return 0;
    }
    int step = head >>> 4;
    long id = step == 0 ? zigzag(varint("a field's number")) : fields[depth] + step;
    fields[depth] = (int) in.within(id, 1, Short.MAX_VALUE, "a field's number");
    return fields[depth];
  }

  /** Throws unless the last field is of this type. */
  ThriftCompact want(int wanted, String what) throws FilterFormatException {
    if (type != wanted) {
      throw in.problem(in.position(), "%s is of type %d, not %d", what, type, wanted);
    }
    return this;
  }

  /** Whether the last field is a truth value that is false. */
  boolean isFalse() {
    return type == FALSE;
  }

  /** The last field as a 32-bit number. */
  int i32(String what) throws IOException {
    long value = want(I32, what).zigzag(varint(what));
    return (int) in.within(value, Integer.MIN_VALUE, Integer.MAX_VALUE, what);
  }

  /** The last field as a 64-bit number. */
  long i64(String what) throws IOException {
    return want(I64, what).zigzag(varint(what));
  }

  /** The last field, a list of structures or texts: how many there are. */
  int list(int elements, String what) throws IOException {
    want(LIST, what);
    int size = listHead(what);
    if (size > 0 && type != elements) {
      throw in.problem(in.position(), "%s are of type %d, not %d", what, type, elements);
    }
    return size;
  }

  /** A text of a list or field. */
  String text(String what) throws IOException {
    return new String(in.bytes(length(what), what), UTF_8);
  }

  /** Skips the value of the last field. */
  void skip() throws IOException {
    skip(type, true);
  }

  private void skip(int kind, boolean field) throws IOException {
    switch (kind) {
      case TRUE, FALSE -> pass(field ? 0 : 1);
      case BYTE -> pass(1);
      case I16, I32, I64 -> varint("a number");
      case DOUBLE -> pass(Double.BYTES);
      case BINARY -> pass(length("a text"));
      case UUID -> pass(UUID_BYTES);
      case STRUCT -> skipStruct();
      case LIST, SET -> {
        int size = listHead("a list");
        skipAll(size, type);
      }
      case MAP -> skipMap();
      default -> throw in.problem(in.position(), "%d is not a field type", kind);
    }
  }

  private void skipStruct() throws IOException {
    enter();
    while (field() != 0) {
      skip();
    }
    leave();
  }

  private void skipMap() throws IOException {
    long size = within(varint("a map"), "a map");
    if (size > 0) {
      int kinds = u8("the types of a map");
      skipAll(size, kinds >>> 4, kinds & 15);
    }
  }

  /** Skips a number of elements, each with values of these types; they may be nested. */
  private void skipAll(long size, int... kinds) throws IOException {
    enter();
    for (long i = 0; i < size; i++) {
      for (int kind : kinds) {
        skip(kind, false);
      }
    }
    leave();
  }

  private int listHead(String what) throws IOException {
    int head = u8(what);
    type = head & 15;
    int size = head >>> 4;
    return (int) within(size == LONG_LIST ? varint(what) : size, what);
  }

  private long length(String what) throws IOException {
    return within(varint(what), what);
  }

  /** A number of elements or bytes, each of which takes at least one byte. */
  private long within(long size, String what) throws FilterFormatException {
    return in.within(size, 0, Math.min(end - in.position(), Integer.MAX_VALUE - 8), what);
  }

  private void pass(long bytes) throws FilterFormatException {
    in.within(bytes, 0, end - in.position(), "a value's length");
    in.seek(in.position() + bytes);
  }

  private long varint(String what) throws IOException {
    long value = 0;
    for (int shift = 0; shift < MAX_VARINT_BITS; shift += 7) {
      int next = u8(what);
      value |= (long) (next & 127) << shift;
      if (next < 128) {
        return value;
      }
    }
    throw in.problem(in.position(), "%s takes more than 10 bytes", what);
  }

  private int u8(String what) throws IOException {
    if (in.position() >= end) {
      throw in.problem(in.position(), "%s is missing: the structure ends here", what);
    }
    return in.u8(what);
  }

  private long zigzag(long value) {
    return value >>> 1 ^ -(value & 1);
  }
}
