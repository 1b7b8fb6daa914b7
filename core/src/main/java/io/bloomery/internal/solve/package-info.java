/**
 * Solvers for everything that is built once: a table is chosen so that what a key reads in it gives
 * the key's fingerprint or value.
 */
package io.bloomery.internal.solve;
