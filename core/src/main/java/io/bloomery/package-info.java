/**
 * Start here: {@link io.bloomery.Filter} and its capability interfaces define what a filter can do;
 * {@link io.bloomery.Filters} opens, maps and lists every kind.
 */
package io.bloomery;
