package io.bloomery.security.version;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The constants of a class file as texts that do not depend on their order, and in which names of
 * classes have no packages. Long texts are replaced by their hash, and each is looked at once, so
 * that a small file neither becomes a large text nor takes long.
 */
final class ConstantPool {

  /** What a text constant names. */
  private enum Form {
    TYPE,
    DESCRIPTOR,
    STRING
  }

  private static final int DEEPEST = 16; // constants within constants
  private static final int LONGEST = 40;

  private final int[] tags;
  private final Object[] values; // a text, a number, or the indexes of other constants
  private final @Nullable String[] texts;
  private final Map<Form, Map<Integer, String>> forms = new EnumMap<>(Form.class); // of texts
  private String @Nullable [] bootstraps; // null until they were read

  /** Reads the constants, of which the number comes first. */
  ConstantPool(ByteBuffer in) throws IOException {
    int count = u2(in);
    tags = new int[count];
    values = new Object[count];
    texts = new String[count];
    for (int i = 1; i < count; i++) {
      int tag = in.get();
      tags[i] = tag;
      values[i] =
          switch (tag) {
            case 1 -> utf(in);
            case 3, 4 -> in.getInt();
            case 5, 6 -> in.getLong();
            case 7, 8, 16, 19, 20 -> new int[] {u2(in)};
            case 15 -> new int[] {in.get(), u2(in)};
            case 9, 10, 11, 12, 17, 18 -> new int[] {u2(in), u2(in)};
            default -> throw new IOException("constant " + i + " is of an unknown kind");
          };
      i += tag == 5 || tag == 6 ? 1 : 0;
    }
  }

  /** A number of two bytes. */
  static int u2(ByteBuffer in) {
    return in.getShort() & 0xFFFF;
  }

  private static String utf(ByteBuffer in) throws IOException {
    byte[] text = new byte[2 + (in.getShort(in.position()) & 0xFFFF)];
    in.get(text);
    return new DataInputStream(new ByteArrayInputStream(text)).readUTF();
  }

  /** Reads the attribute with the bootstrap methods, before any constant that needs them. */
  void bootstraps(ByteBuffer in) throws IOException {
    if (bootstraps != null) {
      throw new IOException("bootstrap methods are there twice");
    }
    String[] read = new String[u2(in)];
    for (int i = 0; i < read.length; i++) {
      StringBuilder text = new StringBuilder(text(u2(in)));
      int arguments = u2(in);
      for (int j = 0; j < arguments; j++) {
        text.append(' ').append(text(u2(in)));
      }
      read[i] = shortened(text.toString());
    }
    bootstraps = read;
    Arrays.fill(texts, null);
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST ? text : "#" + Long.toHexString(ClassContent.HASHER.hash(text));
  }

  /** A text constant as it is. */
  String utf8(int index) throws IOException {
    if (values[index] instanceof String text) {
      return text;
    }
    throw new IOException("constant " + index + " is no text");
  }

  /** A constant; empty for index 0. */
  String text(int index) throws IOException {
    return text(index, 0);
  }

  /** The descriptor of a field or method, with simple names. */
  String descriptor(int index) throws IOException {
    return form(Form.DESCRIPTOR, index);
  }

  private String form(Form form, int index) throws IOException {
    Map<Integer, String> all = forms.computeIfAbsent(form, any -> new HashMap<>());
    String known = all.get(index);
    if (known == null) {
      String text = utf8(index);
      known =
          shortened(
              switch (form) {
                case TYPE -> text.startsWith("[") ? Names.descriptor(text) : Names.simple(text);
                case DESCRIPTOR -> Names.descriptor(text);
                case STRING -> Names.withoutPackages(text);
              });
      all.put(index, known);
    }
    return known;
  }

  private String text(int index, int depth) throws IOException {
    if (index == 0) {
      return "";
    }
    if (depth > DEEPEST) {
      throw new IOException("constants refer to each other");
    }
    String known = texts[index];
    if (known == null) {
      known = shortened(made(index, depth + 1));
      texts[index] = known;
    }
    return known;
  }

  private String made(int index, int depth) throws IOException {
    if (!(values[index] instanceof int[] parts)) {
      return tags[index] + " " + values[index];
    }
    return switch (tags[index]) {
      case 7 -> form(Form.TYPE, parts[0]);
      case 8 -> "8 " + form(Form.STRING, parts[0]);
      case 12 -> text(parts[0], depth) + ":" + descriptor(parts[1]);
      case 15 -> parts[0] + ">" + text(parts[1], depth);
      case 16 -> descriptor(parts[0]);
      // While bootstrap methods are read, those of dynamic constants among their arguments are not
      // known, and left out.
      case 17, 18 -> bootstrap(parts[0]) + "}" + text(parts[1], depth);
      case 19, 20 -> "";
      default -> text(parts[0], depth) + "." + text(parts[1], depth);
    };
  }

  private String bootstrap(int index) {
    return bootstraps == null || index >= bootstraps.length ? "" : bootstraps[index];
  }
}
