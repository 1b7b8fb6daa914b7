/**
 * Is x in the set, when nobody knows how many keys there will be? {@link
 * io.bloomery.growing.ScalableBloomFilter} is the place to start; {@link
 * io.bloomery.growing.DynamicBloomFilter} has deletes, and {@link
 * io.bloomery.growing.SplitBloomFilter} is rebuilt from its keys.
 */
package io.bloomery.growing;
