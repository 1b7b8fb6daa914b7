/**
 * Which clients overload the service, without a record of each?
 *
 * <p><b>Source.</b> Stochastic Fair Blue: Feng, Kandlur, Saha and Shin 2001, "Stochastic Fair Blue:
 * A Queue Management Algorithm for Enforcing Fairness", sec. III; Broder and Mitzenmacher 2004,
 * "Network Applications of Bloom Filters: A Survey", sec. 7.2. Defaults and penalty box are those
 * of Linux' {@code sch_sfb}. Deviations: what waits in the bins are requests in progress, not
 * packets in a queue; a refused request stands for a dropped or marked packet. And while new bins
 * warm up, a request of a penalized client counts there as one to a full bin, since those few that
 * the penalty box lets through would not fill it.
 *
 * <p><b>Promise.</b> Clients that go on sending when they are refused end in the penalty box, which
 * lets a fixed rate through for all of them together. A client that does not overload the service
 * is treated like them with probability [1 - (1 - 1/N)<sup>M</sup>]<sup>L</sup> for M that do,
 * until the hash changes.
 *
 * <p><b>Cost.</b> Two sets of L · N bins, 4 KB by default, for any number of clients.
 *
 * <p><b>When not to use it.</b> Where an innocent client may never be refused; where each client
 * has a quota of its own, for which there are token buckets per client; with so many overloading
 * clients that all bins belong to some of them.
 */
@NullMarked
package io.bloomery.security.fair;

import org.jspecify.annotations.NullMarked;
