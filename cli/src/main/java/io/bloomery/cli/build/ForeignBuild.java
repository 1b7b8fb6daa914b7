package io.bloomery.cli.build;

import io.bloomery.FilterFullException;
import io.bloomery.cli.console.ArgumentWords;
import io.bloomery.cli.file.ForeignReport;
import io.bloomery.foreign.AddableForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.KeyCoding;
import io.bloomery.foreign.TypedKeys;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.KeyTaker;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.problem.Suggestion;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.HashStore;
import io.bloomery.tools.spill.Rereading;
import io.bloomery.tools.spill.SpillFile;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The work of {@code bloom build --format}: builds a filter of another system from keys. */
final class ForeignBuild {

  /** Names of the formats whose filters can be built, for help and completion. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return makeable().<String>map(ForeignFormat::name).iterator();
    }
  }

  private final ForeignFormat<?> format;
  private final @Nullable Long room;
  private final double rate;
  private final long start = System.nanoTime();
  private long sizedFor;
  private long keys;
  private long distinct = -1;
  private long skipped;
  private long badRows;
  private long nanos;

  /** Builds a filter for {@code room} keys, or for the number read if that is null. */
  ForeignBuild(String name, @Nullable Long room, double rate) {
    this.format =
        makeable()
            .filter(known -> known.name().equals(name))
            .findFirst()
            .orElseThrow(() -> new Problem(Suggestion.unknown("--format", name, new Names())));
    this.room = room;
    this.rate = rate;
  }

  private static Stream<ForeignFormat<?>> makeable() {
    return ForeignFormats.all().stream().filter(known -> known.maker().isPresent());
  }

  /** How the system encodes keys of each type for hashing. */
  KeyCoding keyCoding() {
    return format.keyCoding();
  }

  /** Reads the keys, twice if they have to be counted first. */
  AddableForeignFilter run(KeyInput input, Reading reading, Progress progress) {
    TypedKeys typed = reading.keys();
    AddableForeignFilter filter;
    try (Rereading source = new Rereading(input, reading, progress)) {
      if (room == null) {
        distinct = count(source, progress);
        filter = make(Math.max(1, distinct));
        progress.phase("adding");
        source.again(adding(typed, filter));
      } else {
        filter = make(room);
        source.first(adding(typed, filter), false);
      }
      keys = source.keys();
      skipped = source.skipped();
      badRows = reading.badRows().count();
    } catch (FilterFullException e) {
      throw new Problem(
          "the %s filter is full (it was made for %s): give a larger -n"
              .formatted(format.name(), Text.count(sizedFor, "key")));
    }
    nanos = System.nanoTime() - start;
    return filter;
  }

  private static KeyTaker adding(TypedKeys typed, AddableForeignFilter filter) {
    return (bytes, offset, length, hash) -> typed.add(filter, bytes, offset, length);
  }

  private static long count(Rereading source, Progress progress) {
    Path temporary = SpillFile.directory();
    try (HashStore store = new HashStore(HashStore.defaultCapacity(), temporary, false)) {
      long[] one = new long[1];
      source.first(
          (bytes, offset, length, hash) -> {
            one[0] = hash;
            store.add(one, 0, 1);
          },
          true);
      progress.phase("counting");
      return store.distinct();
    }
  }

  private AddableForeignFilter make(long expected) {
    sizedFor = expected;
    try {
      return format.maker().orElseThrow().create(expected, rate);
    } catch (IllegalArgumentException e) {
      throw new Problem(
          "format %s has no size for %s at a rate of %s: %s"
              .formatted(
                  format.name(),
                  Text.count(expected, "key"),
                  Text.percent(rate),
                  ArgumentWords.of(e)));
    }
  }

  /** A warning if there are more keys than expected, and so more false positives than promised. */
  Optional<String> warning(AddableForeignFilter filter) {
    double expected = filter.falsePositiveRate();
    if (room == null || keys <= room || expected <= rate) {
      return Optional.empty();
    }
    return Optional.of(
        "%s read, more than the %s of -n: expect %s false positives, not %s"
            .formatted(
                Text.count(keys, "key"),
                Text.count(room),
                Text.percent(expected),
                Text.percent(rate)));
  }

  /** A report on the filter. */
  Report report(AddableForeignFilter filter, Path file) {
    double perKey = (double) filter.sizeInBits() / sizedFor;
    double seconds = nanos / 1e9;
    Report report = new Report().row("format", format.name() + ", " + format.title());
    filter.fields().forEach((name, value) -> report.row(name, ForeignReport.text(name, value)));
    report.row("keys read", Text.count(keys));
    if (distinct >= 0) {
      report.row("distinct keys", Text.count(distinct));
    } else {
      report.row("room for", Text.count(sizedFor, "key"));
    }
    if (skipped > 0) {
      report.row("empty keys", Text.count(skipped) + " skipped");
    }
    if (badRows > 0) {
      report.row("bad rows", Text.count(badRows) + " skipped");
    }
    return report
        .row("bits per key", String.format(Locale.ROOT, "%.2f", perKey))
        .row("file size", Text.bytes(filter.storedBytes()))
        .row("promised rate", Text.rate(rate))
        .row("expected rate", Text.rate(filter.falsePositiveRate()))
        .row(
            "time",
            String.format(Locale.ROOT, "%.2f s, ", seconds)
                + Text.count(Math.round(keys / seconds), "key")
                + " per second")
        .value("file", Octets.name(file))
        .value("format", format.name())
        .value("keysRead", keys)
        .value("distinctKeys", distinct < 0 ? null : distinct)
        .value("emptyKeysSkipped", skipped)
        .value("badRows", badRows)
        .value("sizedForKeys", sizedFor)
        .value("bits", filter.sizeInBits())
        .value("bitsPerKey", perKey)
        .value("fileBytes", filter.storedBytes())
        .value("promisedRate", rate)
        .value("expectedRate", filter.falsePositiveRate())
        .value("seconds", seconds)
        .value("keysPerSecond", keys / seconds);
  }
}
