/**
 * Is something similar to x, or a part of x, in the set? {@link io.bloomery.similarity.BlockDigest}
 * and {@link io.bloomery.similarity.HierarchicalDigest} hold payloads, such as packets or files,
 * and find excerpts of them at any position. The others are filters of vectors, sets, molecules and
 * odours, whose answers grow with similarity, whereas {@link io.bloomery.membership} knows only
 * equal keys.
 */
@NullMarked
package io.bloomery.similarity;

import org.jspecify.annotations.NullMarked;
