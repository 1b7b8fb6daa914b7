/**
 * Solvers for everything that is built once: a table is chosen so that what a key reads in it gives
 * the key's fingerprint or value. And those that find keys again from sums of them, with the fields
 * in which they count.
 */
package io.bloomery.internal.solve;
