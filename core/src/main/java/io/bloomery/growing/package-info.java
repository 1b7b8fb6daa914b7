/**
 * Is x in the set, if the number of keys is not known in advance? {@link
 * io.bloomery.growing.ScalableBloomFilter} is the place to start where threads add together; {@link
 * io.bloomery.growing.ElasticFilter} is leaner and has deletes; {@link
 * io.bloomery.growing.DynamicBloomFilter} is the literature's, and {@link
 * io.bloomery.growing.SplitBloomFilter} is rebuilt from its keys.
 */
@NullMarked
package io.bloomery.growing;

import org.jspecify.annotations.NullMarked;
