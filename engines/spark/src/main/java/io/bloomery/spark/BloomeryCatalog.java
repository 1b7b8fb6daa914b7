package io.bloomery.spark;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * The functions of this module for SQL, by the option {@code
 * spark.sql.catalog.bloomery=io.bloomery.spark.BloomeryCatalog}. An option {@code
 * spark.sql.catalog.bloomery.filter.NAME=FILE} names a filter that is read when the first function
 * is used.
 *
 * <table>
 * <caption>Functions</caption>
 * <tr><td>{@code bloom_agg(key, n, rate[, variant])}</td><td>aggregate: the bytes of the filter of
 * all keys</td></tr>
 * <tr><td>{@code bloom_info(filter)}</td><td>a struct: kind, type of the keys, size, and the
 * promised and the present false-positive rate</td></tr>
 * <tr><td>{@code contains(filter, key)}</td><td>false is certain, true is probable</td></tr>
 * <tr><td>{@code count(filter, key)}</td><td>how often the key was added, at least</td></tr>
 * <tr><td>{@code lookup(filter, key)}</td><td>the value of the key, or NULL if it has
 * none</td></tr>
 * <tr><td>{@code which(filter, key)}</td><td>the numbers of the sets that may hold the
 * key</td></tr>
 * <tr><td>{@code hash(key, seed)}</td><td>the 64-bit hash of the key</td></tr>
 * </table>
 *
 * <p>A filter is its bytes (binary), or the name (string) under which it was {@linkplain
 * BloomeryFilters#register registered}. If filter or key is NULL, so is the result.
 */
public final class BloomeryCatalog implements FunctionCatalog {

  /** The name under which {@link #install} puts the catalog. */
  static final String NAME = "bloomery";

  private static final String OPTION = "spark.sql.catalog." + NAME;
  private static final String FILTER = "filter.";

  private final Map<String, String> files = new TreeMap<>();
  private String name = NAME;

  /** For Spark, which finds the class by its name. */
  public BloomeryCatalog() {}

  /**
   * Registers the functions in a session as {@code bloomery.…}, unless its options already define a
   * catalog of that name.
   *
   * @param spark the session
   */
  public static void install(SparkSession spark) {
    if (spark.conf().getOption(OPTION).isEmpty()) {
      spark.conf().set(OPTION, BloomeryCatalog.class.getName());
    }
  }

  @Override
  public void initialize(String catalogName, CaseInsensitiveStringMap options) {
    name = catalogName;
    options
        .asCaseSensitiveMap()
        .forEach(
            (key, value) -> {
              if (key.startsWith(FILTER)) {
                files.put(key.substring(FILTER.length()), value);
              }
            });
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Identifier[] listFunctions(String[] namespace) {
    return namespace.length > 0
        ? new Identifier[0]
        : Arrays.stream(NAMES)
            .map(function -> Identifier.of(namespace, function))
            .toArray(Identifier[]::new);
  }

  private static final String[] NAMES = {
    BloomAggregate.NAME, InfoFunction.NAME, "contains", "count", "hash", "lookup", "which"
  };

  @Override
  public UnboundFunction loadFunction(Identifier identifier) throws NoSuchFunctionException {
    if (identifier.namespace().length > 0) {
      throw new NoSuchFunctionException(identifier);
    }
    return switch (identifier.name()) {
      case BloomAggregate.NAME ->
          Functions.of(
              BloomAggregate.NAME,
              BloomAggregate.USAGE,
              types -> {
                Functions.requireCount(types, 3, 4);
                return BloomAggregate.of(types, Overload.ofAggregates(SparkSession.active()));
              });
      case InfoFunction.NAME ->
          Functions.of(
              InfoFunction.NAME,
              "bloom_info(filter)",
              types -> {
                Functions.requireCount(types, 1, 1);
                Functions.requireFilter(types[0]);
                return new InfoFunction(argument(types[0], null));
              });
      case "contains" ->
          Functions.of(
              "contains",
              "contains(filter, key)",
              types -> {
                requireLookup(types);
                SparkKeys keys = SparkKeys.of(Functions.typed(types[1]));
                return new ContainsFunction(argument(types[0], keysIn(types)), keys);
              });
      case "count" -> answer("count", DataTypes.LongType, Functions::count);
      case "lookup" -> answer("lookup", DataTypes.LongType, Functions::lookup);
      case "which" ->
          answer(
              "which", DataTypes.createArrayType(DataTypes.IntegerType, false), Functions::which);
      case "hash" ->
          Functions.of(
              "hash",
              "hash(key, seed)",
              types -> {
                Functions.requireCount(types, 2, 2);
                return new HashFunction(types[0]);
              });
      default -> throw new NoSuchFunctionException(identifier);
    };
  }

  private UnboundFunction answer(String function, DataType result, Functions.Answer answer) {
    return Functions.of(
        function,
        function + "(filter, key)",
        types -> {
          requireLookup(types);
          SparkKeys keys = SparkKeys.of(Functions.typed(types[1]));
          return new AnswerFunction(
              function, argument(types[0], keysIn(types)), keys, result, answer);
        });
  }

  private static void requireLookup(DataType[] types) {
    Functions.requireCount(types, 2, 2);
    Functions.requireFilter(types[0]);
  }

  /** The keys that a filter must be of; null if the key is the NULL without a type. */
  private static @Nullable SparkKeys keysIn(DataType[] types) {
    return types[1] instanceof NullType ? null : SparkKeys.of(types[1]);
  }

  private FilterArgument argument(DataType type, @Nullable SparkKeys keys) {
    if (!(type instanceof StringType)) {
      return FilterArgument.ofBytes(keys);
    }
    SparkSession spark = SparkSession.active();
    files.forEach(
        (filter, file) -> {
          if (!NamedFilters.has(spark, filter)) {
            try {
              NamedFilters.put(spark, filter, SharedFilter.of(BloomeryFilters.read(spark, file)));
            } catch (IOException e) {
              throw new IllegalArgumentException(
                  "the filter \"%s\" of the option %s.%s%s cannot be read: %s"
                      .formatted(filter, OPTION, FILTER, filter, e.getMessage()),
                  e);
            }
          }
        });
    return FilterArgument.ofNames(NamedFilters.snapshot(spark), keys);
  }
}
