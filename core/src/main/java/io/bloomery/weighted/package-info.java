/**
 * Is x in the set, when some keys matter more? {@link io.bloomery.weighted.WeightedBloomFilter} and
 * {@link io.bloomery.weighted.PopularityBloomFilter} err less on the keys that are queried most.
 * The others trade one error for another, key by key: {@link
 * io.bloomery.weighted.RetouchedBloomFilter} removes false positives that are known to be expensive
 * and accepts a few false negatives, {@link io.bloomery.weighted.GeneralizedBloomFilter} bounds its
 * false-positive rate whatever its initial bits, and {@link
 * io.bloomery.weighted.VariableSignatureFilter} gives each key its own number of bits.
 */
@NullMarked
package io.bloomery.weighted;

import org.jspecify.annotations.NullMarked;
