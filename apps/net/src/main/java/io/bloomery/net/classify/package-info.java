/**
 * Which rules does this packet match?
 *
 * <p><b>Source.</b> Dharmapurikar, Song, Turner and Lockwood 2006, "Fast Packet Classification
 * Using Bloom Filters", as in Tarkoma, Rothenberg and Lagerspetz 2012, sec. IV-C: rules are divided
 * into a few subsets by the kinds of their fields; in each, the combinations of field values that
 * match a rule are in a hash table behind a filter. Deviations: ports are ranges, not prefixes,
 * since each field is divided into the classes of values that the same rules have; subsets are
 * chosen greedily.
 *
 * <p><b>Promise.</b> Answers are exact. A packet that matches p rules reads {@code 4 + p + e}
 * entries on average: one per field but the protocol, one per rule, and e, the sum of the
 * false-positive rates of the subsets without a match.
 *
 * <p><b>Cost.</b> Some two entries per rule with four subsets, where rules are like those of access
 * lists; rules whose fields overlap in all ways need more, which the options limit.
 *
 * <p><b>When not to use it.</b> For some ten rules, which are compared one by one as fast; where
 * rules change all the time, since the tables are made at once.
 */
@NullMarked
package io.bloomery.net.classify;

import org.jspecify.annotations.NullMarked;
