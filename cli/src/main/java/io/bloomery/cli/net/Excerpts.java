package io.bloomery.cli.net;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Bytes to look for, and what the user calls them. */
final class Excerpts {

  private static final int MOST_BYTES = 1 << 24;

  private final String name;
  private final byte[] bytes;

  private Excerpts(String name, byte[] bytes) {
    this.name = name;
    this.bytes = bytes;
  }

  String name() {
    return name;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Reads them from files, in pieces unless that is 0, and from hexadecimal numbers. */
  static List<Excerpts> read(Console console, List<String> files, long pieces, List<String> hex) {
    List<Excerpts> excerpts = new ArrayList<>();
    for (String each : hex) {
      excerpts.add(new Excerpts(each, ofHex(each)));
    }
    for (String file : files) {
      byte[] bytes = ofFile(console, file);
      if (pieces == 0) {
        excerpts.add(new Excerpts(file, bytes));
      }
      for (long from = 0; pieces > 0 && from < bytes.length; from += pieces) {
        int to = (int) Math.min(bytes.length, from + pieces);
        if (to - from == pieces || from == 0) { // a last, shorter one is in many flows
          excerpts.add(new Excerpts(file + "@" + from, Arrays.copyOfRange(bytes, (int) from, to)));
        }
      }
    }
    return excerpts;
  }

  private static byte[] ofHex(String text) {
    try {
      return HexFormat.of().parseHex(text.replaceAll("[\\s:]", ""));
    } catch (IllegalArgumentException e) {
      throw new Problem("--hex '" + text + "' is not an even number of hexadecimal digits");
    }
  }

  private static byte[] ofFile(Console console, String file) {
    boolean typed = file.equals(KeyInput.STANDARD_INPUT);
    try (InputStream in = typed ? console.in() : Octets.open(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new Problem(file + ": has more than " + Text.bytes(MOST_BYTES));
      }
      return bytes;
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }
}
