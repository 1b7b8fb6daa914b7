/**
 * Which keys does only one of two sides have? A {@link io.bloomery.transfer.Peer} is the other
 * side: at an address, behind a command such as {@code ssh}, or on streams; it reconciles a set of
 * keys with its own.
 *
 * <p>Source: Eppstein, Goodrich, Uyeda and Varghese 2011, "What's the difference?", section 3, for
 * tables of the difference and its estimate; Yang, Gilad and Alizadeh 2024, "Practical rateless set
 * reconciliation", for symbols. {@link io.bloomery.sync.SetReconciliation} has both and chooses;
 * the ways to the peer are ours.
 *
 * <p>Promise: both sides learn every key that only one of them has, or both fail; a 128-bit hash of
 * the united set is compared before either has a result. Neither set changes. A peer that
 * disconnects, is silent for longer than the limit or does not speak the protocol causes an {@code
 * IOException} that says so.
 *
 * <p>Cost: about 1.6 cells of the table for each key that differs, for sets of any size: 32 kB for
 * 1,000 of a million keys of 8 bytes; two or three rounds, and 20 bytes of memory per key.
 *
 * <p>When not to use it: if the sets share little, copy one of them; if only one side has changed,
 * send its changes; for whole files, use rsync. Connections are neither encrypted nor
 * authenticated: go through {@code ssh}, or open TLS sockets and pass their streams.
 */
@NullMarked
package io.bloomery.transfer;

import org.jspecify.annotations.NullMarked;
