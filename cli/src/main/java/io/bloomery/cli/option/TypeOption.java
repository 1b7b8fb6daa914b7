package io.bloomery.cli.option;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.FrameHeader.Description;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.cli.file.OpenFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.KeyCoding;
import io.bloomery.foreign.TypedKeys;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.input.KeyForm;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option for the type of keys. */
public final class TypeOption {

  /** The types' names, for help and completion. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(TypedKeys.Type.values()).map(TypedKeys.Type::lowerCase).iterator();
    }
  }

  /** A type by its name. */
  static final class Converter implements ITypeConverter<TypedKeys.Type> {
    @Override
    public TypedKeys.Type convert(String text) {
      if (text.equalsIgnoreCase("long")) {
        return TypedKeys.Type.INT64;
      }
      for (TypedKeys.Type type : TypedKeys.Type.values()) {
        if (type.lowerCase().equals(text.toLowerCase(Locale.ROOT))) {
          return type;
        }
      }
      throw new TypeConversionException(
          "'" + text + "' is not one of: " + String.join(", ", new Names()));
    }
  }

  /** The name of the type of records of a fixed length. */
  private static final String BYTES = "bytes";

  private static final Set<TypedKeys.Type> NUMBERS =
      EnumSet.of(
          TypedKeys.Type.INT32, TypedKeys.Type.INT64, TypedKeys.Type.FLOAT, TypedKeys.Type.DOUBLE);

  /** The field of a file's description that records whether blanks around keys were trimmed. */
  public static final String BLANKS = "blanks";

