package io.bloomery.security.deny;

import io.bloomery.frozen.FilterCascade;
import io.bloomery.frozen.FrozenBuilder;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.frozen.RibbonShape;
import io.bloomery.hash.Hasher;
import io.bloomery.security.deny.DenyList.Built;
import io.bloomery.security.deny.DenyList.Rule;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Reads lists and declared items, and writes the file. */
final class ListWriter {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int LONGEST_LINE = 1 << 20;
  private static final int SHOWN = 3;
  private static final int MOST_RULES = 1 << 26;

  private final DenyOptions options;
  private final LongConsumer progress;
  private final Hasher hasher;
  private final BitSet kinds = new BitSet(Item.KINDS);
  private final Set<Rule> allowed = new TreeSet<>();
  private final List<String> broken = new ArrayList<>();

  private long brokenLines;
  private long[] hashes = new long[1 << 10];
  private int count;

  ListWriter(DenyOptions options, LongConsumer progress) {
    this.options = options;
    this.progress = progress;
    hasher =
        Hasher.xxh3(options.seed().isPresent() ? options.seed().getAsLong() : RANDOM.nextLong());
  }

  /** What a line is for. */
  private interface Taker {
    /** Takes a line, and says what is wrong with it. */
    @Nullable String take(String line) throws IOException;
  }

  Built build(List<Path> lists, Path target) throws IOException {
    for (Path universe : options.universe()) {
      if (!Files.isRegularFile(universe)) {
        throw new IOException(Octets.name(universe) + ": not a regular file");
      }
    }
    for (Path list : lists) {
      if (!options.universe().isEmpty() && !Files.isRegularFile(list)) {
        throw new IOException(
            Octets.name(list) + ": not a regular file, and with a universe it may be read twice");
      }
      read(list, this::takeRules, progress);
    }
    for (Path list : options.allow()) {
      read(list, this::takeAllowed, progress);
    }
    if (count == 0) {
      throw new IOException(
          brokenLines == 0
              ? "there is no rule in the list"
              : "no line of the list is a rule: " + String.join("; ", broken));
    }
    hashes = distinct(hashes, count);
    FrozenBuilder<RibbonShape, RibbonFilter> builder =
        RibbonFilter.builder().falsePositiveRate(options.rate()).hasher(hasher);
    RibbonFilter filter = builder.addHashes(hashes, 0, hashes.length).build();
    Universe universe = new Universe(filter);
    for (Path file : options.universe()) {
      read(file, universe::take, progress);
    }
    universe.verify(lists);
    long[] exceptions = distinct(universe.exceptions, universe.exceptionCount);
    FilterCascade cascade =
        exceptions.length == 0
            ? null
            : FilterCascade.builder().hasher(hasher).buildOfHashes(exceptions, hashes);
    new ListFile(hashes.length, universe.items, kinds, List.copyOf(allowed), filter, cascade)
        .write(target);
    return new Built(
        hashes.length,
        allowed.size(),
        brokenLines,
        broken,
        universe.items,
        universe.denied,
        universe.shown,
        exceptions.length);
  }

