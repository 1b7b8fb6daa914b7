/**
 * Which distributions determine a rate, and which size is the smallest? The helpers of {@link
 * io.bloomery.theory} and of the shapes.
 */
package io.bloomery.internal.numeric;
