package io.bloomery.bench;

import java.lang.reflect.Field;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The results of one iteration; JMH passes every field to the scheduler. Times are nanoseconds per
 * key. {@link #ABSENT} marks figures that a row does not have.
 */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class Figures {

  static final double ABSENT = -1;

  /** Making the filter and adding all keys. */
  public double build;

  /** Adding all keys to a filter that was made before. */
  public double adds;

  /** A query for an added key. */
  public double positive;

  /** A query for a key that was never added. */
  public double negative;

  /** A query for a key that was never added, in batches. */
  public double batch;

  /** The share of never added keys that were reported present. */
  public double rate;

  /** Bits per added key. */
  public double bits;

  /** Bytes allocated per negative query. */
  public double garbage;

  /** Adds by one thread. */
  public double adds1;

  /** Adds by two threads, wall time over all keys. */
  public double adds2;

  /** Negative queries by one thread. */
  public double queries1;

  /** Negative queries by two threads, wall time over all keys. */
  public double queries2;

  /** {@code addHashes} by one thread. */
  public double bulk1;

  /** {@code addHashes} by two threads, wall time over all keys. */
  public double bulk2;

  /** Marks everything as absent. */
  final void clear() {
    try {
      for (Field field : Figures.class.getFields()) {
        field.setDouble(this, ABSENT);
      }
    } catch (IllegalAccessException e) {
      throw new LinkageError("every figure is public", e);
    }
  }
}
