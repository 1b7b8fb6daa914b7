/**
 * Is any key between a and b in the set? Filters for ordered keys: 64-bit numbers, or byte strings
 * in the order of their bytes. {@link io.bloomery.range.GrafiteFilter} is the default: its rate
 * holds for any keys and any queries, also for those right beside a key.
 */
@NullMarked
package io.bloomery.range;

import org.jspecify.annotations.NullMarked;
