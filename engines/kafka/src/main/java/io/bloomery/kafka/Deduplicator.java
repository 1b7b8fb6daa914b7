package io.bloomery.kafka;

import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides for one task which records are forwarded, and counts the others. */
final class Deduplicator<K, V> {

  private static final Logger LOG = LoggerFactory.getLogger(Deduplication.class);

  private final String name;
  private final ProcessingContext context;
  private final BiFunction<? super K, ? super V, ?> id;
  private final ToLongFunction<Object> hash;
  private final long mostLateness;
  private final boolean failClosed;
  private final Ahead ahead;
  private final RecentStore store;
  private final Overload overload;
  private final DeduplicationMetrics metrics;
  private long aheadSoFar;
  private long earlySoFar;

  <I> Deduplicator(
      ProcessingContext context,
      Deduplication settings,
      String storeName,
      BiFunction<? super K, ? super V, ? extends @Nullable I> id,
      Funnel<? super I> funnel) {
    this.context = context;
    this.name = "store " + storeName + ", task " + context.taskId();
    this.id = id;
    this.hash = hashOfIds(settings.hasher(), funnel);
    this.mostLateness = settings.mostLateness();
    KeyValueStore<Integer, byte[]> pages = context.getStateStore(storeName);
    this.failClosed = settings.isFailClosed();
    this.ahead = new Ahead(settings.maxJump(), context.currentSystemTimeMs());
    this.store =
        new RecentStore(
            pages, settings, time -> ahead.isImpossible(time, context.currentSystemTimeMs()));
    this.overload = new Overload(name, settings, store);
    this.metrics = new DeduplicationMetrics(context, storeName, store::falsePositiveRate);
  }

  @SuppressWarnings("unchecked") // what it gets is what id gave
  private static <I> ToLongFunction<Object> hashOfIds(Hasher hasher, Funnel<? super I> funnel) {
    return found -> hasher.hash((I) found, funnel);
  }

  /** Whether to forward a record. */
  boolean forwards(@Nullable K key, @Nullable V value, long timestamp) {
    Object found = value == null ? null : id.apply(key, value);
    if (found == null) {
      metrics.withoutId();
      return true;
    }
    if (ahead.isAhead(timestamp, store.streamTime(), context.currentSystemTimeMs())) {
      countAhead(timestamp);
      return !failClosed;
    }
    long hashOfId = hash.applyAsLong(found);
    store.advanceTo(timestamp);
    Source source = context.recordMetadata().map(Source::of).orElse(Source.NONE);
    boolean again = store.isProcessedAgain(source, timestamp);
    if (again && store.wasSavedAfter(source, hashOfId)) {
      metrics.forwardedAgain();
      add(hashOfId, source);
      return true;
    }
    if (!again && store.lateness(timestamp) > mostLateness) {
      metrics.lateDropped();
      return false;
    }
    if (!store.mightContain(hashOfId)) {
      add(hashOfId, source);
      return true;
    }
    if (overload.isPresent()) {
      metrics.overloadForwarded();
      return true;
    }
    metrics.duplicateDropped();
    return false;
  }

  private void add(long hashOfId, Source source) {
    if (store.add(hashOfId, source)) {
      metrics.forgottenEarly();
      earlySoFar++;
      if (Long.bitCount(earlySoFar) == 1) {
        LOG.warn(
            "{}: more ids than expected; the oldest were forgotten before the end of the window ({}"
                + " times so far), so duplicates of these are forwarded",
            name,
            earlySoFar);
      }
    }
    overload.added();
  }

  /** Logs the first, second, fourth, eighth ... of them. */
  private void countAhead(long timestamp) {
    if (failClosed) {
      metrics.aheadDropped();
    } else {
      metrics.aheadForwarded();
    }
    aheadSoFar++;
    if (Long.bitCount(aheadSoFar) == 1) {
      LOG.warn(
          "{}: timestamp {} is too far ahead of stream time {} ({} such records so far); the record"
              + " was {}",
          name,
          timestamp,
          store.streamTime() == Turns.NEVER ? "(none yet)" : store.streamTime(),
          aheadSoFar,
          failClosed ? "dropped" : "forwarded unchecked");
    }
  }

  void close() {
    metrics.close();
  }
}
