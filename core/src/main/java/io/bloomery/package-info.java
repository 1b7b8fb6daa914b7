/**
 * Where do I start? {@link io.bloomery.Filter} and its capability interfaces define what a filter
 * can do; {@link io.bloomery.Filters} opens, maps and lists every kind.
 */
@NullMarked
package io.bloomery;

import org.jspecify.annotations.NullMarked;
