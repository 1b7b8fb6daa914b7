/**
 * How many different things does each client do per period, whoever and however many they are?
 *
 * <p><b>Source.</b> Limits that count an event once per key and period, by a Bloom filter of
 * events: the mail server Exim's {@code ratelimit} with {@code unique=}, an application named in
 * the encyclopedia's article on Bloom filters. Deviation: counts are kept in a count-min filter
 * with conservative update (Estan and Varghese 2002, "New Directions in Traffic Measurement and
 * Accounting", sec. 3.3.2) instead of one database record per key.
 *
 * <p><b>Promise.</b> Memory is fixed when the limiter is made, however many keys come. An event
 * that was counted is not counted again in its period. A key gets more than its limit only by new
 * events that look repeated, each with at most the configured probability; a new key is limited too
 * early with at most the configured probability while no more events are counted than expected.
 *
 * <p><b>Cost.</b> Per expected event 2 bytes and, divided by the limit, 40 bytes. A decision reads
 * or writes five or six cache lines.
 *
 * <p><b>When not to use it.</b> For few keys, where exact counters per key fit; to smooth a rate
 * within a period, for which token buckets are made; to count bytes or requests that are not
 * different from each other.
 */
@NullMarked
package io.bloomery.security.limit;

import org.jspecify.annotations.NullMarked;
