/**
 * Was this request, token or nonce seen before?
 *
 * <p><b>Source.</b> Two filters that take turns remember nonces in constant memory: Tarkoma,
 * Rothenberg and Lagerspetz 2012, "Theory and Practice of Bloom Filters for Distributed Systems",
 * sec. IV-E, for Trickles (Shieh, Myers and Sirer 2005, "Trickles: A Stateless Network Stack for
 * Improved Scalability, Resilience, and Flexibility"). Deviation: filters belong to fixed intervals
 * of time instead of beginning when the older one is full, so that several nodes can merge theirs.
 *
 * <p><b>Promise.</b> While a guard runs, no id is accepted twice within the window, or with the
 * same time, also when several threads present it at once; after a restart, as far as ids were
 * recorded. A new id is rejected with at most the configured probability as long as no more ids
 * arrive than expected. Several nodes promise less: until their filters are exchanged, each accepts
 * an id once.
 *
 * <p><b>Cost.</b> Constant memory, about 6 bytes per expected id at a rate of 10<sup>-4</sup>, and
 * a lookup in two filters per request.
 *
 * <p><b>When not to use it.</b> Where no new id may ever be rejected; where a repeated id is to get
 * the first answer again, as with idempotency keys, since a filter stores no answers; and where a
 * database has to record the id anyhow.
 */
@NullMarked
package io.bloomery.security.replay;

import org.jspecify.annotations.NullMarked;
