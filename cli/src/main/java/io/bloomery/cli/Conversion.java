package io.bloomery.cli;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrameHeader;
import io.bloomery.FrameHeader.Description;
import io.bloomery.Storable;
import io.bloomery.cli.file.FilterFile;
import io.bloomery.cli.file.FormatOption;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.DeletableBloomFilter;
import io.bloomery.deletable.MultilayerCountingFilter;
import io.bloomery.file.AtomicFile;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.OrcFormat;
import io.bloomery.foreign.bitcoin.Bip158Filter;
import io.bloomery.foreign.mozilla.MozillaCascadeFilter;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.frozen.CompressedBloomFilter;
import io.bloomery.frozen.GolombCodedSet;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The work of {@code bloom convert}: a filter in another file format. Only exact conversions are
 * offered: the new file answers every query as the old one did.
 */
final class Conversion {

  /** A compressed filter without a frame. */
  static final String MESSAGE = "compressed-message";

  /** The Golomb codes of BIP 158 without the block's hash. */
  static final String BIP158 = "bip158-codes";

  /** The second version of Mozilla's cascades. */
  static final String CASCADE = "mozilla-cascade-v2";

  /** A conversion from filters of a class to a format. */
  private record Way<F>(Class<F> from, String to, BiFunction<F, Description, Saving.Writer> step) {

    /** To a file of another format. */
    private static <F> Way<F> out(Class<F> from, String to, Function<F, Saving.Writer> step) {
      return new Way<>(from, to, (filter, description) -> step.apply(filter));
    }

    /** To another kind, with the file's description of its keys. */
    private static <F> Way<F> within(
        Class<F> from, FilterKind<?> to, Function<F, ? extends Storable> step) {
      return new Way<>(
          from, to.name(), (filter, description) -> described(step.apply(filter), description));
    }

    private Saving.Writer take(Object filter, Description description) {
      return step.apply(from.cast(filter), description);
    }
  }

  private static final List<Way<?>> WAYS =
      List.of(
          Way.out(MozillaCascadeFilter.class, CASCADE, cascade -> cascade.asVersion2()::writeTo),
          Way.within(BloomFilter.class, CompressedBloomFilter.KIND, CompressedBloomFilter::of),
          Way.within(
              CountingBloomFilter.class, BloomFilter.KIND, CountingBloomFilter::toBloomFilter),
          Way.within(
              MultilayerCountingFilter.class,
              BloomFilter.KIND,
              MultilayerCountingFilter::toBloomFilter),
          Way.within(
              DeletableBloomFilter.class, BloomFilter.KIND, DeletableBloomFilter::toBloomFilter),
          Way.within(
              CompressedBloomFilter.class, BloomFilter.KIND, CompressedBloomFilter::toBloomFilter),
          Way.out(
              BloomFilter.class,
              MESSAGE,
              plain -> whole(CompressedBloomFilter.of(plain).toMessage())),
          Way.out(
              CompressedBloomFilter.class, MESSAGE, compressed -> whole(compressed.toMessage())),
          Way.out(GolombCodedSet.class, BIP158, Conversion::codes),
          Way.out(Bip158Filter.class, BIP158, block -> block.inMessage(false)::writeTo));

  /** Names of the formats that can be read by name or written, for help and completion. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(
              ForeignFormats.all().stream().map(ForeignFormat::name),
              WAYS.stream().<String>map(Way::to))
          .distinct()
          .iterator();
    }
  }

  private final Path path;
  private final Filter filter;
  private final String from;
  private final Description description;

  private Conversion(Path path, Filter filter, String from) {
    this(path, filter, from, Description.NONE);
  }

  private Conversion(Path path, Filter filter, String from, Description description) {
    this.path = path;
    this.filter = filter;
    this.from = from;
    this.description = description;
  }

  /**
   * Opens the file to convert.
   *
   * @param path the file
   * @param from the name of its format, or null to detect it from the content
   * @param key the option with the secret key
   */
  static Conversion open(Path path, @Nullable String from, KeyFileOption key) {
    if (Files.isDirectory(path)) {
      throw new Problem(path, "is a directory, not a filter");
    }
    try {
      if (MESSAGE.equals(from)) {
        Hasher hasher = key.isGiven() ? key.hasher() : Hasher.xxh3();
        long most = Runtime.getRuntime().maxMemory() / 2;
        byte[] bytes = Files.readAllBytes(path);
        return new Conversion(path, CompressedBloomFilter.ofMessage(bytes, most, hasher), MESSAGE);
      }
      if (BIP158.equals(from)) {
        return new Conversion(path, codes(path, key), BIP158);
      }
    } catch (IOException e) {
      throw Problem.with(path, e);
    }
    if (from != null || FilterFile.isForeign(path)) {
      if (key.isGiven()) {
        throw new Problem(path, "made without a secret key; leave out --secret-file");
      }
      ForeignFilter foreign = FormatOption.open(path, from, "--from");
      return new Conversion(path, foreign, foreign.format().name());
    }
    FilterFile file = FilterFile.read(path, false);
    FrameHeader header = file.header();
    return new Conversion(path, file.open(key), header.kind().name(), header.description());
  }

