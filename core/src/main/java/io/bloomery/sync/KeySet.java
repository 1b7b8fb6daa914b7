package io.bloomery.sync;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.KeyArena;
import io.bloomery.internal.hash.SecretSlots;
import io.bloomery.internal.probe.Mix;
import io.bloomery.sync.ReconciliationException.Reason;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * One side's set during a run: its keys, those received, and a 64-bit number for each, the hash
 * with the run's seed. Two keys of a set with the same number are a collision, which is an error
 * that another seed avoids; it occurs in 3 of 10^8 runs with a million keys. Repeated keys count
 * once. The set as a whole has a 128-bit hash, the sums of two hashes of all keys. The peer knows
 * the seed, or has chosen it, so that where numbers lie depends on a secret of this side.
 */
final class KeySet {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final KeyArena given;
  private final Hasher hasher;
  private final Hasher second;
  private long[] ids = new long[16];
  private int[] keys = new int[16]; // numbers of distinct keys; received keys follow the given ones
  private int count;
  private int givenCount = Integer.MAX_VALUE; // until all keys are there
  private int[] slots; // number of an id + 1, or 0
  private final SecretSlots places = new SecretSlots();
  private long steps;
  private final KeyArena received = new KeyArena();
  private final BitSet lacking = new BitSet(); // numbers of keys that the peer lacks
  private long firstSum;
  private long secondSum;
  private int shortest = Integer.MAX_VALUE;
  private int longest;

  KeySet(KeyArena given, long seed) throws ReconciliationException {
    this.given = given;
    this.hasher = Hasher.xxh3(seed);
    this.second = Hasher.xxh3(Mix.stream(seed, 1));
    slots = new int[tableFor(given.count())];
    ids = new long[given.count()];
    keys = new int[given.count()];
    for (int i = 0; i < given.count(); i++) {
      insert(given, i);
    }
    givenCount = count;
  }

  private static int tableFor(int count) {
    long least = Math.max(16, 3L * count / 2);
    return (int) Math.min(1 << 30, Long.highestOneBit(2 * least - 1));
  }

  /** Adds a key of an arena unless it is already there; returns whether it was new. */
  private boolean insert(KeyArena arena, int key) throws ReconciliationException {
    int start = arena.start(key);
    int length = arena.length(key);
    long id = hasher.hash(arena.bytes(), start, length);
    int slot = slot(id);
    if (slots[slot] != 0) {
      if (sameKey(slots[slot] - 1, arena.bytes(), start, length)) {
        return false;
      }
      throw new ReconciliationException(
          Reason.COLLISION, "two keys have the same hash with this run's seed; run it again");
    }
    if (count == ids.length) {
      ids = Arrays.copyOf(ids, Math.max(16, 2 * count));
      keys = Arrays.copyOf(keys, ids.length);
    }
    ids[count] = id;
    keys[count] = key;
    slots[slot] = ++count;
    if (3L * count > 2L * slots.length && slots.length < 1 << 30) {
      rehash();
    }
    firstSum += Mix.mix(id);
    secondSum += second.hash(arena.bytes(), start, length);
    shortest = Math.min(shortest, length);
    longest = Math.max(longest, length);
    return true;
  }

  private void rehash() {
    slots = new int[2 * slots.length];
    for (int i = 0; i < count; i++) {
      slots[slot(ids[i])] = i + 1;
    }
  }

  private int slot(long id) {
    int mask = slots.length - 1;
    int slot = places.of(id, slots.length);
    while (slots[slot] != 0 && ids[slots[slot] - 1] != id) {
      slot = (slot + 1) & mask;
      steps++;
    }
    return slot;
  }

  /** The slots that were passed in all searches so far. */
  long steps() {
    return steps;
  }

  private boolean sameKey(int number, byte[] bytes, int offset, int length) {
    return arena(number).equals(keys[number], bytes, offset, length);
  }

  private KeyArena arena(int number) {
    return number < givenCount ? given : received;
  }

  Hasher hasher() {
    return hasher;
  }

  /** The number of distinct keys, including received ones. */
  int count() {
    return count;
  }

  /** The number of distinct given keys. */
  int givenCount() {
    return givenCount;
  }

  long firstSum() {
    return firstSum;
  }

  long secondSum() {
    return secondSum;
  }

  /** The length of the shortest key; 0 if there is none. */
  int shortest() {
    return count == 0 ? 0 : shortest;
  }

  int longest() {
    return longest;
  }

  long id(int number) {
    return ids[number];
  }

  /** The number of a key by its hash, or -1. */
  int find(long id) {
    return slots[slot(id)] - 1;
  }

  byte[] key(int number) {
    return arena(number).copy(keys[number]);
  }

  /** A key of 8 bytes as a number. */
  long longKey(int number) {
    KeyArena arena = arena(number);
    return (long) LONGS.get(arena.bytes(), arena.start(keys[number]));
  }

  static long toLong(byte[] element) {
    return (long) LONGS.get(element, 0);
  }

  int keyLength(int number) {
    return arena(number).length(keys[number]);
  }

  void writeKey(int number, OutputStream out) throws IOException {
    KeyArena arena = arena(number);
    out.write(arena.bytes(), arena.start(keys[number]), arena.length(keys[number]));
  }

  /** The number of a key that this side has, or -1. */
  int find(byte[] key) {
    int number = find(hasher.hash(key));
    return number >= 0 && sameKey(number, key, 0, key.length) ? number : -1;
  }

  /** Receives a key that only the peer had. */
  void receive(byte[] key) throws ReconciliationException {
    if (!received.fits(key.length)) {
      throw new ReconciliationException(Reason.LIMIT, "the peer sends more than 2 GiB of keys");
    }
    received.add(key, 0, key.length);
    if (!insert(received, received.count() - 1)) {
      throw new ReconciliationException(
          Reason.MALFORMED, "the peer sent a key that this side has already");
    }
  }

  /** Records that the peer lacks a key, which must be a given key that is not recorded yet. */
  void lacking(int number) throws ReconciliationException {
    if (number < 0 || number >= givenCount || lacking.get(number)) {
      throw new ReconciliationException(
          Reason.MALFORMED, "the peer lacks a key that this side does not have, or lacks it twice");
    }
    lacking.set(number);
  }

  /** How many keys were sent to the peer. */
  int lackingCount() {
    return lacking.cardinality();
  }

  List<byte[]> onlyHere() {
    return lacking.stream().mapToObj(this::key).toList();
  }

  List<byte[]> onlyThere() {
    List<byte[]> keys = new ArrayList<>(received.count());
    for (int i = 0; i < received.count(); i++) {
      keys.add(received.copy(i));
    }
    return List.copyOf(keys);
  }

  /** Hashes of all keys. */
  long[] ids() {
    return Arrays.copyOf(ids, count);
  }
}
