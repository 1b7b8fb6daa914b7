package io.bloomery;

import io.bloomery.hash.Hasher;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A view of a filter that takes a read lock for every query and a write lock for every change. Keys
 * are hashed before the lock is taken. This class holds what all capabilities share.
 *
 * @param <F> the capability of the wrapped filter
 */
abstract sealed class LockedFilter<F extends AddableFilter> {

  final F filter;
  final Lock reading;
  final Lock writing;

  private LockedFilter(F filter, ReadWriteLock lock) {
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

  @Override
  public final String toString() {
    reading.lock();
    try {
      return "locked " + filter;
    } finally {
      reading.unlock();
    }
  }

  /** The view of a filter to which keys are added. */
  static final class Addable extends LockedFilter<AddableFilter> implements AddableFilter {

    Addable(AddableFilter filter, ReadWriteLock lock) {
      super(filter, lock);
    }
  }

  /** The view of a filter with deletes. */
  static final class Removable extends LockedFilter<RemovableFilter> implements RemovableFilter {

    Removable(RemovableFilter filter, ReadWriteLock lock) {
      super(filter, lock);
    }

    @Override
    public boolean removeHash(long hash) {
      writing.lock();
      try {
        return filter.removeHash(hash);
      } finally {
        writing.unlock();
      }
    }
  }

  /** The view of a filter that counts. */
  static final class Frequency extends LockedFilter<FrequencyFilter> implements FrequencyFilter {

    Frequency(FrequencyFilter filter, ReadWriteLock lock) {
      super(filter, lock);
    }

    @Override
    public long countHash(long hash) {
      reading.lock();
      try {
        return filter.countHash(hash);
      } finally {
        reading.unlock();
      }
    }

    @Override
    public boolean isUpperBound() {
      return filter.isUpperBound();
    }

    @Override
    public long maxCount() {
      return filter.maxCount();
    }

    @Override
    public boolean addHash(long hash, long times) {
      writing.lock();
      try {
        return filter.addHash(hash, times);
      } finally {
        writing.unlock();
      }
    }
  }
}
