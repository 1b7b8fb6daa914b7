package io.bloomery.contract;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Seeds;
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
 * @param rule which answers of a {@link io.bloomery.LookupFilter} are right for a member; null for
 *     filters that are none
 */
record Subject(
    String name,
    FilterKind<?> kind,
    Maker maker,
    Map<String, Maker> otherShapes,
    boolean lockFree,
    Rule rule) {

  /** How many keys a subject is sized for. */
  static final int KEYS = 10_000;

  /** The hasher of subjects whose test names none; not the default, so that it must be kept. */
  static final Hasher HASHER = Hasher.xxh3(Seeds.of(77));

  /** Makes a filter that holds some hashes. */
  @FunctionalInterface
  interface Maker {
    HashedFilter make(Hasher hasher, long[] hashes);
  }

  /** Makes a map of hashes to values. */
  @FunctionalInterface
  interface MapMaker {
    HashedFilter make(Hasher hasher, long[] hashes, long[] values);
  }

  /** Says whether a member's value is right. */
  @FunctionalInterface
  interface Rule {
    boolean allows(long hash, long value);
  }

  /** A filter that answers only whether. */
  Subject(
      String name,
      FilterKind<?> kind,
      Maker maker,
      Map<String, Maker> otherShapes,
      boolean lockFree) {
    this(name, kind, maker, otherShapes, lockFree, null);
  }

  /** A frozen map that gives every member its {@link #valueOf value} of {@code values} ones. */
  static Subject map(String name, FilterKind<?> kind, int values, MapMaker maker) {
    return lookup(
        name,
        kind,
        (hasher, hashes) -> maker.make(hasher, hashes, valuesOf(hashes, values)),
        (hash, value) -> value == valueOf(hash, values));
  }

  /** A frozen filter whose answers for members follow another rule. */
  static Subject lookup(String name, FilterKind<?> kind, Maker maker, Rule rule) {
    return new Subject(name, kind, maker, Map.of(), false, rule);
  }

  /** The value that a hash has in the maps under test, one of 0…values-1. */
  static long valueOf(long hash, int values) {
    return Long.remainderUnsigned(hash, values);
  }

  /** The values of hashes. */
  static long[] valuesOf(long[] hashes, int values) {
    return Arrays.stream(hashes).map(hash -> valueOf(hash, values)).toArray();
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

  /** How many of the hashes are reported present. */
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
