package io.bloomery.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A Kafka broker, which is its own controller, in this JVM, on the loopback interface. Its topics
 * {@code in} and {@code out} have two partitions each.
 */
final class Broker implements AutoCloseable {

  static final int PARTITIONS = 2;

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final String address;
  private final KafkaRaftServer server;

  private Broker(String address, KafkaRaftServer server) {
    this.address = address;
    this.server = server;
  }

  /** Starts a broker that keeps everything in a directory. */
  static Broker start(Path directory) throws Exception {
    String address = "127.0.0.1:" + freePort();
    String controller = "127.0.0.1:" + freePort();
    Map<String, String> config = new HashMap<>();
    config.put("process.roles", "broker,controller");
    config.put("node.id", "1");
    config.put("controller.quorum.voters", "1@" + controller);
    config.put("controller.listener.names", "CONTROLLER");
    config.put("listeners", "PLAINTEXT://" + address + ",CONTROLLER://" + controller);
    config.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    config.put("log.dirs", directory.toString());
    config.put("log.retention.ms", "-1"); // timestamps of tests are old
    config.put("offsets.topic.replication.factor", "1");
    config.put("offsets.topic.num.partitions", "1");
    config.put("transaction.state.log.replication.factor", "1");
    config.put("transaction.state.log.min.isr", "1");
    config.put("transaction.state.log.num.partitions", "1");
    config.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500");
    config.put("group.initial.rebalance.delay.ms", "0");
    config.put("group.min.session.timeout.ms", "500");
    config.put("log.cleaner.dedupe.buffer.size", "2000000");
    config.put("log.cleaner.threads", "1");
    new Formatter()
        .setClusterId(Uuid.randomUuid().toString())
        .setNodeId(1)
        .setControllerListenerName("CONTROLLER")
        .addDirectory(directory.toString())
        .setMetadataLogDirectory(directory.toString())
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .run();
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(config), Time.SYSTEM);
    server.startup();
    Broker broker = new Broker(address, server);
    try (Admin admin = broker.admin()) {
      admin
          .createTopics(
              List.of(
                  new NewTopic("in", PARTITIONS, (short) 1),
                  new NewTopic("out", PARTITIONS, (short) 1)))
          .all()
          .get();
    }
    return broker;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  String address() {
    return address;
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", address));
  }

  /** Sends values to {@code in}; values of one id go to one partition. */
  void send(List<String> values, long timestamp) throws InterruptedException, ExecutionException {
    List<Future<?>> sent = new ArrayList<>();
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", address, "linger.ms", "5"),
            new StringSerializer(),
            new StringSerializer())) {
      for (String value : values) {
        String key = Pipeline.id(value);
        sent.add(
            producer.send(new ProducerRecord<>("in", partitionOf(key), timestamp, key, value)));
      }
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }

  /** The partition of a key in both topics. */
  static int partitionOf(String key) {
    return Utils.toPositive(Utils.murmur2(key.getBytes(StandardCharsets.UTF_8))) % PARTITIONS;
  }

  /** The offsets that an application has committed for {@code in}. */
  Map<Integer, Long> committed(String application) throws InterruptedException, ExecutionException {
    Map<Integer, Long> offsets = new HashMap<>();
    try (Admin admin = admin()) {
      admin
          .listConsumerGroupOffsets(application)
          .partitionsToOffsetAndMetadata()
          .get()
          .forEach(
              (partition, offset) -> {
                if (partition.topic().equals("in") && offset != null) {
                  offsets.put(partition.partition(), offset.offset());
                }
              });
    }
    return offsets;
  }

  /** Waits until a group has {@code members} members, each with a partition. */
  void awaitMembers(String group, int members) throws InterruptedException, ExecutionException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    try (Admin admin = admin()) {
      while (admin.describeConsumerGroups(List.of(group)).all().get().get(group).members().stream()
              .filter(each -> !each.assignment().topicPartitions().isEmpty())
              .count()
          < members) {
        if (System.nanoTime() > end) {
          throw new AssertionError("waited in vain for " + members + " members of " + group);
        }
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
  }

  /** Reads a topic from its beginning until what was read is enough; what is committed only. */
  List<ConsumerRecord<String, String>> read(
      String topic, Predicate<List<ConsumerRecord<String, String>>> enough) {
    List<ConsumerRecord<String, String>> records = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", address, "isolation.level", "read_committed"),
            new StringDeserializer(),
            new StringDeserializer())) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (int p = 0; p < PARTITIONS; p++) {
        partitions.add(new TopicPartition(topic, p));
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!enough.test(records)) {
        if (System.nanoTime() > end) {
          throw new AssertionError("waited in vain; " + topic + " has " + records.size());
        }
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }
}
