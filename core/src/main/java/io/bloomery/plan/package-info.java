/**
 * How large, how wrong, which one? The formulas of the literature as pure functions, the {@link
 * io.bloomery.plan.Shape} records that size each kind by its own exact rate, and the planner that
 * ranks the kinds for what a user needs.
 *
 * <p>Vocabulary: n keys, m bits, k probes (bits per key, "hash functions" in the papers), load n/m,
 * fill (share of set bits), rate (probability that a key that was not added is reported present).
 * Rates are in 0 … 1, sizes in bits, and every count is a {@code long}.
 */
package io.bloomery.plan;
