/**
 * Is x in the set, when the set never changes? Filters that are built once from all keys and are
 * smaller than any that adds them one by one. {@link io.bloomery.frozen.FuseFilter} is the default;
 * {@link io.bloomery.frozen.FrozenBuilder} takes the keys.
 */
@NullMarked
package io.bloomery.frozen;

import org.jspecify.annotations.NullMarked;
