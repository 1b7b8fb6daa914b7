package io.bloomery.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.Filter;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/**
 * The first argument of the SQL functions: the filter's bytes, or the name of a broadcast filter,
 * which Spark casts to bytes. The last one is kept open, and of filters that vary by row the last
 * few. A constant is the same object for every row, so it is found by comparing references.
 */
final class FilterArgument implements Serializable {

  private static final long serialVersionUID = 2;

  /** What an argument refers to. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Open(byte[] argument, Filter filter) {}

  private final @Nullable HashMap<String, Broadcast<SharedFilter>> names; // null: not names
  private final @Nullable SparkKeys keys; // null: any
  private transient @Nullable Open last; // immutable, so that a race only opens it twice
  private transient @Nullable OpenFilters recent;

  private FilterArgument(
      @Nullable Map<String, Broadcast<SharedFilter>> names, @Nullable SparkKeys keys) {
    this.names = names == null ? null : new HashMap<>(names);
    this.keys = keys;
  }

  /** Arguments that are names of filters in which keys are looked up. */
  static FilterArgument ofNames(
      Map<String, Broadcast<SharedFilter>> names, @Nullable SparkKeys keys) {
    return new FilterArgument(names, keys);
  }

  /** Arguments that are filters in which keys are looked up. */
  static FilterArgument ofBytes(@Nullable SparkKeys keys) {
    return new FilterArgument(null, keys);
  }

  /**
   * The filter of an argument.
   *
   * @throws IllegalArgumentException if there is none, or its keys are of another type
   */
  Filter get(byte[] argument) {
    Open open = last;
    return open != null && open.argument == argument ? open.filter : find(argument, open);
  }

  private Filter find(byte[] argument, @Nullable Open open) {
    Filter filter;
    if (open != null && Arrays.equals(open.argument, argument)) {
      filter = open.filter;
    } else if (names == null) {
      filter = recent(argument);
    } else {
      filter = checked(named(argument, names));
    }
    last = new Open(argument, filter);
    return filter;
  }

  private synchronized Filter recent(byte[] argument) {
    if (recent == null) {
      recent = new OpenFilters();
    }
    return recent.get(argument, bytes -> checked(opened(bytes)));
  }

  private Filter checked(SharedFilter shared) {
    Filter filter = shared.filter();
    if (keys != null) {
      Descriptions.requireKeys(shared.description(), keys);
    }
    return filter;
  }

  /** The filter of an argument and what its bytes say of it, opened for this call. */
  SharedFilter described(byte[] argument) {
    return names == null ? opened(argument) : named(argument, names);
  }

  /**
   * Looks at the filter of an argument that is known before anything runs.
   *
   * @throws IllegalArgumentException if there is none, or its keys are of another type
   */
  void check(byte[] argument) {
    SharedFilter shared = described(argument);
    if (keys != null) {
      Descriptions.requireKeys(shared.description(), keys);
    }
  }

  private static SharedFilter named(byte[] argument, Map<String, Broadcast<SharedFilter>> names) {
    String name = new String(argument, UTF_8);
    Broadcast<SharedFilter> found = names.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "no filter is named \"%s\"; known are %s. BloomeryFilters.register names one, or the option"
                  .formatted(name, NamedFilters.given(names.keySet()))
              + " spark.sql.catalog.bloomery.filter.NAME=FILE");
    }
    return found.value();
  }

  private static SharedFilter opened(byte[] bytes) {
    try {
      return SharedFilter.ofBytes(bytes);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the first argument is not a filter: " + e.getMessage(), e);
    }
  }

  /** Two are equal if the same arguments refer to the same filters. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FilterArgument that && Objects.equals(names, that.names);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(names);
  }
}
