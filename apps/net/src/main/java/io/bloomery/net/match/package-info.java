/**
 * Which network, country or list does this address belong to?
 *
 * <p><b>Source.</b> Dharmapurikar, Krishnamurthy and Taylor 2003, "Longest Prefix Matching Using
 * Bloom Filters": a filter for each length of prefixes, with counters apart, before a hash table;
 * short prefixes in an array; longer ones expanded to a few lengths (Srinivasan and Varghese 1998).
 * Tarkoma, Rothenberg and Lagerspetz 2012, sec. IV-C, print the expected number of probes as the
 * false-positive rate alone; it is {@code 1 + B·f}. Deviations: filters are asked one after
 * another, beginning with the longest, and only those whose lengths occur below the first bits of
 * the address; their rates are in proportion to their entries, which makes probes in vain fewest;
 * the filters are blocked ones.
 *
 * <p><b>Promise.</b> Answers are exact, also while prefixes are put and removed. A lookup reads on
 * average {@code 1 + Σf} hash tables, where f are the false-positive rates of the lengths above the
 * one that has the answer, and an array if none has.
 *
 * <p><b>Cost.</b> For a routing table of half a million prefixes of IPv4 about 26 MB and 140 ns per
 * lookup. An update changes up to 256 entries, or as much of the array as a short prefix covers;
 * now and then one makes the tables again, while lookups go on with the old ones.
 *
 * <p><b>When not to use it.</b> Where the table fits in fast memory as a trie of a few levels,
 * which answers IPv4 several times as fast; for ranges that are no prefixes and change all the
 * time; and where a few hundred prefixes are compared one by one in no time.
 */
@NullMarked
package io.bloomery.net.match;

import org.jspecify.annotations.NullMarked;
