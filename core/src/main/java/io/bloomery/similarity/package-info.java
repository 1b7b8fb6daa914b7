/**
 * Is something like x, or a part of x, in it? Filters of vectors, sets, molecules and odours, whose
 * answers grow with similarity, where {@link io.bloomery.membership} knows only equal keys.
 */
package io.bloomery.similarity;
