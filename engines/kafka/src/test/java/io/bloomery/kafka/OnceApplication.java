package io.bloomery.kafka;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;

/**
 * An application that forwards each id of {@code in} once to {@code out}; in a process of its own,
 * so that it can be killed.
 */
final class OnceApplication {

  static final String NAME = "once-application";
  static final Deduplication HOUR = Deduplication.within(Duration.ofHours(1), 50_000, 1e-7);

  private OnceApplication() {}

  /** Arguments: the broker's address, a state directory, the processing guarantee. */
  public static void main(String[] args) throws InterruptedException {
    try (KafkaStreams streams = start(args[0], Path.of(args[1]), args[2])) {
      while (streams.state() != KafkaStreams.State.ERROR) {
        TimeUnit.SECONDS.sleep(1);
      }
    }
  }

  static KafkaStreams start(String address, Path state, String guarantee) {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, NAME);
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, address);
    config.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee);
    config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, "500");
    config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    config.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
    config.put(StreamsConfig.consumerPrefix("session.timeout.ms"), "3000");
    config.put(StreamsConfig.consumerPrefix("heartbeat.interval.ms"), "500");
    config.put(StreamsConfig.consumerPrefix("max.poll.records"), "100");
    config.put(StreamsConfig.producerPrefix("transaction.timeout.ms"), "3000");
    config.put(StreamsConfig.producerPrefix("linger.ms"), "0");
    KafkaStreams streams = new KafkaStreams(Pipeline.topology(HOUR, List.of("in")), config);
    streams.start();
    return streams;
  }

  /** Starts it in a process of its own, with the class path of the tests. */
  static Process startProcess(String address, Path state, String guarantee) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            OnceApplication.class.getName(),
            address,
            state.toString(),
            guarantee)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
