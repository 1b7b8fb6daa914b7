/**
 * Solvers for static structures: a table is chosen so that the cells a key reads yield the key's
 * fingerprint or value. Also solvers that recover keys from sums of keys, and the finite fields
 * they use.
 */
package io.bloomery.internal.solve;
