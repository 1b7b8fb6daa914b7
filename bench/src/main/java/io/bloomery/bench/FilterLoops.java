package io.bloomery.bench;

import io.bloomery.AddableFilter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;

/**
 * Loops over the keys of one filter. HotSpot compiles a loop for the types it has seen; {@link
 * #anew} makes a copy of this class that has seen none, so that several filters in one JVM have
 * each a loop of their own.
 */
final class FilterLoops implements Race.Loops {

  FilterLoops() {}

  /** Loops that no other filter has run through. */
  static Race.Loops anew() {
    try (InputStream in = FilterLoops.class.getResourceAsStream("FilterLoops.class")) {
      Class<?> copy =
          MethodHandles.lookup().defineHiddenClass(in.readAllBytes(), true).lookupClass();
      return (Race.Loops) copy.getDeclaredConstructor().newInstance();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int add(AddableFilter filter, long[] keys, int from, int to) {
    int fresh = 0;
    for (int i = from; i < to; i++) {
      fresh += filter.add(keys[i]) ? 1 : 0;
    }
    return fresh;
  }

  @Override
  public int ask(AddableFilter filter, long[] keys, int from, int to) {
    int hits = 0;
    for (int i = from; i < to; i++) {
      hits += filter.mightContain(keys[i]) ? 1 : 0;
    }
    return hits;
  }
}
