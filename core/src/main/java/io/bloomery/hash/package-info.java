/**
 * Which 64 bits represent a key, and which positions do they select? {@link
 * io.bloomery.hash.Hasher} turns keys into hashes, {@link io.bloomery.hash.IndexScheme} turns a
 * hash into positions; docs/hashing.md has test vectors for both.
 */
@NullMarked
package io.bloomery.hash;

import org.jspecify.annotations.NullMarked;
