package io.bloomery.security.version;

import static io.bloomery.security.version.ConstantPool.u2;

import io.bloomery.hash.Hasher;
import io.bloomery.tools.spill.RunHash;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * The content of a class file that relocation keeps: simple names, members and instructions, but
 * neither names of packages, nor the order of constants, nor the version of the format, nor
 * annotations and what debuggers read.
 */
final class ClassContent {

  /** Under a key of this process, so that nobody can choose classes that collide. */
  static final Hasher HASHER = RunHash.hasher();

  private static final int MAGIC = 0xCAFEBABE;
  private static final int KEPT_FLAGS = 0xFFFF & ~0x1000; // synthetic: an attribute in old files

  private final ByteBuffer in;
  private final StringBuilder out = new StringBuilder(1 << 12);
  private final ConstantPool constants;

  private ClassContent(byte[] file) throws IOException {
    in = ByteBuffer.wrap(file);
    if (in.getInt() != MAGIC) {
      throw new IOException("not a class");
    }
    in.getInt(); // of the version, which tools change
    constants = new ConstantPool(in);
  }

  /**
   * The hash of a class file's content.
   *
   * @throws IOException if it is damaged
   */
  static long hash(byte[] file) throws IOException {
    return HASHER.hash(text(file));
  }

  /**
   * The content as text.
   *
   * @throws IOException if it is damaged
   */
  static String text(byte[] file) throws IOException {
    try {
      ClassContent content = new ClassContent(file);
      content.read();
      return content.out.toString();
    } catch (IndexOutOfBoundsException
        | IllegalArgumentException
        | BufferUnderflowException
        | NegativeArraySizeException e) {
      throw new IOException("not a sound class", e);
    }
  }

  private void read() throws IOException {
    int start = in.position();
    in.position(start + 6);
    int interfaces = u2(in);
    in.position(in.position() + 2 * interfaces);
    skipMembers();
    skipMembers();
    for (int i = u2(in); i > 0; i--) {
      int whole = in.limit();
      String name = attribute();
      int end = in.limit();
      if (name.equals("BootstrapMethods")) {
        constants.bootstraps(in);
      }
      in.limit(whole).position(end);
    }
    in.position(start);
    out.append(u2(in) & KEPT_FLAGS);
    for (int i = 0; i < 2; i++) { // the class and its superclass
      out.append(' ').append(constants.text(u2(in)));
    }
    for (int i = u2(in); i > 0; i--) {
      out.append(' ').append(constants.text(u2(in)));
    }
    members();
    members();
  }

  private void skipMembers() throws IOException {
    for (int i = u2(in); i > 0; i--) {
      in.position(in.position() + 6);
      for (int j = u2(in); j > 0; j--) {
        int whole = in.limit();
        attribute();
        int end = in.limit();
        in.limit(whole).position(end);
      }
    }
  }

  /** Begins an attribute, beyond whose end nothing can be read; returns its name. */
  private String attribute() throws IOException {
    String name = constants.utf8(u2(in));
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IOException("an attribute of " + length + " bytes");
    }
    in.limit(in.position() + length);
    return name;
  }

  private void members() throws IOException {
    int count = u2(in);
    out.append("\n= ").append(count);
    for (int i = 0; i < count; i++) {
      out.append('\n').append(u2(in) & KEPT_FLAGS);
      out.append(' ').append(constants.text(u2(in)));
      out.append(' ').append(constants.descriptor(u2(in)));
      for (int j = u2(in); j > 0; j--) {
        int whole = in.limit();
        String name = attribute();
        int end = in.limit();
        if (name.equals("ConstantValue")) {
          out.append(" = ").append(constants.text(u2(in)));
        } else if (name.equals("Code")) {
          code();
        }
        in.limit(whole).position(end);
      }
    }
  }

  private void code() throws IOException {
    in.getInt(); // of stack and locals, which follow from the instructions
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IOException("the code is cut off");
    }
    byte[] code = new byte[length];
    in.get(code);
    Instructions instructions = new Instructions(code, constants);
    out.append('\n');
    instructions.appendTo(out);
    for (int i = u2(in); i > 0; i--) {
      out.append("! ").append(instructions.ordinal(u2(in)));
      out.append(' ').append(instructions.ordinal(u2(in)));
      out.append(' ').append(instructions.ordinal(u2(in)));
      out.append(' ').append(constants.text(u2(in))).append('\n');
    }
  }
}
