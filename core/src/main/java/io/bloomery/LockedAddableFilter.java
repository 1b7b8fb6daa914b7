package io.bloomery;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A view of a filter to which keys are added for several threads, which can be saved: queries and
 * saves share a read lock, changes take the write lock. It saves the filter itself, so that what is
 * opened again is of the filter's own class.
 */
public final class LockedAddableFilter extends LockedFilter<AddableFilter>
    implements AddableFilter, Storable {

  private LockedAddableFilter(AddableFilter filter, ReadWriteLock lock) {
    super(filter, lock);
  }

  /**
   * A view with a lock of its own.
   *
   * @param filter a filter to which keys are added, which must not be used itself any more
   * @param <F> the filter's type
   * @return a filter that any number of threads may use and save
   */
  public static <F extends AddableFilter & Storable> LockedAddableFilter of(F filter) {
    return of(filter, new ReentrantReadWriteLock());
  }

  /**
   * A view with a lock that other code may hold too.
   *
   * @param filter a filter to which keys are added
   * @param lock guards the filter; a thread that holds its write lock may do anything with the
   *     filter, one that holds its read lock may copy or save it
   * @param <F> the filter's type
   * @return a filter that any number of threads may use and save
   */
  public static <F extends AddableFilter & Storable> LockedAddableFilter of(
      F filter, ReadWriteLock lock) {
    return new LockedAddableFilter(filter, lock);
  }
}
