package io.bloomery.cli.security;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockReader;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The keys of an input, one per line; empty lines are none. */
final class KeyLines implements Iterator<byte[]> {

  private final BlockReader reader;
  private final String name;
  private final boolean isHex;
  private @Nullable Block block;
  private int at;
  private long line;

  /** The lines of a reader; the name is for messages. */
  KeyLines(BlockReader reader, String name, boolean isHex) {
    this.reader = reader;
    this.name = name;
    this.isHex = isHex;
  }

  /** Fails before anything is read if a file cannot be, or if it cannot be read several times. */
  static void check(Console console, Path... files) {
    for (Path file : files) {
      if (Octets.name(file).equals(KeyInput.STANDARD_INPUT)) {
        throw new Problem("keys are read from files; one in this directory is ./-");
      }
    }
    new KeyInput(console, Stream.of(files).map(Octets::name).toList());
  }

  static Reading reading() {
    return new Reading(new LineSplitter(), null, false);
  }

  /** The keys of a file, which the stream closes. */
  static Stream<byte[]> of(Path file, boolean isHex) {
    BlockReader reader = BlockReader.open(file, reading());
    KeyLines lines = new KeyLines(reader, Octets.name(file), isHex);
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(lines, Spliterator.NONNULL), false)
        .onClose(reader::close);
  }

  /**
   * The bytes of a key that is written as the options say.
   *
   * @param place where it is from, for the message
   */
  static byte[] parse(String place, byte[] bytes, boolean isHex) {
    if (!isHex) {
      return bytes;
    }
    String key = Octets.text(bytes);
    try {
      return HexFormat.of().parseHex(key);
    } catch (IllegalArgumentException e) {
      throw new Problem("%s: '%s' is not hexadecimal".formatted(place, key));
    }
  }

  @Override
  public boolean hasNext() {
    while (true) {
      Block current = block;
      if (current == null || at == current.count()) {
        current = reader.next();
        block = current;
        at = 0;
        if (current == null) {
          return false;
        }
      } else if (current.keyStarts()[at] == current.keyEnds()[at]) {
        at++;
        line++;
      } else {
        return true;
      }
    }
  }

  @Override
  public byte[] next() {
    if (!hasNext() || block == null) {
      throw new NoSuchElementException();
    }
    byte[] key = Arrays.copyOfRange(block.bytes(), block.keyStarts()[at], block.keyEnds()[at]);
    at++;
    line++;
    return isHex ? parse(name + ", line " + line, key, true) : key;
  }
}
