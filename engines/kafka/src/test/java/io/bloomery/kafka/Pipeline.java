package io.bloomery.kafka;

import io.bloomery.hash.Funnel;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.function.BiFunction;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.InMemoryKeyValueStore;
import org.apache.kafka.streams.test.TestRecord;

/**
 * Topics {@code in} and {@code too}, a deduplication by the value's text up to a colon, topic
 * {@code out}; and the changelog, which another pipeline can be restored from. Commits after each
 * record.
 */
final class Pipeline implements AutoCloseable {

  static final String STORE = "once";

  private final TopologyTestDriver driver;
  private final TestInputTopic<String, String> in;
  private final TestInputTopic<String, String> too;
  private final TestOutputTopic<String, String> out;
  private final TestOutputTopic<Integer, byte[]> changelog;
  private long offset;

  private Pipeline(Topology topology) {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "app");
    config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    this.driver = new TopologyTestDriver(topology, config);
    this.in = driver.createInputTopic("in", new StringSerializer(), new StringSerializer());
    this.too = driver.createInputTopic("too", new StringSerializer(), new StringSerializer());
    this.out = driver.createOutputTopic("out", new StringDeserializer(), new StringDeserializer());
    this.changelog =
        driver.createOutputTopic(
            "app-" + STORE + "-changelog", new IntegerDeserializer(), new ByteArrayDeserializer());
  }

  static Pipeline of(Deduplication once) {
    return new Pipeline(topology(once, List.of("in", "too")));
  }

  /** A pipeline whose store was restored from what another wrote to its changelog. */
  static Pipeline restored(Deduplication once, List<TestRecord<Integer, byte[]>> changelog) {
    return of(once.withStores(name -> new Restored(name, changelog)));
  }

  /** A pipeline of the low-level API, which deduplicates by the record's key. */
  static Pipeline byKey(Deduplication once) {
    BiFunction<String, String, String> key = (k, v) -> k;
    return new Pipeline(
        new Topology()
            .addSource("from", "in", "too")
            .addProcessor("once", once.processor(STORE, key, Funnel.text()), "from")
            .addSink("to", "out", "once"));
  }

  static Topology topology(Deduplication once, List<String> sources) {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, String> records = builder.stream(sources);
    records
        .processValues(
            once.fixedKeyProcessor(
                STORE, (key, value) -> value.equals("?") ? null : id(value), Funnel.text()))
        .to("out");
    return builder.build();
  }

  /** The id of a value: what precedes a colon. */
  static String id(String value) {
    return value.substring(0, (value + ":").indexOf(':'));
  }

  /** Sends a value and returns what comes out. */
  List<String> send(String value, long timestamp) {
    return send(null, value, timestamp);
  }

  List<String> send(String key, String value, long timestamp) {
    in.pipeInput(key, value, timestamp);
    offset++;
    return out.readValuesToList();
  }

  List<String> sendToo(String value, long timestamp) {
    too.pipeInput(null, value, timestamp);
    return out.readValuesToList();
  }

  /** Brings the next record to a place in its topic. */
  Pipeline at(long next) {
    while (offset < next) {
      send(null, 0);
    }
    return this;
  }

  /** Lets time pass on the wall clock, which stands still otherwise. */
  void pass(Duration time) {
    driver.advanceWallClockTime(time);
  }

  /** What was written to the changelog since the last call. */
  List<TestRecord<Integer, byte[]>> changelog() {
    return changelog.readRecordsToList();
  }

  double metric(String name) {
    return driver.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals(name))
        .filter(metric -> metric.metricName().group().equals("stream-deduplication-metrics"))
        .map(Metric::metricValue)
        .mapToDouble(Double.class::cast)
        .sum();
  }

  @Override
  public void close() {
    driver.close();
  }

  /** Holds what a changelog says before the processor is initialised, as after a restore. */
  private record Restored(String name, List<TestRecord<Integer, byte[]>> changelog)
      implements KeyValueBytesStoreSupplier {

    @Override
    public KeyValueStore<Bytes, byte[]> get() {
      return new InMemoryKeyValueStore(name) {
        @Override
        public void init(StateStoreContext context, StateStore root) {
          super.init(context, root);
          try (IntegerSerializer serializer = new IntegerSerializer()) {
            for (TestRecord<Integer, byte[]> written : changelog) {
              put(Bytes.wrap(serializer.serialize(null, written.key())), written.value());
            }
          }
        }
      };
    }

    @Override
    public String metricsScope() {
      return "restored";
    }
  }
}
