/**
 * Was x seen lately? {@link io.bloomery.window.RecentFilter} is the place to start; the stable,
 * decaying, aging and double-buffered Bloom filters of the literature trade memory, edges and
 * errors in other ways, {@link io.bloomery.window.TimeDecayingFilter} tells how often, and {@link
 * io.bloomery.window.ExponentialDecayFilter} how near.
 */
package io.bloomery.window;
