/**
 * Which state is each connection in, in a few bytes per connection?
 *
 * <p><b>Source.</b> Bonomi, Mitzenmacher, Panigrahy, Singh and Varghese 2006, "Beyond Bloom
 * Filters: From Approximate Membership Checks to Approximate State Machines", as in Tarkoma,
 * Rothenberg and Lagerspetz 2012, sec. IV-D: a Bloom filter of pairs of flow and state; a filter
 * whose cells have a state and a counter, and "don't know" where flows disagree; and fingerprints
 * with states in a d-left hash table. Deviations: fingerprints are taken by permutations, as in the
 * d-left counting filter of the same authors, so that removing one is unambiguous; all three age by
 * a bit per cell.
 *
 * <p><b>Promise.</b> None for a single answer: a connection may get the state of another one, or
 * "don't know". With fingerprints, an absent connection is taken for another with the probability
 * {@code n / 2^bits}, where n are stored.
 *
 * <p><b>Cost.</b> 24 bits per connection, unless the options say otherwise; four cache lines per
 * packet.
 *
 * <p><b>When not to use it.</b> Where all connections fit into memory at some 100 bytes each; where
 * a wrong state would let something through that must not pass; to list connections, which these
 * tables cannot.
 */
@NullMarked
package io.bloomery.net.state;

import org.jspecify.annotations.NullMarked;
