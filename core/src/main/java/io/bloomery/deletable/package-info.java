/**
 * Is x in the set, and may x leave again? Counting filters (plain, one-word, variable-increment,
 * multilayer), the deletable Bloom filter, and the tables of fingerprints (d-left, cuckoo,
 * quotient).
 */
package io.bloomery.deletable;
