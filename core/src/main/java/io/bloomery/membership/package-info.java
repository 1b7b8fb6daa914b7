/**
 * Is x in the set? Classic, partitioned, two-choice and striped Bloom filters, the filters that
 * need one memory access (Bloom-1, Bloom-g, Bloom-α, blocked, split-block), and the small
 * structures that the literature compares them with.
 */
@NullMarked
package io.bloomery.membership;

import org.jspecify.annotations.NullMarked;
