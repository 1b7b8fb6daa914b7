/**
 * Is x in the set, if the number of keys is not known in advance? {@link
 * io.bloomery.growing.ScalableBloomFilter} is the place to start; {@link
 * io.bloomery.growing.DynamicBloomFilter} has deletes, and {@link
 * io.bloomery.growing.SplitBloomFilter} is rebuilt from its keys.
 */
@NullMarked
package io.bloomery.growing;

import org.jspecify.annotations.NullMarked;
