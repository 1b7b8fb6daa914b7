package io.bloomery.security.known;

import io.bloomery.security.known.KnownOptions.Digest;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Reads lists of digests, plain or packed, and counts the lines that cannot be read. */
final class ListReader {

  private static final int LONGEST_LINE = 1 << 20;
  private static final int BROKEN_SHOWN = 3;

  private final boolean strict;
  private final List<String> broken = new ArrayList<>();
  private @Nullable Digest digest;
  private long brokenLines;
  private long digests;

  /**
   * A reader.
   *
   * @param digest the digest of the lists; null: that of the first one
   * @param strict whether a broken line is an error
   */
  ListReader(@Nullable Digest digest, boolean strict) {
    this.digest = digest;
    this.strict = strict;
  }

  /** The digest of the lists; null if no line had one. */
  @Nullable Digest digest() {
    return digest;
  }

  /** How many digests were read. */
  long digests() {
    return digests;
  }

  /** How many lines could not be read. */
  long brokenLines() {
    return brokenLines;
  }

  /** The places of the first of them. */
  List<String> broken() {
    return broken;
  }

  /** Reads a list; the taker finds the line in its argument. */
  void read(Path path, Consumer<DigestList> taker, LongConsumer progress) throws IOException {
    String file = Octets.name(path);
    if (file.equals(KeyInput.STANDARD_INPUT)) {
      throw new IOException("lists are read from files; one in this directory is ./-");
    }
    DigestList list = new DigestList(digest);
    Lines lines = new Lines(file, list, taker);
    Console silent = Console.system().readingFrom(InputStream.nullInputStream());
    Reading reading = new Reading(new LineSplitter(), null, true).limited(LONGEST_LINE);
    try {
      new KeyInput(silent, List.of(file)).read(reading, lines::take, progress);
    } catch (Problem e) {
      throw new IOException(e.getMessage(), e);
    }
    if (lines.failure != null) {
      throw new IOException(lines.failure);
    }
    digest = list.digest();
  }

  private final class Lines {

    private final String file;
    private final DigestList list;
    private final Consumer<DigestList> taker;
    private long line;
    private @Nullable String failure;

    Lines(String file, DigestList list, Consumer<DigestList> taker) {
      this.file = file;
      this.list = list;
      this.taker = taker;
    }

    boolean take(Block block) {
      for (int i = 0; i < block.count() && failure == null; i++) {
        line++;
        switch (list.read(block.bytes(), block.keyStarts()[i], block.keyEnds()[i])) {
          case DIGEST -> {
            digests++;
            taker.accept(list);
          }
          case BROKEN -> addBroken("%s, line %d: %s".formatted(file, line, list.problem()));
          case OTHER -> {}
        }
      }
      return failure == null;
    }

    private void addBroken(String place) {
      if (strict) {
        failure = place;
        return;
      }
      brokenLines++;
      if (broken.size() < BROKEN_SHOWN) {
        broken.add(place);
      }
    }
  }
}
