/**
 * What do the formulas say? The rates, sizes and estimates as pure functions, for researchers and
 * for the shapes that size each kind of filter.
 *
 * <p>Vocabulary: n keys, m bits, k hashes per key, load n/m, fill (share of set bits), rate
 * (probability that a key that was not added is reported present). Rates are in 0 … 1, sizes in
 * bits, and every count is a {@code long}.
 */
@NullMarked
package io.bloomery.theory;

import org.jspecify.annotations.NullMarked;
