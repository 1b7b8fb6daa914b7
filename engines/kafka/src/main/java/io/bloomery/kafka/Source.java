package io.bloomery.kafka;

import io.bloomery.hash.Hasher;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * The source of a record. All partitions of a task have the same number, so the topic distinguishes
 * them.
 *
 * @param topic the hash of the topic's name
 * @param offset the record's place in it, or -1 if it came from no topic
 */
record Source(long topic, long offset) {

  static final Source NONE = new Source(0, -1);

  static Source of(RecordMetadata metadata) {
    return new Source(Hasher.xxh3().hash(metadata.topic()), metadata.offset());
  }
}
