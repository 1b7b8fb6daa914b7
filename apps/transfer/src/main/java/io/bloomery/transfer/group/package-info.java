/**
 * Which elements do all processes have together? Processes that trust each other, on one or many
 * machines, numbered from 0, exchange messages over TCP by a {@link
 * io.bloomery.transfer.group.SocketTransport}: {@link io.bloomery.sync.SingleShotFilter} finds the
 * elements that several of them have, and {@link io.bloomery.sync.ReplicatingFilter} gives every
 * one the filter of all.
 *
 * <p>Source: Sanders, Schlag and Müller 2013, "Communication efficient algorithms for fundamental
 * big data problems"; the framing of messages is ours.
 *
 * <p>Promise: messages arrive whole, once and in order, or a {@link
 * io.bloomery.sync.transport.Transport.PeerException} names the process that failed; no call waits
 * forever, and no message is longer than the limit.
 *
 * <p>Cost: two threads and a connection for each other process, 8 bytes before each message; the
 * filters' own costs are {@link io.bloomery.theory.DistributedMath}'s.
 *
 * <p>When not to use it: where Spark or another engine already has the data; on an untrusted
 * network, since messages are neither encrypted nor authenticated; for groups whose members join
 * and leave, for which use {@link io.bloomery.sync.DecentralizedAggregate}.
 */
@NullMarked
package io.bloomery.transfer.group;

import org.jspecify.annotations.NullMarked;
