package io.bloomery.kafka;

import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Decides for one task which records are forwarded, and counts the others. */
final class Deduplicator<K, V> {

  private final ProcessingContext context;
  private final BiFunction<? super K, ? super V, ?> id;
  private final ToLongFunction<Object> hash;
  private final long mostLateness;
  private final RecentStore store;
  private final DeduplicationMetrics metrics;

  <I> Deduplicator(
      ProcessingContext context,
      Deduplication settings,
      String storeName,
      BiFunction<? super K, ? super V, ? extends @Nullable I> id,
      Funnel<? super I> funnel) {
    this.context = context;
    this.id = id;
    this.hash = hashOfIds(settings.hasher(), funnel);
    this.mostLateness = settings.mostLateness();
    KeyValueStore<Integer, byte[]> pages = context.getStateStore(storeName);
    this.store = new RecentStore(pages, settings.shape(), settings.hasher());
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
    long hashOfId = hash.applyAsLong(found);
    store.advanceTo(timestamp);
    Source source = context.recordMetadata().map(Source::of).orElse(Source.NONE);
    boolean again = store.isProcessedAgain(source, timestamp);
    if (again && store.wasSavedAfter(source, hashOfId)) {
      metrics.forwardedAgain();
      store.add(hashOfId, source);
      return true;
    }
    if (!again && store.lateness(timestamp) > mostLateness) {
      metrics.lateDropped();
      return false;
    }
    if (store.mightContain(hashOfId)) {
      metrics.duplicateDropped();
      return false;
    }
    store.add(hashOfId, source);
    return true;
  }

  void close() {
    metrics.close();
  }
}
