package io.bloomery.contract;

import io.bloomery.Filter;
import io.bloomery.HashedFilter;
import io.bloomery.format.FilterKind;
import io.bloomery.hash.Hasher;
import java.util.Arrays;
import java.util.Map;

/**
 * One variety of a kind under test.
 *
 * @param name how failures call it
 * @param kind its kind, null for a model that is not a kind
 * @param maker makes one from hashes; sized for {@link #KEYS} keys at about 1 %, or exact
 * @param otherShapes makers of filters that must not be merged with it, by a word that the message
 *     must hold
 * @param lockFree whether several threads may add at the same time
 */
record Subject(
    String name,
    FilterKind<?> kind,
    Maker maker,
    Map<String, Maker> otherShapes,
    boolean lockFree) {

  /** How many keys a subject is sized for. */
  static final int KEYS = 10_000;

  /** The hasher of subjects whose test names none; not the default, so that it must be kept. */
  static final Hasher HASHER = Hasher.xxh3(77);

  /** Makes a filter that holds some hashes. */
  @FunctionalInterface
  interface Maker {
    HashedFilter make(Hasher hasher, long[] hashes);
  }

  /** A filter that holds these hashes. */
  HashedFilter of(long... hashes) {
    return maker.make(HASHER, hashes);
  }

  /** The same with another hasher. */
  HashedFilter of(Hasher hasher, long... hashes) {
    return maker.make(hasher, hashes);
  }

  /** An empty filter, seen as a capability that it has. */
  <T> T empty(Class<T> capability) {
    return capability.cast(of());
  }

  /** Whether its filters have a capability. */
  boolean is(Class<?> capability) {
    return capability.isInstance(of());
  }

  /** How many of the hashes are answered "probably present". */
  static int hits(HashedFilter filter, long[] hashes) {
    return (int) Arrays.stream(hashes).filter(filter::mightContainHash).count();
  }

  /** The answers for some hashes, to be compared later. */
  static boolean[] answers(Filter filter, long[] hashes) {
    HashedFilter hashed = (HashedFilter) filter;
    boolean[] answers = new boolean[hashes.length];
    for (int i = 0; i < hashes.length; i++) {
      answers[i] = hashed.mightContainHash(hashes[i]);
    }
    return answers;
  }

  @Override
  public String toString() {
    return name;
  }
}
