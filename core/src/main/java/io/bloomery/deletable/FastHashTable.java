package io.bloomery.deletable;

import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Modulus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An exact map from keys to values in which a lookup reads one bucket that nearly always holds one
 * item, and no bucket at all for most absent keys. It needs a lock when one thread changes it while
 * others use it. It is not a filter: it stores the keys, compares them, and cannot be saved.
 *
 * <p>Every key has k of m buckets. A counting filter of 4 bits per bucket, small enough for the
 * caches, counts the keys of each bucket. A lookup reads the key's counters. If one is 0 the key is
 * absent; otherwise its item can only be in the bucket with the lowest counter, ties going to the
 * lowest index. That bucket is read needlessly only if the counting filter reports an absent key
 * present.
 *
 * <p>{@link Placement#BASIC} keeps an item in all its k buckets, {@link Placement#PRUNED} in the
 * one that lookups read. A change of counters may change that bucket. To find the items that must
 * move, the pruned table also keeps the basic table, used only for changes: the buckets of both
 * take about 200 bytes per key. Use {@link java.util.HashMap} where reading a bucket is as cheap as
 * reading a counter; this is for tables whose buckets are slow to reach, and to measure what the
 * papers claim.
 *
 * <p>Threads: any number may read while none writes.
 *
 * <p>Song, Dharmapurikar, Turner and Lockwood 2005, "Fast Hash Table Lookup Using Extended Bloom
 * Filter"; for packet classification the pruned counting Bloom filter in Tarkoma, Rothenberg and
 * Lagerspetz 2012, sec. IV-C.5. Deviation: a counter that would exceed 15 stays at 15 until its
 * bucket has fewer keys, which only causes more ties; counters are raised by {@link #balance}, on
 * demand, and only where that makes no new collisions.
 *
 * @param <K> the type of keys; equal keys must funnel to equal bytes
 * @param <V> values
 */
public final class FastHashTable<K, V> {

  /** Which of its buckets hold an item. */
  public enum Placement {
    /** All of them. */
    BASIC,
    /** The one that a lookup reads. */
    PRUNED
  }

  /**
   * What a lookup reads.
   *
   * @param counters counters, k unless one of them is 0
   * @param buckets buckets, 0 or 1
   * @param items items in that bucket, all of which a lookup may have to compare
   */
  record Accesses(int counters, int buckets, int items) {}

  /** The most keys of a bucket that its counter can count. */
  private static final int COUNTER_BITS = 4;

  private final Hasher hasher;
  private final Funnel<? super K> funnel;
  private final Placement placement;
  private final int hashesPerKey;
  private final Modulus modulus;
  private final Counters counters;
  private final Map<Integer, Integer> raised = new HashMap<>();
  private final @Nullable Node<K, V>[] members;
  private final @Nullable Item<K, V>[] kept;
  private int size;

  private FastHashTable(Builder<K> builder, int buckets) {
    this.hasher = builder.hasher;
    this.funnel = builder.funnel;
    this.placement = builder.placement;
    this.hashesPerKey = builder.hashesPerKey;
    this.modulus = new Modulus(buckets);
    this.counters = Counters.allocate(buckets, COUNTER_BITS, false, false);
    this.members = newArray(Node.class, buckets);
    this.kept = newArray(Item.class, placement == Placement.PRUNED ? buckets : 0);
  }

  @SuppressWarnings("unchecked")
  private static <T> T[] newArray(Class<? super T> type, int length) {
    return (T[]) java.lang.reflect.Array.newInstance(type, length);
  }

  /** A key and its value, linked to the other items of its bucket. */
  private static final class Item<K, V> {
    private final K key;
    private final long hash;
    private V value;
    private long place;
    private @Nullable Item<K, V> next;

    Item(K key, long hash, V value) {
      this.key = key;
      this.hash = hash;
      this.value = value;
    }
  }

  /** A list node of the items of a bucket. */
  private record Node<K, V>(Item<K, V> item, @Nullable Node<K, V> next) {}

  /**
   * A pruned table for a number of keys, with 12.8 buckets and 9 hashes per key.
   *
   * @param expectedKeys how many keys there will be, 1 … 10^8
   * @param funnel writes a key's fields
   * @param <K> the type of keys
   * @param <V> the type of values
   * @return an empty table
   */
  public static <K, V> FastHashTable<K, V> create(int expectedKeys, Funnel<? super K> funnel) {
    return FastHashTable.<K>builder(funnel).expectedKeys(expectedKeys).build();
  }

  /**
   * All options.
   *
   * @param funnel writes a key's fields
   * @param <K> the type of keys
   * @return a builder
   */
  public static <K> Builder<K> builder(Funnel<? super K> funnel) {
    return new Builder<>(Objects.requireNonNull(funnel, "funnel"));
  }

  /**
   * The value of a key.
   *
   * @param key the key
   * @return the value, or null if the key is not in the table
   */
  public @Nullable V get(K key) {
    long hash = hash(key);
    Item<K, V> item = find(key, hash, place(hash));
    return item == null ? null : item.value;
  }

  /**
   * Whether a key is in the table.
   *
   * @param key the key
   * @return whether it was put and not removed
   */
  public boolean containsKey(K key) {
    return get(key) != null;
  }

  /**
   * Puts a value.
   *
   * @param key the key
   * @param value the value
   * @return the value that it replaces, or null if the key is new
   */
  public @Nullable V put(K key, V value) {
    long hash = hash(key);
    Objects.requireNonNull(value, "value");
    Item<K, V> found = find(key, hash, place(hash));
    if (found != null) {
      V before = found.value;
      found.value = value;
      return before;
    }
    Item<K, V> item = new Item<>(key, hash, value);
    for (int i = 0; i < hashesPerKey; i++) {
      int bucket = bucket(hash, i);
      if (isFirst(hash, i)) {
        members[bucket] = new Node<>(item, members[bucket]);
        count(bucket);
      }
    }
    if (placement == Placement.PRUNED) {
      keep(item, place(hash));
      replaceNeighbours(hash);
    }
    size++;
    return null;
  }

  /**
   * Removes a key.
   *
   * @param key the key
   * @return its value, or null if the key was not in the table and nothing changed
   */
  public @Nullable V remove(K key) {
    long hash = hash(key);
    Item<K, V> item = find(key, hash, place(hash));
    if (item == null) {
      return null;
    }
    for (int i = 0; i < hashesPerKey; i++) {
      int bucket = bucket(hash, i);
      if (isFirst(hash, i)) {
        members[bucket] = without(members[bucket], item);
        count(bucket);
      }
    }
    if (placement == Placement.PRUNED) {
      drop(item);
      replaceNeighbours(hash);
    }
    size--;
    return item.value;
  }

  /**
   * How many keys there are.
   *
   * @return 0 or more
   */
  public int keyCount() {
    return size;
  }

  /**
   * Passes every key and its value to an action, in no particular order.
   *
   * @param action is called once for each key; it must not change the table
   */
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action, "action");
    for (int bucket = 0; bucket < members.length; bucket++) {
      for (Node<K, V> node = members[bucket]; node != null; node = node.next) {
        if (bucket(node.item.hash, 0) == bucket) {
          action.accept(node.item.key, node.item.value);
        }
      }
    }
  }

  /**
   * What a lookup of a key reads, to measure it.
   *
   * @param key the key
   * @return counters, buckets and items
   */
  Accesses accesses(K key) {
    long hash = hash(key);
    for (int i = 0; i < hashesPerKey; i++) {
      if (counters.get(bucket(hash, i)) == 0) {
        return new Accesses(i + 1, 0, 0);
      }
    }
    return new Accesses(hashesPerKey, 1, items((int) place(hash)));
  }

  /**
   * The number of items that are not the first of their bucket, over all buckets that lookups read.
   *
   * @return 0 if every bucket has one item at most
   */
  public long collisions() {
    long collisions = 0;
    for (int bucket = 0; bucket < members.length; bucket++) {
      collisions += Math.max(0, items(bucket) - 1);
    }
    return collisions;
  }

  /**
   * Raises counters so that, as far as possible, no two items share a bucket; a lookup then reads
   * one bucket of one item in the worst case. The counter of a bucket with several items is raised
   * until some of them are looked up elsewhere, unless that would cause more collisions. Answers
   * stay the same, and absent keys read no more buckets, since no counter rises from 0.
   *
   * <p>Keys that are put later may collide again; then call it again. A raised counter is reset
   * when its bucket has lost all keys. Only {@link Placement#PRUNED} tables can be balanced, since
   * in others an item is in all its buckets.
   *
   * @return the {@link #collisions} that are left
   * @throws IllegalStateException if the placement is basic
   */
  public long balance() {
    if (placement != Placement.PRUNED) {
      throw new IllegalStateException("placement is BASIC: items cannot be moved");
    }
    boolean better = true;
    while (better) {
      better = false;
      for (int bucket = 0; bucket < kept.length; bucket++) {
        better |= kept[bucket] != null && kept[bucket].next != null && spread(bucket);
      }
    }
    return collisions();
  }

  /**
   * Raises the counter of a bucket until some of its items are looked up elsewhere, unless that
   * would cause more collisions. Moves that only shift a collision are made too, because the next
   * bucket may resolve it; counters only rise, so this ends.
   */
  private boolean spread(int bucket) {
    long before = counters.get(bucket);
    List<Item<K, V>> items = new ArrayList<>();
    for (Item<K, V> item = kept[bucket]; item != null; item = item.next) {
      items.add(item);
    }
    for (long value = before + 1; value <= counters.max(); value++) {
      counters.set(bucket, value);
      if (collisionsIfMoved(bucket, items) <= items.size() - 1 && isMoved(bucket, items)) {
        raised.merge(bucket, (int) (value - before), Integer::sum);
        for (Item<K, V> item : items) {
          drop(item);
          keep(item, place(item.hash));
        }
        return true;
      }
    }
    counters.set(bucket, before);
    return false;
  }

  private boolean isMoved(int bucket, List<Item<K, V>> items) {
    return items.stream().anyMatch(item -> place(item.hash) != bucket);
  }

  /**
   * The number of a bucket's items that would collide if each were in the bucket that lookups read.
   */
  private int collisionsIfMoved(int bucket, List<Item<K, V>> items) {
    Map<Long, Integer> taken = new HashMap<>();
    int collisions = 0;
    for (Item<K, V> item : items) {
      long place = place(item.hash);
      int there = place == bucket ? 0 : Math.min(1, items((int) place));
      collisions += Math.min(1, there + taken.merge(place, 1, Integer::sum) - 1);
    }
    return collisions;
  }

  private int items(int bucket) {
    int items = 0;
    if (placement == Placement.BASIC) {
      for (Node<K, V> node = members[bucket]; node != null; node = node.next) {
        items++;
      }
    } else {
      for (Item<K, V> item = kept[bucket]; item != null; item = item.next) {
        items++;
      }
    }
    return items;
  }

  private long hash(K key) {
    return hasher.hash(key, funnel);
  }

  private int bucket(long hash, int i) {
    return (int) Draws.index(hash, i, modulus);
  }

  /** Whether a bucket differs from the earlier ones of the same key. */
  private boolean isFirst(long hash, int i) {
    int bucket = bucket(hash, i);
    for (int j = 0; j < i; j++) {
      if (bucket(hash, j) == bucket) {
        return false;
      }
    }
    return true;
  }

  /** The bucket that a lookup of a key reads, or -1 if one of its counters is 0. */
  private long place(long hash) {
    long place = -1;
    long lowest = Long.MAX_VALUE;
    for (int i = 0; i < hashesPerKey; i++) {
      int bucket = bucket(hash, i);
      long count = counters.get(bucket);
      if (count == 0) {
        return -1;
      }
      if (count < lowest || (count == lowest && bucket < place)) {
        lowest = count;
        place = bucket;
      }
    }
    return place;
  }

  private @Nullable Item<K, V> find(K key, long hash, long place) {
    if (place < 0) {
      return null;
    }
    if (placement == Placement.BASIC) {
      for (Node<K, V> node = members[(int) place]; node != null; node = node.next) {
        if (node.item.hash == hash && node.item.key.equals(key)) {
          return node.item;
        }
      }
      return null;
    }
    Item<K, V> item = kept[(int) place];
    while (item != null && !(item.hash == hash && item.key.equals(key))) {
      item = item.next;
    }
    return item;
  }

  /** Sets the counter of a bucket to its number of keys plus the amount by which it was raised. */
  private void count(int bucket) {
    int count = 0;
    for (Node<K, V> node = members[bucket]; node != null && count < counters.max(); ) {
      count++;
      node = node.next;
    }
    if (count == 0) {
      raised.remove(bucket);
    }
    counters.set(bucket, Math.min(counters.max(), count + raised.getOrDefault(bucket, 0)));
  }

  /**
   * Moves every item that has a bucket in common with a hash to the bucket that lookups now read.
   */
  private void replaceNeighbours(long hash) {
    for (int i = 0; i < hashesPerKey; i++) {
      for (Node<K, V> node = members[bucket(hash, i)]; node != null; node = node.next) {
        long place = place(node.item.hash);
        if (place != node.item.place) {
          drop(node.item);
          keep(node.item, place);
        }
      }
    }
  }

  private void keep(Item<K, V> item, long place) {
    item.place = place;
    item.next = kept[(int) place];
    kept[(int) place] = item;
  }

  private void drop(Item<K, V> item) {
    int place = (int) item.place;
    if (kept[place] == item) {
      kept[place] = item.next;
      return;
    }
    for (Item<K, V> before = kept[place]; before != null; before = before.next) {
      if (before.next == item) {
        before.next = item.next;
        return;
      }
    }
  }

  private static <K, V> @Nullable Node<K, V> without(@Nullable Node<K, V> list, Item<K, V> item) {
    Node<K, V> rest = null;
    for (Node<K, V> node = list; node != null; node = node.next) {
      if (node.item != item) {
        rest = new Node<>(node.item, rest);
      }
    }
    return rest;
  }

  @Override
  public String toString() {
    return "FastHashTable[%d keys, %d buckets, %d hashes per key, %s, %s]"
        .formatted(size, members.length, hashesPerKey, placement, hasher);
  }

  /**
   * Options of a table: expected keys or buckets, hashes per key, placement and hasher.
   *
   * @param <K> the type of keys
   */
  public static final class Builder<K> {
    private static final double BUCKETS_PER_KEY = 12.8;
    private static final int MAX_KEYS = 100_000_000;
    private static final int MAX_BUCKETS = 1 << 30;

    private final Funnel<? super K> funnel;
    private Hasher hasher = Hasher.xxh3();
    private Placement placement = Placement.PRUNED;
    private int hashesPerKey = 9;
    private int buckets;

    private Builder(Funnel<? super K> funnel) {
      this.funnel = funnel;
    }

    /**
     * The expected number of keys; the table gets 12.8 buckets for each.
     *
     * @param expectedKeys 1 … 10^8
     * @return this builder
     */
    public Builder<K> expectedKeys(int expectedKeys) {
      Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
      return buckets((int) Math.min(MAX_BUCKETS, Math.ceil(expectedKeys * BUCKETS_PER_KEY)));
    }

    /**
     * How many buckets there are.
     *
     * @param buckets 2 … 2^30
     * @return this builder
     */
    public Builder<K> buckets(int buckets) {
      this.buckets = Arguments.inRange("buckets", buckets, 2, MAX_BUCKETS);
      return this;
    }

    /**
     * How many buckets a key has. Above about 0.7 times the table's buckets per key (if that
     * exceeds 2) lookups get slower: all counters rise and carry less information.
     *
     * @param hashesPerKey 1 … 64; 9 if never called
     * @return this builder
     */
    public Builder<K> hashesPerKey(int hashesPerKey) {
      this.hashesPerKey = Arguments.inRange("hashesPerKey", hashesPerKey, 1, 64);
      return this;
    }

    /**
     * Which of its buckets hold an item.
     *
     * @param placement {@link Placement#PRUNED} if never called
     * @return this builder
     */
    public Builder<K> placement(Placement placement) {
      this.placement = Objects.requireNonNull(placement, "placement");
      return this;
    }

    /**
     * What turns keys into hashes.
     *
     * @param hasher {@link Hasher#xxh3()} if never called
     * @return this builder
     */
    public Builder<K> hasher(Hasher hasher) {
      this.hasher = Objects.requireNonNull(hasher, "hasher");
      return this;
    }

    /**
     * Makes the table.
     *
     * @param <V> the type of values
     * @return an empty table
     * @throws IllegalArgumentException if neither keys nor buckets were given
     */
    public <V> FastHashTable<K, V> build() {
      return new FastHashTable<>(this, Arguments.inRange("buckets", buckets, 2, MAX_BUCKETS));
    }
  }
}
