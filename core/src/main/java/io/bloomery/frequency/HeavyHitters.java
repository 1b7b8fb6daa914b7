package io.bloomery.frequency;

import io.bloomery.FrequencyFilter;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.hash.SecretSlots;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The most frequent keys of a stream: a filter that counts all keys, plus a table of the keys with
 * the largest counts, up to a capacity. {@link #top} lists them, {@link #atLeast} is the iceberg
 * query.
 *
 * <p>A filter does not store keys, so this object keeps them as they are added: all additions must
 * go through it. Over a filter that never counts too low, such as {@link CountMinFilter} and {@link
 * SpectralFilter}, no listed count is too low, and no key with a true count of {@link
 * #completeFrom} or more is missed. Keys with equal hashes count as equal. Memory is the filter
 * plus an entry of about 100 bytes per kept key.
 *
 * <p>With {@linkplain #shielded shielding} a key whose count has reached a threshold is counted
 * exactly from then on, in its entry alone, so that the heaviest keys no longer raise the counters
 * of others. This helps most in the {@linkplain #next next interval}, to which they are carried
 * over.
 *
 * <p>Threads: one at a time.
 *
 * <p>Estan and Varghese 2002, "New Directions in Traffic Measurement and Accounting" (flow memory,
 * shielding); Cormode and Muthukrishnan 2005, "An Improved Data Stream Summary", sec. 5.2 (sketch
 * and heap). Deviation: the exact part of an evicted entry's count is added to the filter, so
 * shielding never loses a count.
 *
 * @param <K> the keys' type
 */
public final class HeavyHitters<K> {

  /** The most keys that can be kept. */
  public static final int MAX_CAPACITY = 1 << 26;

  /**
   * A key and its count.
   *
   * @param key the key
   * @param count how often it was added, never too low if the filter's counts never are
   * @param least how often it was added since it has been kept, a lower bound on its true count.
   *     Equal to {@code count} if that is certainly exact
   * @param <K> the key's type
   */
  public record Counted<K>(K key, long count, long least) {}

  private interface Hashing<K> {
    long hash(Hasher hasher, K key);
  }

  private static final class Entry<K> {
    private final K key;
    private final long hash;
    private final long sequence;
    private long count;
    private long least;
    private boolean shielded;
    private long unpaid;
    private int place;

    Entry(K key, long hash, long sequence) {
      this.key = key;
      this.hash = hash;
      this.sequence = sequence;
    }

    /** Lower counts first; ties go to the later entry. */
    boolean isBefore(Entry<K> other) {
      return count != other.count ? count < other.count : sequence > other.sequence;
    }
  }

  private final FrequencyFilter filter;
  private final Hasher hasher;
  private final Hashing<K> hashing;
  private final long threshold;

  /** A heap; the entry to evict next is at index 0. */
  private final Entry<K>[] heap;

  /** The entries by hash: linear probing in a table at most half full. */
  private final @Nullable Entry<K>[] table;

  /** Whoever chooses the keys may know the filter's hash. */
  private final SecretSlots places = new SecretSlots();

  private int size;
  private long sequence;
  private long steps;

  private HeavyHitters(FrequencyFilter filter, int capacity, Hashing<K> hashing, long threshold) {
    this.filter = Objects.requireNonNull(filter, "filter");
    this.hasher = filter.hasher();
    this.hashing = hashing;
    this.threshold = threshold;
    Arguments.inRange("capacity", capacity, 1, MAX_CAPACITY);
    this.heap = entries(capacity);
    this.table = entries(Integer.highestOneBit(capacity) << 2);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <K> Entry<K>[] entries(int length) {
    return (Entry<K>[]) new Entry[length];
  }

  /**
   * The heaviest texts.
   *
   * @param filter counts all keys; its existing contents are part of the counts
   * @param capacity how many keys are kept, 1…2^26; a few times as many as will be listed
   * @return an empty object
   */
  public static HeavyHitters<String> ofTexts(FrequencyFilter filter, int capacity) {
    return new HeavyHitters<>(filter, capacity, Hasher::hash, Long.MAX_VALUE);
  }

  /**
   * The heaviest byte strings.
   *
   * @param filter counts all keys; its existing contents are part of the counts
   * @param capacity how many keys are kept, 1…2^26; a few times as many as will be listed
   * @return an empty object
   */
  public static HeavyHitters<byte[]> ofBytes(FrequencyFilter filter, int capacity) {
    return new HeavyHitters<>(filter, capacity, Hasher::hash, Long.MAX_VALUE);
  }

  /**
   * The heaviest numbers.
   *
   * @param filter counts all keys; its existing contents are part of the counts
   * @param capacity how many keys are kept, 1…2^26; a few times as many as will be listed
   * @return an empty object
   */
  public static HeavyHitters<Long> ofNumbers(FrequencyFilter filter, int capacity) {
    return new HeavyHitters<>(filter, capacity, HeavyHitters::hashNumber, Long.MAX_VALUE);
  }

  private static long hashNumber(Hasher hasher, Long key) {
    return hasher.hash(Objects.requireNonNull(key, "key").longValue());
  }

  /**
   * The heaviest objects.
   *
   * @param filter counts all keys; its existing contents are part of the counts
   * @param capacity how many keys are kept, 1…2^26; a few times as many as will be listed
   * @param funnel writes a key's fields
   * @param <K> the keys' type
   * @return an empty object
   */
  public static <K> HeavyHitters<K> of(
      FrequencyFilter filter, int capacity, Funnel<? super K> funnel) {
    Objects.requireNonNull(funnel, "funnel");
    return new HeavyHitters<>(
        filter, capacity, (hasher, key) -> hasher.hash(key, funnel), Long.MAX_VALUE);
  }

  /**
   * An object over the same filter that counts heavy keys in their entries alone.
   *
   * @param threshold the count from which a key is heavy, 1 or more
   * @return an empty object over the same filter
   * @throws IllegalStateException if keys were already added to this one
   */
  public HeavyHitters<K> shielded(long threshold) {
    Arguments.inRange("threshold", threshold, 1, Long.MAX_VALUE);
    if (sequence != 0) {
      throw new IllegalStateException("keys were added already; shield before the first");
    }
    return new HeavyHitters<>(filter, heap.length, hashing, threshold);
  }

  /**
   * The next interval of a measurement: the keys that are shielded now have entries from the start,
   * with a count of 0, so that their additions never reach the new filter.
   *
   * @param filter an empty filter with an equal hasher
   * @return a new object of the same capacity and threshold; this one stays as it is
   * @throws IllegalArgumentException if the hashers differ
   */
  public HeavyHitters<K> next(FrequencyFilter filter) {
    HeavyHitters<K> next = new HeavyHitters<>(filter, heap.length, hashing, threshold);
    if (!next.hasher.equals(hasher)) {
      throw new IllegalArgumentException("hasher " + next.hasher + " is not " + hasher);
    }
    for (Entry<K> entry : sorted(threshold)) {
      if (entry.shielded) {
        Entry<K> fresh = new Entry<>(entry.key, entry.hash, next.sequence++);
        fresh.shielded = true;
        next.insert(fresh);
      }
    }
    return next;
  }

  /**
   * The filter that counts all keys. With shielding it lacks the additions that only entries
   * counted, until {@link #flush}.
   *
   * @return the filter given at creation
   */
  public FrequencyFilter filter() {
    return filter;
  }

  /**
   * The largest number of keys kept.
   *
   * @return the capacity given at creation
   */
  public int capacity() {
    return heap.length;
  }

  /**
   * How many keys are kept now.
   *
   * @return 0…{@link #capacity()}
   */
  public int keyCount() {
    return size;
  }

  /**
   * Adds a key once.
   *
   * @param key the key
   * @return its count
   */
  public long add(K key) {
    return add(key, 1);
  }

  /**
   * Adds a key several times, or an amount of it.
   *
   * @param key the key; kept as it is, so an array must not change afterwards
   * @param times how often or how much, 0 or more; 0 changes nothing
   * @return its count
   * @throws IllegalArgumentException if {@code times} is below 0
   */
  public long add(K key, long times) {
    return addHash(hashing.hash(hasher, key), times, () -> key);
  }

  /**
   * Adds a key by its hash. The supplier is called only when the key starts to be kept, so most
   * keys need not be materialized.
   *
   * @param hash the key's hash
   * @param times how often or how much, 0 or more; 0 changes nothing
   * @param key supplies the key
   * @return its count
   * @throws IllegalArgumentException if {@code times} is below 0
   */
  public long addHash(long hash, long times, Supplier<? extends K> key) {
    Arguments.inRange("times", times, 0, Long.MAX_VALUE);
    Objects.requireNonNull(key, "key");
    if (times == 0) {
      return countHash(hash);
    }
    Entry<K> entry = threshold < Long.MAX_VALUE ? find(hash) : null;
    if (entry != null && entry.shielded) {
      entry.unpaid = sum(entry.unpaid, times);
      entry.least = sum(entry.least, times);
      raise(entry, sum(entry.count, times));
      return entry.count;
    }
    filter.addHash(hash, times);
    return consider(key, hash, times, times);
  }

  /**
   * Considers a key without adding it, after its count in the filter rose by other means. For
   * example, after a merge, offer the keys of the other {@code top}.
   *
   * @param key the key
   * @return its count
   */
  public long offer(K key) {
    long hash = hashing.hash(hasher, key);
    Entry<K> entry = find(hash);
    return entry != null && entry.shielded
        ? entry.count
        : consider(() -> key, hash, Long.MAX_VALUE, 0);
  }

  /**
   * Creates or raises the entry of a key that was added {@code times} and whose count in the filter
   * rose by up to {@code most}.
   */
  private long consider(Supplier<? extends K> key, long hash, long most, long times) {
    long count = filter.countHash(hash);
    if (count == 0 || (size == heap.length && count <= heap[0].count)) {
      return count; // an entry would have a count below this one's, and at least the lowest
    }
    Entry<K> entry = find(hash);
    if (entry == null) {
      if (size == heap.length) {
        evict();
      }
      entry = new Entry<>(key.get(), hash, sequence++);
      entry.count = count;
      insert(entry);
    } else {
      raise(entry, Math.max(entry.count, Math.min(count, sum(entry.count, most))));
    }
    entry.least = sum(entry.least, times);
    entry.shielded = entry.count >= threshold && threshold < Long.MAX_VALUE;
    return entry.count;
  }

  private static long sum(long a, long b) {
    return a + Math.min(b, Long.MAX_VALUE - a);
  }

  /**
   * How often a key was added.
   *
   * @param key the key
   * @return its count, never too low if the filter's counts never are
   */
  public long count(K key) {
    return countHash(hashing.hash(hasher, key));
  }

  private long countHash(long hash) {
    Entry<K> entry = find(hash);
    return entry != null ? entry.count : filter.countHash(hash);
  }

  /**
   * The keys with the largest counts.
   *
   * @param k how many, 0 or more
   * @return the {@code k} largest, or all kept keys if those are fewer; the largest first, ties
   *     going to the key kept longer
   */
  public List<Counted<K>> top(int k) {
    Arguments.inRange("k", k, 0, Integer.MAX_VALUE);
    return list(0, k);
  }

  /**
   * The iceberg query: all kept keys with a count of at least a threshold. It misses no such key if
   * the threshold is {@link #completeFrom} or more, and may list some whose true count is lower.
   *
   * @param threshold the least count
   * @return the keys, in the order of {@link #top}
   */
  public List<Counted<K>> atLeast(long threshold) {
    return list(threshold, Integer.MAX_VALUE);
  }

  /**
   * The count from which no key is missed: 1 until the capacity is used up, then one more than the
   * lowest count that is kept. If it is above the threshold of interest, the capacity is too small
   * for it.
   *
   * @return 1 or more
   */
  public long completeFrom() {
    return size < heap.length ? 1 : sum(heap[0].count, 1);
  }

  private List<Counted<K>> list(long least, int limit) {
    return sorted(Math.max(1, least)).stream()
        .limit(limit)
        .map(entry -> new Counted<>(entry.key, entry.count, entry.least))
        .toList();
  }

  private List<Entry<K>> sorted(long least) {
    List<Entry<K>> entries = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      if (heap[i].count >= least) {
        entries.add(heap[i]);
      }
    }
    entries.sort(
        Comparator.comparingLong((Entry<K> entry) -> -entry.count)
            .thenComparingLong(entry -> entry.sequence));
    return entries;
  }

  /**
   * Adds the counts that only shielded entries hold to the filter, so that it can be saved, merged
   * or queried without this object. Entries stay as they are.
   */
  public void flush() {
    for (int i = 0; i < size; i++) {
      payBack(heap[i]);
    }
  }

  private void payBack(Entry<K> entry) {
    if (entry.unpaid > 0) {
      filter.addHash(entry.hash, entry.unpaid);
      entry.unpaid = 0;
    }
  }

  @SuppressWarnings("NullAway") // entries from size on are null and not read
  private void evict() {
    Entry<K> last = heap[0];
    payBack(last);
    remove(last.hash);
    size--;
    if (size > 0) {
      heap[0] = heap[size];
      heap[0].place = 0;
      sink(heap[0]);
    }
    heap[size] = null;
  }

  private void insert(Entry<K> entry) {
    int slot = slot(entry.hash);
    while (table[slot] != null) {
      slot = slot + 1 & table.length - 1;
    }
    table[slot] = entry;
    entry.place = size;
    heap[size++] = entry;
    swim(entry);
  }

  private void raise(Entry<K> entry, long count) {
    entry.count = count;
    sink(entry);
  }

  private void swim(Entry<K> entry) {
    int place = entry.place;
    while (place > 0 && entry.isBefore(heap[(place - 1) / 2])) {
      int parent = (place - 1) / 2;
      put(heap[parent], place);
      place = parent;
    }
    put(entry, place);
  }

  private void sink(Entry<K> entry) {
    int place = entry.place;
    while (true) {
      int child = 2 * place + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
        child++;
      }
      if (!heap[child].isBefore(entry)) {
        break;
      }
      put(heap[child], place);
      place = child;
    }
    put(entry, place);
  }

  private void put(Entry<K> entry, int place) {
    heap[place] = entry;
    entry.place = place;
  }

  private int slot(long hash) {
    return places.of(hash, table.length);
  }

  /** The slots that were passed in all searches so far. */
  long steps() {
    return steps;
  }

  private @Nullable Entry<K> find(long hash) {
    for (int slot = slot(hash); ; slot = slot + 1 & table.length - 1) {
      Entry<K> entry = table[slot];
      if (entry == null || entry.hash == hash) {
        return entry;
      }
      steps++;
    }
  }

  /** Removes an entry and moves later entries that could no longer be found. */
  private void remove(long hash) {
    int gap = slot(hash);
    for (Entry<K> entry = table[gap]; entry != null && entry.hash != hash; entry = table[gap]) {
      gap = gap + 1 & table.length - 1;
    }
    int slot = gap + 1 & table.length - 1;
    for (Entry<K> entry = table[slot]; entry != null; entry = table[slot]) {
      int distance = slot - slot(entry.hash) & table.length - 1;
      if (distance >= (slot - gap & table.length - 1)) {
        table[gap] = entry;
        gap = slot;
      }
      slot = slot + 1 & table.length - 1;
    }
    table[gap] = null;
  }
}
