/**
 * Is x in the set, if the number of keys is not known in advance? Start with {@link
 * io.bloomery.growing.ScalableBloomFilter} if several threads add; {@link
 * io.bloomery.growing.ElasticFilter} is smaller and has deletes; {@link
 * io.bloomery.growing.DynamicBloomFilter} is the literature's, and {@link
 * io.bloomery.growing.SplitBloomFilter} is rebuilt from its keys.
 */
@NullMarked
package io.bloomery.growing;

import org.jspecify.annotations.NullMarked;
