package io.bloomery.kafka;

import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.window.RecentShape;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ContextualFixedKeyProcessor;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorSupplier;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the first record of each id within a window of event time and drops the others, in the
 * memory of a {@link io.bloomery.window.RecentFilter}: 22 bits per id of the window at a
 * false-positive rate of 1 %, for ids of any length.
 *
 * <pre>{@code
 * var once = Deduplication.within(Duration.ofHours(1), 1_000_000, 0.0001);
 * orders.processValues(once.fixedKeyProcessor("orders-once", (key, order) -> order.id(), Funnel.text()))
 * }</pre>
 *
 * <p><b>What is promised.</b> Each task, that is each partition, has its own filter, so records
 * with the same id must be in the same partition. Of two records with one id whose timestamps are
 * less than a window apart, only the first to arrive is forwarded, if the second is late by no more
 * than the grace period. A record whose id was not forwarded before is dropped at most at the given
 * false-positive rate. Both hold if no more ids than expected arrive in a window, evenly
 * distributed. If more arrive, the oldest are forgotten early and their duplicates forwarded,
 * rather than new records dropped ({@link #failClosed()} chooses otherwise). An id is forgotten at
 * the latest after 4/3 of the sum of window and grace period, after a burst at the latest after
 * twice that sum. The lateness of a record is relative to the greatest timestamp so far in its
 * task; a timestamp too far ahead is not believed ({@link #withMaxJump}). A dropped record does not
 * extend the time that its id is remembered.
 *
 * <p><b>Restarts.</b> The filter is stored in pages of 256 bytes in a key-value store with a
 * changelog. An add changes one page; changed pages are written when the task commits. With
 * exactly-once processing, a restart changes nothing. With at-least-once processing, records since
 * the last commit are processed again after a crash: those whose ids the changelog already knows
 * are forwarded again, so none is lost, but their duplicates are forwarded too.
 *
 * <p>Records without an id, including those with a null value (tombstones), are forwarded and not
 * remembered.
 *
 * <p>Immutable. The settings belong to the state: a task refuses a store that was created with
 * others.
 */
public final class Deduplication {

  private final Settings settings;
  private final RecentShape shape;

  private Deduplication(Settings settings) {
    this.settings = settings;
    this.shape =
        RecentShape.forKeys(rememberedIds(), settings.falsePositiveRate, Turns.LAYERS)
            .withWindow(remembered());
  }

  /**
   * What the methods below change one by one; changed only before it belongs to a deduplication.
   */
  private static final class Settings {

    final Duration window;
    final long expectedIds;
    final double falsePositiveRate;
    Duration grace = Duration.ZERO;
    Duration maxJump;
    Hasher hasher = Hasher.xxh3();
    boolean lateDropped;
    boolean failClosed;
    Function<String, KeyValueBytesStoreSupplier> storeType = Stores::inMemoryKeyValueStore;
    Map<String, String> changelogConfig = Map.of();

    Settings(Duration window, long expectedIds, double falsePositiveRate) {
      this.window = window;
      this.expectedIds = expectedIds;
      this.falsePositiveRate = falsePositiveRate;
      this.maxJump = window;
    }

    Settings(Settings other) {
      this(other.window, other.expectedIds, other.falsePositiveRate);
      this.grace = other.grace;
      this.maxJump = other.maxJump;
      this.hasher = other.hasher;
      this.lateDropped = other.lateDropped;
      this.failClosed = other.failClosed;
      this.storeType = other.storeType;
      this.changelogConfig = other.changelogConfig;
    }
  }

  private Deduplication with(Consumer<Settings> change) {
    Settings changed = new Settings(settings);
    change.accept(changed);
    return new Deduplication(changed);
  }

  /**
   * Deduplication within a window, without a grace period.
   *
   * @param window how far apart the timestamps of two records with one id must be for both to be
   *     forwarded, a millisecond or more
   * @param expectedIds how many distinct ids arrive within one window in one partition, evenly
   *     distributed; three times as many if they come in bursts
   * @param falsePositiveRate the highest acceptable share of first records that are dropped, above
   *     0, below 1
   * @return settings with {@link Hasher#xxh3()}, in-memory stores, and late records treated as any
   */
  public static Deduplication within(Duration window, long expectedIds, double falsePositiveRate) {
    Objects.requireNonNull(window, "window");
    if (window.toMillis() < 1) {
      throw new IllegalArgumentException("window = " + window + " is shorter than a millisecond");
    }
    if (expectedIds < 1) {
      throw new IllegalArgumentException("expectedIds = " + expectedIds + " is below 1");
    }
    return new Deduplication(new Settings(window, expectedIds, falsePositiveRate));
  }

  /**
   * The same with a grace period: ids are remembered that much longer, so that the promise holds
   * for records that are late by as much.
   *
   * @param period zero or more; the filter grows in proportion to window and grace period together
   * @return changed settings
   */
  public Deduplication withGrace(Duration period) {
    Objects.requireNonNull(period, "period");
    if (period.isNegative()) {
      throw new IllegalArgumentException("period = " + period + " is negative");
    }
    return with(changed -> changed.grace = period);
  }

  /**
   * The same, and records that are later than the grace period are dropped. Otherwise they are
   * treated as any other: dropped if the filter still knows their id, and forwarded if not, even if
   * it was forwarded before.
   *
   * @return changed settings
   */
  public Deduplication droppingLate() {
    return with(changed -> changed.lateDropped = true);
  }

  /**
   * The same with another greatest jump of stream time; by default it is the window. A record that
   * is further ahead of the greatest timestamp so far is forwarded, not remembered, and counted:
   * one record with a wrong clock must not make all others late. The time that passed on the wall
   * clock since the record before is allowed in addition, and 16 such records in a row are
   * believed, for gaps in records that are read again. Records that are further ahead of the wall
   * clock are never believed.
   *
   * @param jump a millisecond or more; a very long one if timestamps are planned times
   * @return changed settings
   */
  public Deduplication withMaxJump(Duration jump) {
    Objects.requireNonNull(jump, "jump");
    if (jump.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("jump = " + jump + " is shorter than a millisecond");
    }
    return with(changed -> changed.maxJump = jump);
  }

  /**
   * The same, but rather dropping a new record than forwarding a duplicate. By default it is the
   * other way round: if ids arrive that would raise the false-positive rate above twice the
   * promised one, the oldest are forgotten early; if the measured rate is above four times the
   * promised one (and above 1 %), as when somebody chose ids that collide, records that look like
   * duplicates are forwarded; and records too far ahead are forwarded ({@link #withMaxJump}). With
   * this setting ids are remembered for the whole window however many there are, new records are
   * dropped at whatever rate that gives, and records too far ahead are dropped.
   *
   * @return changed settings
   */
  public Deduplication failClosed() {
    return with(changed -> changed.failClosed = true);
  }

  /**
   * The same with another hasher. Use {@link Hasher#keyed} if others choose the ids: without the
   * key, ids cannot be constructed that make the filter drop other records.
   *
   * @param other turns ids into hashes
   * @return changed settings
   */
  public Deduplication withHasher(Hasher other) {
    Objects.requireNonNull(other, "other");
    return with(changed -> changed.hasher = other);
  }

  /**
   * The same with stores of another type, for example {@code Stores::persistentKeyValueStore},
   * which need not be restored from the changelog when an instance restarts on the same machine.
   * The default, in memory, takes less memory than the caches of a RocksDB store.
   *
   * @param type makes the supplier of a store from its name
   * @return changed settings
   */
  public Deduplication withStores(Function<String, KeyValueBytesStoreSupplier> type) {
    Objects.requireNonNull(type, "type");
    return with(changed -> changed.storeType = type);
  }

  /**
   * The same with settings of the changelog's topic.
   *
   * @param config as {@link StoreBuilder#withLoggingEnabled} takes them
   * @return changed settings
   */
  public Deduplication withChangelogConfig(Map<String, String> config) {
    Map<String, String> copy = Map.copyOf(config);
    return with(changed -> changed.changelogConfig = copy);
  }

  /**
   * The filter of each task.
   *
   * @return its shape: {@code sizeInBits()} is the memory of the filter; the in-memory store takes
   *     as much again and about half
   */
  public RecentShape shape() {
    return shape;
  }

  Hasher hasher() {
    return settings.hasher;
  }

  double falsePositiveRate() {
    return settings.falsePositiveRate;
  }

  boolean isFailClosed() {
    return settings.failClosed;
  }

  private Duration remembered() {
    return settings.window.plus(settings.grace);
  }

  /** How many ids are expected within window and grace period together. */
  long rememberedIds() {
    double windows = (double) remembered().toMillis() / Math.max(1, settings.window.toMillis());
    return (long) Math.ceil(settings.expectedIds * windows);
  }

  /** The maximum lateness of a record, in milliseconds. */
  long mostLateness() {
    return settings.lateDropped ? settings.grace.toMillis() : Long.MAX_VALUE;
  }

  /** The greatest jump of stream time, in milliseconds. */
  long maxJump() {
    Duration most = Duration.ofMillis(Long.MAX_VALUE);
    return settings.maxJump.compareTo(most) > 0 ? Long.MAX_VALUE : settings.maxJump.toMillis();
  }

  /**
   * A processor that keeps the keys of records, for {@code KStream.processValues}: what follows
   * needs no repartitioning.
   *
   * @param store the name of the state store, which its changelog is named after; one for each use
   * @param id what identifies a record, or null for a record to be forwarded unchecked; gets the
   *     record's key and value, of which only the key may be null
   * @param funnel writes an id
   * @param <K> the type of the records' keys
   * @param <V> the type of the records' values
   * @param <I> the type of ids
   * @return a supplier of processors with their store
   */
  public <K, V, I> FixedKeyProcessorSupplier<K, V, V> fixedKeyProcessor(
      String store,
      BiFunction<? super K, ? super V, ? extends @Nullable I> id,
      Funnel<? super I> funnel) {
    checkArguments(store, id, funnel);
    return new FixedKeySupplier<>(
        storeBuilder(store), context -> new Deduplicator<K, V>(context, this, store, id, funnel));
  }

  /**
   * A processor for {@code Topology.addProcessor} and {@code KStream.process}.
   *
   * @param store the name of the state store, which its changelog is named after; one for each use
   * @param id what identifies a record, or null for a record to be forwarded unchecked; gets the
   *     record's key and value, of which only the key may be null
   * @param funnel writes an id
   * @param <K> the type of the records' keys
   * @param <V> the type of the records' values
   * @param <I> the type of ids
   * @return a supplier of processors with their store
   */
  public <K, V, I> ProcessorSupplier<K, V, K, V> processor(
      String store,
      BiFunction<? super K, ? super V, ? extends @Nullable I> id,
      Funnel<? super I> funnel) {
    checkArguments(store, id, funnel);
    return new AnyKeySupplier<>(
        storeBuilder(store), context -> new Deduplicator<K, V>(context, this, store, id, funnel));
  }

  private static void checkArguments(Object store, Object id, Object funnel) {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(funnel, "funnel");
  }

  /** The cache holds changed pages until the commit, before which Kafka Streams empties it. */
  private StoreBuilder<KeyValueStore<Integer, byte[]>> storeBuilder(String store) {
    return Stores.keyValueStoreBuilder(
            settings.storeType.apply(store), Serdes.Integer(), Serdes.ByteArray())
        .withCachingEnabled()
        .withLoggingEnabled(settings.changelogConfig);
  }

  private record FixedKeySupplier<K, V>(
      StoreBuilder<?> store, Function<ProcessingContext, Deduplicator<K, V>> deduplicator)
      implements FixedKeyProcessorSupplier<K, V, V> {

    @Override
    public FixedKeyProcessor<K, V, V> get() {
      return new FixedKeyDeduplication<>(deduplicator);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      return Set.of(store);
    }
  }

  private record AnyKeySupplier<K, V>(
      StoreBuilder<?> store, Function<ProcessingContext, Deduplicator<K, V>> deduplicator)
      implements ProcessorSupplier<K, V, K, V> {

    @Override
    public Processor<K, V, K, V> get() {
      return new AnyKeyDeduplication<>(deduplicator);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      return Set.of(store);
    }
  }

  private static final class FixedKeyDeduplication<K, V>
      extends ContextualFixedKeyProcessor<K, V, V> {

    private final Function<ProcessingContext, Deduplicator<K, V>> factory;

    @SuppressWarnings("NullAway.Init") // Kafka calls init() before anything else
    private Deduplicator<K, V> deduplicator;

    FixedKeyDeduplication(Function<ProcessingContext, Deduplicator<K, V>> factory) {
      this.factory = factory;
    }

    @Override
    public void init(FixedKeyProcessorContext<K, V> context) {
      super.init(context);
      deduplicator = factory.apply(context);
    }

    @Override
    public void process(FixedKeyRecord<K, V> fixed) {
      if (deduplicator.forwards(fixed.key(), fixed.value(), fixed.timestamp())) {
        context().forward(fixed);
      }
    }

    @Override
    public void close() {
      deduplicator.close();
    }
  }

  private static final class AnyKeyDeduplication<K, V> extends ContextualProcessor<K, V, K, V> {

    private final Function<ProcessingContext, Deduplicator<K, V>> factory;

    @SuppressWarnings("NullAway.Init") // Kafka calls init() before anything else
    private Deduplicator<K, V> deduplicator;

    AnyKeyDeduplication(Function<ProcessingContext, Deduplicator<K, V>> factory) {
      this.factory = factory;
    }

    @Override
    public void init(ProcessorContext<K, V> context) {
      super.init(context);
      deduplicator = factory.apply(context);
    }

    @Override
    public void process(Record<K, V> any) {
      if (deduplicator.forwards(any.key(), any.value(), any.timestamp())) {
        context().forward(any);
      }
    }

    @Override
    public void close() {
      deduplicator.close();
    }
  }
}
