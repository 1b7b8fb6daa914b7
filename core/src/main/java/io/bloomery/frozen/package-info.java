/**
 * Is x in the set, when the set never changes? Filters that are built once from all keys and are
 * smaller than any filter to which keys are added one at a time. {@link
 * io.bloomery.frozen.FuseFilter} is the default; {@link io.bloomery.frozen.FrozenBuilder} takes the
 * keys.
 */
@NullMarked
package io.bloomery.frozen;

import org.jspecify.annotations.NullMarked;
