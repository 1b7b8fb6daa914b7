package io.bloomery.spark;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.Filter;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/**
 * The first argument of the SQL functions: the filter's bytes, or the name of a broadcast filter,
 * which Spark casts to bytes. The last one is kept open. A constant is the same object for every
 * row, so it is found by comparing references; filters that vary by row are best grouped.
 */
final class FilterArgument implements Serializable {

  private static final long serialVersionUID = 1;

  /** What an argument refers to. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Open(byte[] argument, Filter filter) {}

  private final @Nullable HashMap<String, Broadcast<SharedFilter>> names; // null: not names
  private transient @Nullable Open last; // immutable, so that a race only opens it twice

  private FilterArgument(@Nullable Map<String, Broadcast<SharedFilter>> names) {
    this.names = names == null ? null : new HashMap<>(names);
  }

  /** Arguments that are names. */
  static FilterArgument ofNames(Map<String, Broadcast<SharedFilter>> names) {
    return new FilterArgument(names);
  }

  /** Arguments that are filters. */
  static FilterArgument ofBytes() {
    return new FilterArgument(null);
  }

  /** The filter of an argument. */
  Filter get(byte[] argument) {
    Open open = last;
    return open != null && open.argument == argument ? open.filter : find(argument, open);
  }

  private Filter find(byte[] argument, @Nullable Open open) {
    Filter filter;
    if (open != null && Arrays.equals(open.argument, argument)) {
      filter = open.filter;
    } else {
      filter = names == null ? opened(argument) : named(new String(argument, UTF_8), names);
    }
    last = new Open(argument, filter);
    return filter;
  }

  private static Filter named(String name, Map<String, Broadcast<SharedFilter>> names) {
    Broadcast<SharedFilter> found = names.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "no filter is named \"%s\"; known are %s. BloomeryFilters.register names one, or the option"
                  .formatted(name, NamedFilters.given(names.keySet()))
              + " spark.sql.catalog.bloomery.filter.NAME=FILE");
    }
    return found.value().filter();
  }

  private static Filter opened(byte[] bytes) {
    try {
      return SharedFilter.ofBytes(bytes).filter();
    } catch (IOException e) {
      throw new UncheckedIOException("the first argument is not a filter", e);
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
