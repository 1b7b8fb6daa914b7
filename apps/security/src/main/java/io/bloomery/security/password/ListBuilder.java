package io.bloomery.security.password;

import io.bloomery.Filters;
import io.bloomery.Storable;
import io.bloomery.frozen.FrozenBuilder;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.frozen.RibbonShape;
import io.bloomery.security.password.PasswordOptions.Input;
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
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Reads the files of a list, line by line, and writes its filter. */
final class ListBuilder {

  private static final int LONGEST_LINE = 1 << 20;
  private static final int BROKEN_SHOWN = 3;
  private static final int LOOKED_AT = 1000; // lines that decide what a file holds

  private final PasswordOptions options;
  private final LongConsumer progress;
  private final FrozenBuilder<RibbonShape, RibbonFilter> builder = RibbonFilter.builder();
  private final List<String> broken = new ArrayList<>();

  private @Nullable PasswordDigest digest; // null until a line was looked at
  private long brokenLines;
  private long passwords;
  private String file = "";
  private Input lines = Input.DETECTED;
  private long line;

  ListBuilder(PasswordOptions options, LongConsumer progress) {
    this.options = options;
    this.progress = progress;
    builder.falsePositiveRate(options.rate()).heapKeys(options.heapKeys());
    if (options.temporaryDirectory() != null) {
      builder.temporaryDirectory(options.temporaryDirectory());
    }
  }

  PasswordList.Built build(List<Path> files, Path target) throws IOException {
    try {
      for (Path each : files) {
        read(each);
      }
      if (passwords == 0) {
        throw new IOException(
            brokenLines == 0
                ? "there is no password in the list"
                : "no line of the list can be read: " + String.join("; ", broken));
      }
      boolean sharded = builder.addedKeys() > options.heapKeys();
      Storable filter = sharded ? builder.buildSharded() : builder.build();
      Filters.write(filter, ListFacts.of(options, digest(), passwords), target);
      return new PasswordList.Built(passwords, brokenLines, broken);
    } catch (Problem e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      builder.discard();
    }
  }

  private PasswordDigest digest() {
    return digest == null ? PasswordDigest.SHA1 : digest;
  }

  private void read(Path path) throws IOException {
    file = Octets.name(path);
    if (file.equals(KeyInput.STANDARD_INPUT)) {
      throw new IOException("lists are read from files; one in this directory is ./-");
    }
    lines = options.input();
    line = 0;
    Console silent = Console.system().readingFrom(InputStream.nullInputStream());
    Lines sink = new Lines();
    Reading reading = new Reading(new LineSplitter(), null, true).limited(LONGEST_LINE);
    new KeyInput(silent, List.of(file)).read(reading, sink::take, progress);
    if (sink.failure != null) {
      throw new IOException(sink.failure);
    }
  }

  /** Takes the lines of a file. */
  private final class Lines {

    private @Nullable PasswordKeys keys;
    private @Nullable HashLine hashLine;
    private @Nullable String failure;

    boolean take(Block block) {
      for (int i = 0; i < block.count() && failure == null; i++) {
        line++;
        int from = block.keyStarts()[i];
        int to = block.keyEnds()[i];
        if (from < to) {
          if (keys == null) {
            begin(block, i);
          }
          line(block.bytes(), from, to);
        }
      }
      return failure == null;
    }

    private void line(byte[] bytes, int from, int to) {
      if (failure == null && keys != null) {
        if (hashLine == null) {
          addPassword(keys, bytes, from, to);
        } else {
          addHash(keys, hashLine, bytes, from, to);
        }
      }
    }

    /** Decides from the first lines of a file what they hold. */
    private void begin(Block block, int first) {
      if (lines == Input.DETECTED) {
        lines = detected(block, first);
      }
      PasswordDigest here = lines == Input.NTLM ? PasswordDigest.NTLM : PasswordDigest.SHA1;
      if (digest != null && digest != here) {
        failure = file + ": a list holds SHA-1 or NTLM digests, not both";
      } else if (lines == Input.PLAIN && options.countClasses()) {
        failure = file + ": passwords without counts, which count classes need";
      } else if (lines != Input.PLAIN && options.oneChange()) {
        failure = file + ": digests, and only passwords can be changed";
      }
      digest = here;
      keys = new PasswordKeys(here, builder.hasher());
      hashLine = lines == Input.PLAIN ? null : new HashLine(here);
    }

    private void addPassword(PasswordKeys to, byte[] bytes, int from, int end) {
      to.take(bytes, from, end);
      builder.addHash(to.listed());
      passwords++;
      if (options.oneChange()
          && PasswordKeys.characters(bytes, from, end) <= PasswordKeys.MOST_CHARACTERS) {
        addDeletions(to, bytes, from, end);
      }
    }

    private void addDeletions(PasswordKeys to, byte[] bytes, int from, int end) {
      int position = 0;
      for (int at = from; at < end; position++) {
        int next = PasswordKeys.characterEnd(bytes, at, end);
        to.takeWithout(bytes, from, end, at, next);
        builder.addHash(to.deleted());
        builder.addHash(to.deletedAt(position));
        at = next;
      }
    }

    private void addHash(PasswordKeys to, HashLine parser, byte[] bytes, int from, int end) {
      String wrong = parser.read(bytes, from, end, to.digest());
      if (wrong == null && options.countClasses() && parser.count() == HashLine.NO_COUNT) {
        wrong = "the digest has no count";
      }
      if (wrong != null) {
        addBroken(wrong);
        return;
      }
      builder.addHash(to.listed());
      passwords++;
      for (int i = 0; options.countClasses() && i < PasswordKeys.CLASSES.length; i++) {
        if (parser.count() >= PasswordKeys.CLASSES[i]) {
          builder.addHash(to.seen(i));
        }
      }
    }

    private void addBroken(String wrong) {
      String place = "%s, line %d: %s".formatted(file, line, wrong);
      if (options.strict()) {
        failure = place;
        return;
      }
      brokenLines++;
      if (broken.size() < BROKEN_SHOWN) {
        broken.add(place);
      }
    }
  }

  /** What half of the first lines hold, so that a few broken ones do not decide. */
  private static Input detected(Block block, int first) {
    HashLine sha1 = new HashLine(PasswordDigest.SHA1);
    HashLine ntlm = new HashLine(PasswordDigest.NTLM);
    int looked = 0;
    int ofSha1 = 0;
    int ofNtlm = 0;
    for (int i = first; i < block.count() && looked < LOOKED_AT; i++) {
      int from = block.keyStarts()[i];
      int to = block.keyEnds()[i];
      if (from < to) {
        looked++;
        ofSha1 += sha1.isOfDigest(block.bytes(), from, to) ? 1 : 0;
        ofNtlm += ntlm.isOfDigest(block.bytes(), from, to) ? 1 : 0;
      }
    }
    if (2 * Math.max(ofSha1, ofNtlm) < looked) {
      return Input.PLAIN;
    }
    return ofSha1 >= ofNtlm ? Input.SHA1 : Input.NTLM;
  }
}
