package io.bloomery.spark;

import io.bloomery.Filter;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * The first argument of the SQL functions: the name of a broadcast filter, or the filter's bytes.
 * The last one is kept open. A constant is the same object for every row, so that it is found by a
 * comparison of references; filters that vary by row are best grouped.
 */
final class FilterArgument implements Serializable {

  private static final long serialVersionUID = 1;

  /** What an argument stands for. */
  private record Open(Object argument, Filter filter) {}

  private final HashMap<String, Broadcast<SharedFilter>> names;
  private transient @Nullable Open last; // immutable, so that a race only opens it twice

  FilterArgument(Map<String, Broadcast<SharedFilter>> names) {
    this.names = new HashMap<>(names);
  }

  /** The filter of a name. */
  Filter get(UTF8String name) {
    Open open = last;
    return open != null && open.argument == name ? open.filter : find(name);
  }

  /** The filter of bytes. */
  Filter get(byte[] bytes) {
    Open open = last;
    return open != null && open.argument == bytes ? open.filter : open(bytes, open);
  }

  private Filter find(UTF8String name) {
    Broadcast<SharedFilter> found = names.get(name.toString());
    if (found == null) {
      throw new IllegalArgumentException(
          "no filter is named \"%s\"; known are %s. BloomeryFilters.register names one, or the option"
                  .formatted(name, new TreeSet<>(names.keySet()))
              + " spark.sql.catalog.bloomery.filter.NAME=FILE");
    }
    Filter filter = found.value().filter();
    last = new Open(name, filter);
    return filter;
  }

  private Filter open(byte[] bytes, @Nullable Open open) {
    Filter filter;
    if (open != null && open.argument instanceof byte[] known && Arrays.equals(known, bytes)) {
      filter = open.filter;
    } else {
      try {
        filter = SharedFilter.ofBytes(bytes).filter();
      } catch (IOException e) {
        throw new UncheckedIOException("the first argument is not a filter", e);
      }
    }
    last = new Open(bytes, filter);
    return filter;
  }
}
