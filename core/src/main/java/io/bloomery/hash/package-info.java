/**
 * Which 64 bits stand for a key, and which positions do they choose? {@link
 * io.bloomery.hash.Hasher} turns keys into hashes, {@link io.bloomery.hash.IndexScheme} turns a
 * hash into positions; docs/hashing.md holds vectors for both.
 */
package io.bloomery.hash;
