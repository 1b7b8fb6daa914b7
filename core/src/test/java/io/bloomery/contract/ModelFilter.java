package io.bloomery.contract;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.hash.Hasher;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** An exact set with every capability, which shows that the contracts can be met. */
class ModelFilter implements RemovableFilter, Mergeable<ModelFilter> {

  private final Hasher hasher;
  private final Set<Long> hashes = new HashSet<>();

  ModelFilter(Hasher hasher) {
    this.hasher = hasher;
  }

  public ModelFilter copy() {
    ModelFilter copy = new ModelFilter(hasher);
    copy.hashes.addAll(hashes);
    return copy;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return hashes.contains(hash);
  }

  @Override
  public boolean addHash(long hash) {
    return hashes.add(hash);
  }

  @Override
  public boolean removeHash(long hash) {
    return hashes.remove(hash);
  }

  @Override
  public void merge(ModelFilter other) {
    Objects.requireNonNull(other, "other");
    if (!isCompatible(other)) {
      throw new IncompatibleFiltersException("hasher " + hasher + " != " + other.hasher);
    }
    hashes.addAll(Set.copyOf(other.hashes));
  }

  @Override
  public boolean isCompatible(ModelFilter other) {
    Objects.requireNonNull(other, "other");
    return hasher.equals(other.hasher);
  }

  @Override
  public double falsePositiveRate() {
    return 0;
  }

  @Override
  public long sizeInBits() {
    return Long.SIZE * (long) hashes.size();
  }
}
