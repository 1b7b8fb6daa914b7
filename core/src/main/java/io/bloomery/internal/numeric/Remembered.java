package io.bloomery.internal.numeric;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * Results of a pure function by their arguments, up to a number; then it forgets all of them and
 * starts again. For any number of threads, which may compute the same result twice.
 *
 * @param <A> the arguments, a value
 * @param <R> the result, immutable
 */
public final class Remembered<A, R> {

  private final ConcurrentMap<A, R> results = new ConcurrentHashMap<>();
  private final int most;

  public Remembered(int most) {
    this.most = most;
  }

  /** The result for the arguments, computed if it is not known; a failure is not remembered. */
  public R get(A arguments, Function<? super A, ? extends R> function) {
    R known = results.get(arguments);
    if (known == null) {
      known = function.apply(arguments);
      if (results.size() >= most) {
        results.clear();
      }
      results.put(arguments, known);
    }
    return known;
  }
}
