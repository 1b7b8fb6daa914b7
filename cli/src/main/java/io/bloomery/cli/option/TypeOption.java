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
import io.bloomery.tools.text.CaseFolding;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
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

  /** The field of a file's description that records how the case of keys was folded. */
  public static final String CASE = "case";

  private static final String FOLDED = "folded, Unicode " + CaseFolding.UNICODE;

  private static final Set<TypedKeys.Type> TEXTS =
      EnumSet.of(TypedKeys.Type.TEXT, TypedKeys.Type.UTF16);

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

  @Mixin private IgnoreCaseOption letters = new IgnoreCaseOption();

  /** How keys for a filter are read: with its own hash function, if that is one of Bloomery's. */
  public Reading reading(InputOptions options, OpenFilter opened) {
    Filter filter = opened.filter();
    if (filter instanceof ForeignFilter foreign) {
      return reading(options, null, foreign.keyCoding());
    }
    TypedKeys.Type known = known(opened);
    Hasher hasher = filter instanceof HashedFilter hashed ? hashed.hasher() : null;
    return typed(options.reading(hasher), known, form(opened));
  }

  /** The form of keys for a filter that is hashed by their type. */
  private KeyForm form(OpenFilter opened) {
    return new KeyForm(trim || isTrimmed(opened.description()), isFolded(opened), null);
  }

  /**
   * Whether the case of keys is folded, by the file or else the option. A file that describes its
   * keys and does not fold them contradicts the option.
   */
  private boolean isFolded(OpenFilter opened) {
    Description description = opened.description();
    String said = description.text(CASE).orElse(null);
    if (said == null) {
      if (letters.isGiven() && description.text(Description.KEY_TYPE).isPresent()) {
        throw new Problem(
            opened.path(), "case matters in its keys, as it was built; leave out --ignore-case");
      }
      return letters.isGiven();
    }
    if (!said.equals(FOLDED)) {
      throw new Problem(
          opened.path(),
          "the case of its keys is \"%s\", which this bloom does not know".formatted(said));
    }
    return true;
  }

  private static boolean isTrimmed(Description description) {
    return description.text(BLANKS).filter(TRIMMED::equals).isPresent();
  }

  /** Adds to a description whether blanks around keys are trimmed, and their case folded. */
  public Description stamp(Description keys) {
    Description trimmed = trim ? keys.with(BLANKS, TRIMMED) : keys;
    return letters.isGiven() ? trimmed.with(CASE, FOLDED) : trimmed;
  }

  /**
   * Looks up a key of the command line.
   *
   * @throws IllegalArgumentException if it is not a value of its type
   */
  public boolean mightContain(OpenFilter opened, byte[] key) {
    byte[] formed = form(opened).of(key, 0, key.length);
    return keys(opened).mightContain(opened.filter(), formed, 0, formed.length);
  }

  private TypedKeys keys(OpenFilter opened) {
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

  /** A warning if a type or folding is asked for and the file has nothing to compare it with. */
  public Optional<String> doubt(OpenFilter opened) {
    if (opened.description().text(Description.KEY_TYPE).isPresent()) {
      return Optional.empty();
    }
    if (type != null) {
      return Optional.of(
          "does not say the type of its keys; if it is not %s, the answers are wrong"
              .formatted(type.lowerCase()));
    }
    return letters.isGiven()
        ? Optional.of(
            "does not say whether the case of its keys is folded; if it is not, the answers are wrong")
        : Optional.empty();
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
    return typed(reading, type, new KeyForm(trim, letters.isGiven(), null));
  }

  private Reading typed(Reading reading, TypedKeys.@Nullable Type known, KeyForm form) {
    refuseBinary(reading);
    refuseCase();
    return known == null || !reading.splitter().isText()
        ? reading.in(form)
        : reading.in(form).of(TypedKeys.ofBloomery(known));
  }

  /**
   * The same reading for a command that compares and prints the bytes of keys: a value becomes its
   * canonical text.
   */
  public Reading canonical(Reading reading) {
    refuseBinary(reading);
    refuseCase();
    return reading.in(form());
  }

  /** The form of keys for a command that compares their bytes. */
  public KeyForm form() {
    return new KeyForm(trim, letters.isGiven(), type);
  }

  /**
   * What a filter of ordered keys is needed for: whole numbers are ordered by value, all other keys
   * by their bytes.
   */
  public Purpose ordered(Purpose purpose) {
    boolean numbers = type == TypedKeys.Type.INT32 || type == TypedKeys.Type.INT64;
    if (type != null && NUMBERS.contains(type) && !numbers) {
      throw new Problem(
          "--ranges keeps the order of whole numbers and of bytes, not of --type "
              + type.lowerCase());
    }
    if (numbers && purpose.keyBytes().isPresent()) {
      throw new Problem("--key-bytes is for byte strings; numbers of --type have 8 bytes");
    }
    if (numbers || purpose.keyBytes().isPresent()) {
      return purpose;
    }
    if (type == TypedKeys.Type.UUID) {
      return purpose.withKeyBytes(2 * Long.BYTES);
    }
    throw new Problem(
        "--ranges needs --type int64 for whole numbers, or --key-bytes W for keys in the order of"
            + " their bytes, of which the first W count");
  }

  /**
   * A key of the command line as the filter stores it.
   *
   * @throws IllegalArgumentException if it is not a value of its type
   */
  public byte[] encoded(OpenFilter opened, byte[] key) {
    byte[] formed = form(opened).of(key, 0, key.length);
    return keys(opened).bytes(formed, 0, formed.length);
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
    refuseCase();
    if (!reading.splitter().isText()) {
      return reading;
    }
    TypedKeys keys = keys(coding);
    if (letters.isGiven() && type == null && !keys.isText()) {
      throw new Problem("--ignore-case is for text, and the keys of this format are not");
    }
    return reading.in(new KeyForm(trim, letters.isGiven(), null)).of(keys);
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
    if ((type != null || trim || letters.isGiven()) && !reading.splitter().isText()) {
      throw new Problem(
          (letters.isGiven() ? "--ignore-case" : trim ? "--trim" : "--type")
              + " and --binary exclude each other: binary keys are bytes as they are");
    }
  }

  /** Fails if case is to be ignored in values of a type that has none. */
  private void refuseCase() {
    if (letters.isGiven() && type != null && !TEXTS.contains(type)) {
      throw new Problem(
          "--ignore-case is for text; values of type %s have no case".formatted(type.lowerCase()));
    }
  }

  /** Fails if case is to be ignored where keys are stored as they are. */
  public void refuseCase(String where) {
    if (letters.isGiven()) {
      throw new Problem(
          "--ignore-case does not go with %s, whose keys keep their case".formatted(where));
    }
  }
}
