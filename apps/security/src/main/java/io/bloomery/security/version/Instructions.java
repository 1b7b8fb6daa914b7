package io.bloomery.security.version;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The instructions of a method as text: constants by their content and jumps by the number of the
 * instruction that they lead to, so that neither the order of constants nor the width of an index
 * matters.
 */
final class Instructions {

  private static final int LDC = 18;
  private static final int LDC_W = 19;
  private static final int GOTO = 167;
  private static final int TABLE_SWITCH = 170;
  private static final int LOOKUP_SWITCH = 171;
  private static final int WIDE = 196;
  private static final int IINC = 132;
  private static final int GOTO_W = 200;
  private static final int LAST = 201;

  private final ByteBuffer code;
  private final ConstantPool constants;
  private final int[] ordinals; // of the instruction at an offset, 0 if none begins there

  Instructions(byte[] code, ConstantPool constants) throws IOException {
    this.code = ByteBuffer.wrap(code);
    this.constants = constants;
    this.ordinals = new int[code.length + 1];
    int count = 0;
    for (int at = 0; at < code.length; at += length(at)) {
      ordinals[at] = ++count;
    }
    ordinals[code.length] = ++count; // where an exception table may end
  }

  /** The number of the instruction at an offset. */
  int ordinal(int offset) throws IOException {
    if (offset < 0 || offset >= ordinals.length || ordinals[offset] == 0) {
      throw new IOException("there is no instruction at " + offset);
    }
    return ordinals[offset];
  }

  private int opcode(int at) {
    return code.get(at) & 0xFF;
  }

  /** The length of the instruction at an offset. */
  private int length(int at) throws IOException {
    int opcode = opcode(at);
    int length =
        switch (opcode) {
          case TABLE_SWITCH -> switchEnd(at, 12, 4L * cases(at)) - at;
          case LOOKUP_SWITCH -> switchEnd(at, 8, 8L * pairs(at)) - at;
          case WIDE -> opcode(at + 1) == IINC ? 6 : 4;
          default -> 1 + operandBytes(opcode);
        };
    if (at + length > code.limit()) {
      throw new IOException("the last instruction is cut off");
    }
    return length;
  }

  private static int operandBytes(int opcode) throws IOException {
    if (opcode > LAST) {
      throw new IOException("there is no instruction " + opcode);
    }
    if (opcode == 16 || opcode == LDC || opcode == 169 || opcode == 188) {
      return 1;
    }
    if ((opcode >= 21 && opcode <= 25) || (opcode >= 54 && opcode <= 58)) {
      return 1;
    }
    if (opcode == 185 || opcode == 186 || opcode >= GOTO_W) {
      return 4;
    }
    if (opcode == 197) {
      return 3;
    }
    return opcode == 17 || opcode == IINC || isJump(opcode) || isOfConstant(opcode) ? 2 : 0;
  }

  private static boolean isJump(int opcode) {
    return (opcode >= 153 && opcode <= 168) || opcode == 198 || opcode == 199;
  }

  private static boolean isOfConstant(int opcode) {
    return (opcode >= LDC && opcode <= 20)
        || (opcode >= 178 && opcode <= 187)
        || opcode == 189
        || opcode == 192
        || opcode == 193
        || opcode == 197;
  }

  /** Where the numbers of a switch begin: at a multiple of 4. */
  private static int aligned(int at) {
    return (at + 4) & -4;
  }

  private int cases(int at) {
    int low = code.getInt(aligned(at) + 4);
    return (int) Math.min(Integer.MAX_VALUE, 1L + code.getInt(aligned(at) + 8) - low);
  }

  private int pairs(int at) {
    return code.getInt(aligned(at) + 4);
  }

  private int switchEnd(int at, int header, long rest) throws IOException {
    long end = aligned(at) + header + rest;
    if (rest < 0 || end > code.limit()) {
      throw new IOException("a switch is cut off");
    }
    return (int) end;
  }

  /** All instructions. */
  void appendTo(StringBuilder out) throws IOException {
    for (int at = 0; at < code.limit(); at += length(at)) {
      append(out, at, opcode(at));
      out.append('\n');
    }
  }

  private void append(StringBuilder out, int at, int opcode) throws IOException {
    if (opcode == LDC || opcode == LDC_W) {
      int index = opcode == LDC ? opcode(at + 1) : code.getShort(at + 1) & 0xFFFF;
      out.append(LDC).append(' ').append(constants.text(index));
    } else if (isOfConstant(opcode)) {
      out.append(opcode).append(' ').append(constants.text(code.getShort(at + 1) & 0xFFFF));
      appendBytes(out, at + 3, at + length(at));
    } else if (isJump(opcode)) {
      out.append(opcode).append(' ').append(ordinal(at + code.getShort(at + 1)));
    } else if (opcode >= GOTO_W) {
      out.append(opcode - GOTO_W + GOTO).append(' ').append(ordinal(at + code.getInt(at + 1)));
    } else if (opcode == TABLE_SWITCH) {
      out.append(opcode).append(' ').append(code.getInt(aligned(at) + 4));
      out.append(' ').append(ordinal(at + code.getInt(aligned(at))));
      for (int i = 0; i < cases(at); i++) {
        out.append(' ').append(ordinal(at + code.getInt(aligned(at) + 12 + 4 * i)));
      }
    } else if (opcode == LOOKUP_SWITCH) {
      out.append(opcode).append(' ').append(ordinal(at + code.getInt(aligned(at))));
      for (int i = 0; i < pairs(at); i++) {
        int pair = aligned(at) + 8 + 8 * i;
        out.append(' ').append(code.getInt(pair));
        out.append('>').append(ordinal(at + code.getInt(pair + 4)));
      }
    } else {
      out.append(opcode);
      appendBytes(out, at + 1, at + length(at));
    }
  }

  private void appendBytes(StringBuilder out, int from, int to) {
    for (int i = from; i < to; i++) {
      out.append(' ').append(code.get(i));
    }
  }
}
