/**
 * Was x seen recently? {@link io.bloomery.window.RecentFilter} is the default; the stable,
 * decaying, aging and double-buffered Bloom filters of the literature trade memory, sharp window
 * edges and errors differently, {@link io.bloomery.window.TimeDecayingFilter} answers how often,
 * and {@link io.bloomery.window.ExponentialDecayFilter} how near.
 *
 * <p>A key is <em>inside the window</em> as long as its age is below the window's length. In a
 * window of W adds the age of a key is the number of adds after its own latest add, so the last W
 * adds are inside. In a window of time it is the number of milliseconds since its latest add. The
 * recent and the decaying filter always find the keys inside the window.
 */
@NullMarked
package io.bloomery.window;

import org.jspecify.annotations.NullMarked;
