/** Was x seen lately? Stable, decaying, aging and double-buffered Bloom filters. */
package io.bloomery.window;
