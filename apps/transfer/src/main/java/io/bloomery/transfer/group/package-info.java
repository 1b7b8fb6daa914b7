/**
 * What do all of us have together? Processes on one or many machines, numbered from 0, exchange
 * messages over TCP by a {@link io.bloomery.transfer.group.SocketTransport}: {@link
 * io.bloomery.sync.SingleShotFilter} finds the elements that several of them have, and {@link
 * io.bloomery.sync.ReplicatingFilter} gives every one the filter of all.
 *
 * <p>Source: Sanders, Schlag and Müller 2013, "Communication efficient algorithms for fundamental
 * big data problems"; the framing of messages is ours.
 *
 * <p>Promise: messages arrive whole, once and in order, or a {@link
 * io.bloomery.sync.transport.Transport.PeerException} names the process that failed; nothing waits
 * forever, and no message is longer than the limit.
 *
 * <p>Cost: two threads and a connection for each other process, 8 bytes before each message; the
 * filters' own costs are {@link io.bloomery.theory.DistributedMath}'s.
 *
 * <p>When not to use it: where Spark or another engine has the data already; on a network that you
 * do not trust, since messages are neither encrypted nor authenticated; for groups whose members
 * come and go, which {@link io.bloomery.sync.DecentralizedAggregate} is made for.
 */
@NullMarked
package io.bloomery.transfer.group;

import org.jspecify.annotations.NullMarked;
