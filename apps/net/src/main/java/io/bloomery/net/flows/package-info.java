/**
 * Which flows are the largest?
 *
 * <p><b>Source.</b> Estan and Varghese 2002, "New Directions in Traffic Measurement and Accounting"
 * (parallel multistage filter, conservative update, shielding), as in Broder and Mitzenmacher 2004,
 * "Network Applications of Bloom Filters", sec. 8.1; Fang, Shivakumar, Garcia-Molina, Motwani and
 * Ullman 1998, "Computing Iceberg Queries Efficiently" (a second pass counts the candidates).
 *
 * <p><b>Promise.</b> The amount of a flow is never below the truth, and never above what is said.
 * No flow whose amount is at least {@link HeavyFlows.Interval#completeFrom} is missing from the
 * report. After a second pass over the same packets amounts are exact.
 *
 * <p><b>Cost.</b> The memory of the counters, 4 MiB by default, and some 200 bytes per flow that is
 * kept, whatever the number of flows. A packet reads and writes four cache lines.
 *
 * <p><b>When not to use it.</b> Where all flows fit into memory, some millions: a hash table counts
 * them exactly. To count small flows, which disappear among the others.
 */
@NullMarked
package io.bloomery.net.flows;

import org.jspecify.annotations.NullMarked;