  private static GolombCodedSet codes(Path path, KeyFileOption key) throws IOException {
    if (!key.isGiven()) {
      throw new Problem(
          path
              + ": give the first 16 bytes of the block's hash, as they are hashed, by"
              + " --secret-file");
    }
    return GolombCodedSet.ofBip158Bytes(
        Files.readAllBytes(path),
        GolombCodedSet.BIP158_RICE_BITS,
        GolombCodedSet.BIP158_INVERSE_RATE,
        key.hasher());
  }

  private static Saving.Writer codes(GolombCodedSet set) {
    if (set.riceBits() != GolombCodedSet.BIP158_RICE_BITS
        || set.range() != set.keyCount() * GolombCodedSet.BIP158_INVERSE_RATE) {
      throw new Problem(
          "%s needs remainders of 19 bits and a range of 784,931 per item; this set has %d and %s for %s"
              .formatted(
                  BIP158,
                  set.riceBits(),
                  Text.count(set.range()),
                  Text.count(set.keyCount(), "item")));
    }
    return whole(set.toBip158());
  }

  /** The name of the file's present format or kind. */
  String from() {
    return from;
  }

  /** The default target: a file of the same kind or format. */
  String defaultTarget() {
    if (from.equals(MESSAGE)) {
      return CompressedBloomFilter.KIND.name();
    }
    return from.equals(BIP158) ? GolombCodedSet.KIND.name() : from;
  }

  /** Writes the filter in the new format. */
  Saving.Writer to(String target) {
    if (target.equals(defaultTarget())) {
      return filter instanceof ForeignFilter foreign
          ? foreign::writeTo
          : described((Storable) filter, description);
    }
    for (Way<?> way : WAYS) {
      if (way.to.equals(target) && way.from.isInstance(filter)) {
        return way.take(filter, description);
      }
    }
    if (filter instanceof ForeignFilter foreign) {
      for (ForeignFormat<?> format : shared(foreign)) {
        if (format.name().equals(target)) {
          return foreign.as(format).orElseThrow()::writeTo;
        }
      }
    }
    throw new Problem(path, why(target));
  }

  /** The formats that hash keys as this filter's does. */
  private static List<ForeignFormat<?>> shared(ForeignFilter filter) {
    List<ForeignFormat<?>> formats = new ArrayList<>(ForeignFormats.all());
    if (filter.fields().get("hashes per key") instanceof Integer hashes && hashes < 128) {
      formats.add(OrcFormat.bitset(hashes));
    }
    formats.removeIf(format -> filter.as(format).isEmpty());
    return formats;
  }

  private static Saving.Writer described(Storable filter, Description description) {
    return target -> Filters.write(filter, description, target);
  }

  private static Saving.Writer whole(byte[] content) {
    return target -> AtomicFile.write(target, out -> out.write(content));
  }

  private String why(String target) {
    List<String> targets = new ArrayList<>();
    targets.add(defaultTarget());
    WAYS.stream().filter(way -> way.from.isInstance(filter)).forEach(way -> targets.add(way.to));
    if (filter instanceof ForeignFilter foreign) {
      shared(foreign).stream()
          .map(ForeignFormat::name)
          .filter(name -> !targets.contains(name))
          .forEach(targets::add);
    }
    String can = "it can become " + String.join(", ", targets);
    boolean kind = Filters.kinds().stream().map(FilterKind::name).anyMatch(target::equals);
    boolean known = kind;
    for (String name : new Names()) {
      known |= name.equals(target);
    }
    if (!known) {
      return "no format is named \"%s\"; %s".formatted(target, can);
    }
    String anew = kind ? "bloom build --kind " + target : "";
    for (ForeignFormat<?> format : ForeignFormats.all()) {
      if (format.name().equals(target) && format.maker().isPresent()) {
        anew = "bloom build --format " + target;
      }
    }
    return ("a %s filter cannot become %s: its bits are meaningful only with the hash function"
            + " that chose them, and that is a different one; %s%s")
        .formatted(
            from, target, can, anew.isEmpty() ? "" : ", or be rebuilt from the keys: " + anew);
  }
}