  private static final String TRIMMED = "trimmed";

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      completionCandidates = Names.class,
      converter = Converter.class,
      description =
          "Type of the keys: ${COMPLETION-CANDIDATES}. Default: that of the filter's file or"
              + " format, else text. A type that differs from the file's is refused.")
  private TypedKeys.@Nullable Type type;

  @Option(
      names = "--trim",
      description =
          "Trim blanks around keys. Default: as in the filter's file, else they are part of the"
              + " key.")
  private boolean trim;

  /** How keys for a filter are read: with its own hash function, if that is one of Bloomery's. */
  public Reading reading(InputOptions options, OpenFilter opened) {
    Filter filter = opened.filter();
    if (filter instanceof ForeignFilter foreign) {
      return reading(options, null, foreign.keyCoding());
    }
    TypedKeys.Type known = known(opened);
    Hasher hasher = filter instanceof HashedFilter hashed ? hashed.hasher() : null;
    return typed(options.reading(hasher), known, trim || isTrimmed(opened.description()));
  }

  private static boolean isTrimmed(Description description) {
    return description.text(BLANKS).filter(TRIMMED::equals).isPresent();
  }

  /** Adds to a description whether blanks around keys are trimmed. */
  public Description stamp(Description keys) {
    return trim ? keys.with(BLANKS, TRIMMED) : keys;
  }

  /** How keys on the command line are converted for lookups. */
  public TypedKeys keys(OpenFilter opened) {
    if (opened.filter() instanceof ForeignFilter foreign) {
      return keys(foreign.keyCoding());
    }
    TypedKeys.Type known = known(opened);
    return known == null ? Reading.PLAIN : TypedKeys.ofBloomery(known);
  }

  /** The agreed type, or null for text; fails for text if the filter holds derived keys. */
  private TypedKeys.@Nullable Type known(OpenFilter opened) {
    TypedKeys.Type known = agreed(opened);
    if (known == null && opened.filter() instanceof Storable stored) {
      FilterKind<?> kind = stored.kind();
      if (kind.derivedKeys().isPresent()) {
        throw new Problem(
            "the keys of a filter of kind %s are %s, which --type hex takes; a word itself would always be \"absent\""
                .formatted(kind.name(), kind.derivedKeys().get()));
      }
    }
    return known;
  }

  /**
   * The type that the file records, or else the option's; null for text. A type that differs from
   * the file's is refused, since every answer would be wrong.
   */
  private TypedKeys.@Nullable Type agreed(OpenFilter opened) {
    String said = opened.description().text(Description.KEY_TYPE).orElse(null);
    if (said == null || said.equals(BYTES)) {
      if (said != null && type != null && NUMBERS.contains(type)) {
        throw refusal(opened, said);
      }
      return type;
    }
    for (TypedKeys.Type known : TypedKeys.Type.values()) {
      if (known.lowerCase().equals(said)) {
        if (type != null && type != known) {
          throw refusal(opened, said);
        }
        return known;
      }
    }
    throw new Problem(
        "%s: its keys are of type \"%s\", which this bloom does not know"
            .formatted(Octets.name(opened.path()), said));
  }

  private Problem refusal(OpenFilter opened, String said) {
    return new Problem(
        "%s: its keys are of type %s, not %s; leave out --type"
            .formatted(
                Octets.name(opened.path()),
                said,
                Objects.requireNonNull(type, "type").lowerCase()));
  }

  /** A warning if a type is given and the file records none to compare it with. */
  public Optional<String> doubt(OpenFilter opened) {
    return type == null || opened.description().text(Description.KEY_TYPE).isPresent()
        ? Optional.empty()
        : Optional.of(
            "does not say the type of its keys; if it is not %s, the answers are wrong"
                .formatted(type.lowerCase()));
  }

  /** The type of keys as filter files name it. */
  public String name(Reading reading) {
    return reading.splitter().isText()
        ? (type == null ? TypedKeys.Type.TEXT : type).lowerCase()
        : BYTES;
  }

  /** How keys for one of Bloomery's own filters are read. */
  public Reading reading(InputOptions options, @Nullable Hasher hasher) {
    return typed(options.reading(hasher));
  }

  /** The same reading, with keys of the given type as Bloomery's own filters encode them. */
  public Reading typed(Reading reading) {
    return typed(reading, type, trim);
  }

  private Reading typed(Reading reading, TypedKeys.@Nullable Type known, boolean trimming) {
    refuseBinary(reading);
    Reading trimmed = trimming ? reading.in(new KeyForm(true, null)) : reading;
    return known == null || !reading.splitter().isText()
        ? trimmed
        : trimmed.of(TypedKeys.ofBloomery(known));
  }

  /**
   * The same reading for a command that compares and prints the bytes of keys: a value becomes its
   * canonical text.
   */
  public Reading canonical(Reading reading) {
    refuseBinary(reading);
    return reading.in(form());
  }

  /** The form of keys for a command that compares their bytes. */
  public KeyForm form() {
    return new KeyForm(trim, type);
  }

  private Reading trimmed(Reading reading) {
    return trim ? reading.in(new KeyForm(true, null)) : reading;
  }

  /** The name of the type. */
  public String name() {
    return (type == null ? TypedKeys.Type.TEXT : type).lowerCase();
  }

  /** Whether a type is given. */
  public boolean isGiven() {
    return type != null;
  }

  /** Fails if a type is given for a command that compares the bytes of keys. */
  public void refuseExact() {
    if (type != null) {
      throw new Problem(
          "--exact compares the bytes of keys and --type their values; leave out one");
    }
  }

  /** How keys for a filter of another system are read; {@code hasher} may be null. */
  public Reading reading(InputOptions options, @Nullable Hasher hasher, KeyCoding coding) {
    Reading reading = options.reading(hasher);
    refuseBinary(reading);
    return reading.splitter().isText() ? trimmed(reading).of(keys(coding)) : reading;
  }

  /** How keys are converted for lookups in a filter of another system. */
  public TypedKeys keys(KeyCoding coding) {
    try {
      return type == null ? coding.assumed() : coding.as(type);
    } catch (IllegalArgumentException e) {
      throw new Problem("--type: " + e.getMessage());
    }
  }

  /** Fails if a type is given for records of a fixed length, which have none. */
  private void refuseBinary(Reading reading) {
    if ((type != null || trim) && !reading.splitter().isText()) {
      throw new Problem(
          (trim ? "--trim" : "--type")
              + " and --binary exclude each other: binary keys are bytes as they are");
    }
  }
}
