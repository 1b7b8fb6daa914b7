package io.bloomery.growing;

import io.bloomery.AddableFilter;
import io.bloomery.CardinalityFilter;
import io.bloomery.FilterFullException;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whole filters of any addable kind as layers: decides the size and rate of each, counts its keys,
 * and chooses the layer for the next key. Layer i holds n·g^i keys at the rate P/2^(i+1), so that
 * all rates add up to less than P, as in the scalable filter.
 *
 * @param <F> the filters' class
 */
final class FilterLayers<F extends AddableFilter> {

  /** The minimum number of keys of later layers if the growth is below 1. */
  private static final long LEAST_KEYS = 64;

  /** One filter and its number of keys. */
  static final class Layer<F> {
    final F filter;
    private final double capacity;
    private long keys;
    private boolean refused;

    Layer(F filter, double capacity, long keys) {
      this.filter = filter;
      this.capacity = capacity;
      this.keys = keys;
    }

    private boolean hasRoom() {
      return keys < capacity && !refused;
    }

    /** Records that a key was removed. */
    void freed() {
      keys = Math.max(0, keys - 1);
      refused = false;
    }
  }

  private final GrowingFilter.Source<F> source;
  private final long expectedKeys;
  private final double rate;
  private final double growth;
  private final List<Layer<F>> layers = new ArrayList<>();

  FilterLayers(long expectedKeys, double rate, double growth, GrowingFilter.Source<F> source) {
    Sizing.requireTarget(expectedKeys, rate);
    Arguments.inRange("growth", growth, 1.0 / 64, 64);
    this.source = Objects.requireNonNull(source, "source");
    this.expectedKeys = expectedKeys;
    this.rate = rate;
    this.growth = growth;
  }

  /** Opens the first layer. */
  FilterLayers<F> empty() {
    open();
    return this;
  }

  /** Restores saved layers, oldest first. */
  FilterLayers<F> with(List<? extends F> saved) {
    if (saved.isEmpty()) {
      return empty();
    }
    for (F filter : saved) {
      append(filter, filter instanceof CardinalityFilter counted ? counted.cardinality() : -1);
    }
    return this;
  }

  private void append(F filter, double keys) {
    Objects.requireNonNull(filter, "filter");
    if (!layers.isEmpty() && !filter.hasher().equals(hasher())) {
      throw new IncompatibleFiltersException("hasher " + hasher() + " != " + filter.hasher());
    }
    double capacity = capacity(layers.size());
    // A filter that cannot estimate its number of keys counts as full.
    layers.add(
        new Layer<>(filter, capacity, keys < 0 ? (long) Math.ceil(capacity) : Math.round(keys)));
  }

  /** The hasher of all filters. */
  Hasher hasher() {
    return layers.get(0).filter.hasher();
  }

  private double capacity(int layer) {
    double keys = Math.ceil(expectedKeys * Math.pow(growth, layer));
    return Math.max((double) Math.min(expectedKeys, LEAST_KEYS), keys);
  }

  private Layer<F> open() {
    int number = layers.size();
    double keys = capacity(number);
    try {
      append(source.create((long) keys, rate * Math.scalb(1.0, -number - 1)), 0);
    } catch (IllegalArgumentException e) {
      if (number == 0) {
        throw e;
      }
      throw new FilterFullException("no layer can follow: " + e.getMessage());
    }
    return layers.get(number);
  }

  /** The filters, oldest first. */
  List<F> filters() {
    return layers.stream().map(layer -> layer.filter).toList();
  }

  /** Looks up a batch in all filters. */
  int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    int total = layers.get(0).filter.mightContainHashes(hashes, from, to, hits);
    long[] more = new long[(to - from + Long.SIZE - 1) / Long.SIZE];
    for (int i = 1; i < layers.size() && total < to - from; i++) {
      layers.get(i).filter.mightContainHashes(hashes, from, to, more);
      total = 0;
      for (int word = 0; word < more.length; word++) {
        hits[word] |= more[word];
        total += Long.bitCount(hits[word]);
      }
    }
    return total;
  }

  /** 1 − ∏(1 − rate). */
  double rate() {
    double none = 0;
    for (Layer<F> layer : layers) {
      none += Math.log1p(-layer.filter.falsePositiveRate());
    }
    return 0 - Math.expm1(none); // never -0
  }

  /** The memory of all filters. */
  long sizeInBits() {
    return layers.stream().mapToLong(layer -> layer.filter.sizeInBits()).sum();
  }

  /** The newest layer that reports a key present, or null. */
  @Nullable Layer<F> claimant(long hash) {
    for (int i = layers.size() - 1; i >= 0; i--) {
      if (layers.get(i).filter.mightContainHash(hash)) {
        return layers.get(i);
      }
    }
    return null;
  }

  /** How many layers report a key present. */
  int claims(long hash) {
    int claims = 0;
    for (Layer<F> layer : layers) {
      claims += layer.filter.mightContainHash(hash) ? 1 : 0;
    }
    return claims;
  }

  /** Adds a key that no layer reports present. */
  boolean addNew(long hash) {
    for (int i = layers.size() - 1; i >= 0; i--) {
      if (layers.get(i).hasRoom() && addedTo(layers.get(i), hash)) {
        return true;
      }
    }
    if (!addedTo(open(), hash)) {
      throw new FilterFullException("an empty layer refuses a key");
    }
    return true;
  }

  private boolean addedTo(Layer<F> layer, long hash) {
    try {
      layer.filter.addHash(hash);
      layer.keys++;
      return true;
    } catch (FilterFullException e) {
      layer.refused = true;
      return false;
    }
  }

  /** The number of keys that were new when added, minus those removed. */
  long keys() {
    return layers.stream().mapToLong(layer -> layer.keys).sum();
  }
}
