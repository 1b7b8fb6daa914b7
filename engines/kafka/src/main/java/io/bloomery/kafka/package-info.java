/**
 * Has this record been forwarded before? Deduplication within a window of event time for Kafka
 * Streams: {@link io.bloomery.kafka.Deduplication}.
 */
@NullMarked
package io.bloomery.kafka;

import org.jspecify.annotations.NullMarked;
