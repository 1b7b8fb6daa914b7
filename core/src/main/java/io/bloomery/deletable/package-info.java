/**
 * Is x in the set, with deletes? Counting filters (plain, one-word, blocked, variable-increment,
 * multilayer), the deletable Bloom filter, and the tables of fingerprints (d-left, cuckoo,
 * quotient).
 */
@NullMarked
package io.bloomery.deletable;

import org.jspecify.annotations.NullMarked;
