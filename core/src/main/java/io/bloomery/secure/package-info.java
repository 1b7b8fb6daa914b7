/**
 * Is x in the set, without revealing the set or the query? {@link io.bloomery.secure.KeyedFilters}
 * creates filters of any kind under a secret, each with its own nonce; {@link
 * io.bloomery.secure.SecureIndex} finds the documents that contain a word, on a machine that learns
 * neither the word nor the documents' other words; {@link io.bloomery.secure.EncryptedFilter} is
 * queried through a third party that does not see the word; {@link
 * io.bloomery.secure.ObliviousFilter} is published, and a word can be looked up in it only with the
 * help of a server that does not learn the word. docs/threats.md describes what each construction
 * protects and what it does not.
 */
@NullMarked
package io.bloomery.secure;

import org.jspecify.annotations.NullMarked;
