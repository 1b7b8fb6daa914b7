package io.bloomery;

import io.bloomery.hash.Hasher;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A view of a filter that takes a read lock for every query and a write lock for every change. Keys
 * are hashed before the lock is taken. This class holds the code that all capabilities share.
 *
 * @param <F> the capability of the wrapped filter
 */
abstract sealed class LockedFilter<F extends AddableFilter>
    permits LockedFilter.WithDeletes,
        LockedFilter.WithCounts,
        LockedFilter.Unsaved,
        AddableFilter.Locked {

  final F filter;
  final Lock reading;
  final Lock writing;

  LockedFilter(F filter, ReadWriteLock lock) {
    this.filter = Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(lock, "lock");
    this.reading = lock.readLock();
    this.writing = lock.writeLock();
  }

  public final Hasher hasher() {
    return filter.hasher();
  }

  public final boolean mightContainHash(long hash) {
    reading.lock();
    try {
      return filter.mightContainHash(hash);
    } finally {
      reading.unlock();
    }
  }

  public final int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    reading.lock();
    try {
      return filter.mightContainHashes(hashes, from, to, hits);
    } finally {
      reading.unlock();
    }
  }

  public final boolean addHash(long hash) {
    writing.lock();
    try {
      return filter.addHash(hash);
    } finally {
      writing.unlock();
    }
  }

  public final void addHashes(long[] hashes, int from, int to) {
    writing.lock();
    try {
      filter.addHashes(hashes, from, to);
    } finally {
      writing.unlock();
    }
  }

  public final double falsePositiveRate() {
    reading.lock();
    try {
      return filter.falsePositiveRate();
    } finally {
      reading.unlock();
    }
  }

  public final long sizeInBits() {
    reading.lock();
    try {
      return filter.sizeInBits();
    } finally {
      reading.unlock();
    }
  }

  // The views of filters that can be saved are Storable, and inherit the rest of it from here.

  private Storable storable() {
    return (Storable) filter;
  }

  public final FilterKind<?> kind() {
    return storable().kind();
  }

  public final void writeTo(OutputStream out) throws IOException {
    reading.lock();
    try {
      storable().writeTo(out);
    } finally {
      reading.unlock();
    }
  }

  public final long storedBytes() {
    reading.lock();
    try {
      return storable().storedBytes();
    } finally {
      reading.unlock();
    }
  }

  @Override
  public final String toString() {
    reading.lock();
    try {
      return "locked " + filter;
    } finally {
      reading.unlock();
    }
  }

  /** Deletes under the lock. */
  abstract static sealed class WithDeletes extends LockedFilter<RemovableFilter>
      implements RemovableFilter permits UnsavedWithDeletes, RemovableFilter.Locked {

    WithDeletes(RemovableFilter filter, ReadWriteLock lock) {
      super(filter, lock);
    }

    @Override
    public final boolean removeHash(long hash) {
      writing.lock();
      try {
        return filter.removeHash(hash);
      } finally {
        writing.unlock();
      }
    }
  }

  /** Counts under the lock. */
  abstract static sealed class WithCounts extends LockedFilter<FrequencyFilter>
      implements FrequencyFilter permits UnsavedWithCounts, FrequencyFilter.Locked {

    WithCounts(FrequencyFilter filter, ReadWriteLock lock) {
      super(filter, lock);
    }

    @Override
    public final long countHash(long hash) {
      reading.lock();
      try {
        return filter.countHash(hash);
      } finally {
        reading.unlock();
      }
    }

    @Override
    public final boolean isUpperBound() {
      return filter.isUpperBound();
    }

    @Override
    public final long maxCount() {
      return filter.maxCount();
    }

    @Override
    public final boolean addHash(long hash, long times) {
      writing.lock();
      try {
        return filter.addHash(hash, times);
      } finally {
        writing.unlock();
      }
    }
  }

  /** A view of a filter that cannot be saved. */
  static final class Unsaved extends LockedFilter<AddableFilter> implements AddableFilter {
    Unsaved(AddableFilter filter, ReadWriteLock lock) {
      super(filter, lock);
    }
  }

  /** A view of a filter with deletes that cannot be saved. */
  static final class UnsavedWithDeletes extends WithDeletes {
    UnsavedWithDeletes(RemovableFilter filter, ReadWriteLock lock) {
      super(filter, lock);
    }
  }

  /** A view of a filter that counts keys and cannot be saved. */
  static final class UnsavedWithCounts extends WithCounts {
    UnsavedWithCounts(FrequencyFilter filter, ReadWriteLock lock) {
      super(filter, lock);
    }
  }
}
