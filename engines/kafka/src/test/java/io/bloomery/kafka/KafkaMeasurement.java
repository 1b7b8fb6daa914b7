package io.bloomery.kafka;

import io.bloomery.hash.Funnel;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.BiPredicate;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * Measures the CPU time that a record takes in the processor, without a broker and without a
 * changelog: two million records of which every second repeats an id, in a window that holds a
 * million ids; beside it a store in memory with the time of each id, which never forgets one. They
 * take turns. {@code bench/kafka} runs it; it is not a test. Argument: number of rounds (7).
 */
final class KafkaMeasurement {

  private static final int RECORDS = 2_000_000;
  private static final Duration WINDOW = Duration.ofHours(1);

  private KafkaMeasurement() {}

  public static void main(String[] arguments) {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 7;
    String[] ids = ids();
    double[] ours = new double[rounds];
    double[] times = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      ours[round] = nanosPerRecord(ids, true);
      times[round] = nanosPerRecord(ids, false);
    }
    System.out.println("| deduplication | median ns per record | least |");
    System.out.println("|---|--:|--:|");
    print("Bloomery", ours);
    print("times of all ids in a map", times);
  }

  /** Each id occurs twice, a thousand records apart. */
  private static String[] ids() {
    String[] ids = new String[RECORDS];
    for (int i = 0; i < RECORDS; i++) {
      int block = i / 2000;
      ids[i] = "order-" + (1_000_000_000L + block * 1000L + i % 1000);
    }
    return ids;
  }

  private static double nanosPerRecord(String[] ids, boolean ours) {
    MockProcessorContext<String, String> context = new MockProcessorContext<>();
    context.setCurrentSystemTimeMs(0);
    BiPredicate<Record<String, String>, Long> process = ours ? bloomery(context) : times(context);
    var threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    int forwarded = 0;
    for (int i = 0; i < ids.length; i++) {
      long time = WINDOW.toMillis() * i / ids.length;
      context.setRecordMetadata("in", 0, i);
      context.setCurrentSystemTimeMs(time);
      if (process.test(new Record<>(ids[i], "", time), time)) {
        forwarded++;
      }
    }
    long nanos = threads.getCurrentThreadCpuTime() - start;
    if (Math.abs(forwarded - ids.length / 2) > ids.length / 1000) {
      throw new IllegalStateException(forwarded + " of " + ids.length + " records forwarded");
    }
    return nanos / (double) ids.length;
  }

  private static BiPredicate<Record<String, String>, Long> bloomery(
      MockProcessorContext<String, String> context) {
    KeyValueStore<Integer, byte[]> store =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore("once"), Serdes.Integer(), Serdes.ByteArray())
            .withLoggingDisabled()
            .build();
    store.init(context.getStateStoreContext(), store);
    context.addStateStore(store);
    Processor<String, String, String, String> processor =
        Deduplication.within(WINDOW, RECORDS / 2, 1e-4)
            .processor("once", (String key, String value) -> key, Funnel.text())
            .get();
    processor.init(context);
    return (record, time) -> {
      processor.process(record);
      boolean forwarded = !context.forwarded().isEmpty();
      context.resetForwards();
      return forwarded;
    };
  }

  private static BiPredicate<Record<String, String>, Long> times(
      MockProcessorContext<String, String> context) {
    KeyValueStore<String, Long> store =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore("seen"), Serdes.String(), Serdes.Long())
            .withLoggingDisabled()
            .build();
    store.init(context.getStateStoreContext(), store);
    long window = WINDOW.toMillis();
    return (record, time) -> {
      Long seen = store.get(record.key());
      if (seen != null && time - seen <= window) {
        return false;
      }
      store.put(record.key(), time);
      context.forward(record);
      context.resetForwards();
      return true;
    };
  }

  private static void print(String name, double[] rounds) {
    double[] sorted = Arrays.stream(rounds).skip(1).sorted().toArray();
    System.out.printf(
        Locale.ROOT, "| %s | %.0f | %.0f |%n", name, sorted[sorted.length / 2], sorted[0]);
  }
}