  /** The different ones of the first hashes of an array, which is sorted, in order. */
  private static long[] distinct(long[] hashes, int count) {
    Arrays.sort(hashes, 0, count);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || hashes[i] != hashes[kept - 1]) {
        hashes[kept++] = hashes[i];
      }
    }
    return Arrays.copyOf(hashes, kept);
  }

  private @Nullable String takeRules(String text) throws IOException {
    RuleLine line = RuleLine.of(text);
    if (line.isAllowed()) {
      allow(line.rules());
      return line.problem();
    }
    for (Rule rule : line.rules()) {
      if (count == MOST_RULES) {
        throw new IOException("more than " + MOST_RULES + " rules; build several lists");
      }
      kinds.set(Item.kind(rule));
      hashes = count == hashes.length ? Arrays.copyOf(hashes, 2 * count) : hashes;
      hashes[count++] = hasher.hash(rule.key());
    }
    return line.problem();
  }

  private @Nullable String takeAllowed(String text) throws IOException {
    RuleLine line = RuleLine.of(text);
    allow(line.rules());
    return line.problem();
  }

  private void allow(List<Rule> rules) throws IOException {
    allowed.addAll(rules);
    if (allowed.size() > ListFile.MOST_ALLOWED) {
      throw new IOException("more than " + ListFile.MOST_ALLOWED + " rules that allow");
    }
  }

  private void read(Path path, Taker taker, LongConsumer bytesRead) throws IOException {
    String file = Octets.name(path);
    if (file.equals(KeyInput.STANDARD_INPUT)) {
      throw new IOException("lists are read from files; one in this directory is ./-");
    }
    Console silent = Console.system().readingFrom(InputStream.nullInputStream());
    Reading reading = new Reading(new LineSplitter(), null, true).limited(LONGEST_LINE);
    Lines lines = new Lines(file, taker);
    try {
      new KeyInput(silent, List.of(file)).read(reading, lines::take, bytesRead);
    } catch (Problem e) {
      throw new IOException(e.getMessage(), e);
    }
    if (lines.failure != null) {
      throw lines.failure;
    }
  }

  /** Takes the lines of a file. */
  private final class Lines {

    private final String file;
    private final Taker taker;
    private long line;
    private @Nullable IOException failure;

    Lines(String file, Taker taker) {
      this.file = file;
      this.taker = taker;
    }

    boolean take(Block block) {
      for (int i = 0; i < block.count() && failure == null; i++) {
        line++;
        int from = block.keyStarts()[i];
        try {
          String wrong = taker.take(Octets.text(block.bytes(), from, block.keyEnds()[i] - from));
          if (wrong != null) {
            addBroken("%s, line %d: %s".formatted(file, line, wrong));
          }
        } catch (IOException e) {
          failure = e;
        }
      }
      return failure == null;
    }

    private void addBroken(String place) throws IOException {
      if (options.strict()) {
        throw new IOException(place);
      }
      brokenLines++;
      if (broken.size() < SHOWN) {
        broken.add(place);
      }
    }
  }

  /** The declared items. */
  private final class Universe {

    private final RibbonFilter filter;
    private final Set<Rule> claimed = new HashSet<>(); // whose hash is that of a rule
    private final List<String> shown = new ArrayList<>();
    private long items;
    private long denied;
    private long[] exceptions = new long[1 << 10];
    private int exceptionCount;

    Universe(RibbonFilter filter) {
      this.filter = filter;
    }

    @Nullable String take(String line) {
      if (line.isBlank() || line.startsWith("#")) {
        return null;
      }
      Item item = Item.of(line);
      if (item == null) {
        return "not a name, URL, address or digest";
      }
      items++;
      boolean isDenied = false;
      for (Rule rule : item.rules(kinds)) {
        long hash = hasher.hash(rule.key());
        if (!filter.mightContainHash(hash)) {
          continue;
        }
        if (Arrays.binarySearch(hashes, hash) >= 0) {
          claimed.add(rule);
          isDenied = true;
        } else {
          exceptions =
              exceptionCount == exceptions.length
                  ? Arrays.copyOf(exceptions, 2 * exceptionCount)
                  : exceptions;
          exceptions[exceptionCount++] = hash;
        }
      }
      if (isDenied && !isAllowed(item)) {
        denied++;
        if (shown.size() < SHOWN) {
          shown.add(line.strip());
        }
      }
      return null;
    }

    private boolean isAllowed(Item item) {
      BitSet all = new BitSet(Item.KINDS);
      all.set(0, Item.KINDS);
      return !allowed.isEmpty() && item.rules(all).stream().anyMatch(allowed::contains);
    }

    /** Fails if one of the items has the hash of a rule that is another one. */
    void verify(List<Path> lists) throws IOException {
      for (Path list : claimed.isEmpty() ? List.<Path>of() : lists) {
        read(
            list,
            line -> {
              RuleLine again = RuleLine.of(line);
              if (!again.isAllowed()) {
                again.rules().forEach(claimed::remove);
              }
              return null;
            },
            bytes -> {});
      }
      if (!claimed.isEmpty()) {
        throw new IOException(
            "the hash of %s, of the universe, is that of a rule; with another seed it is not"
                .formatted(claimed.iterator().next().text()));
      }
    }
  }
}
