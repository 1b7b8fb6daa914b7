/**
 * Which keys does the other side have that I lack? Two sides that hold nearly the same set find
 * their difference by exchanging a message whose size depends on the difference, not on the sets.
 * An {@link io.bloomery.sync.InvertibleTable} is sized for the difference, which a {@link
 * io.bloomery.sync.StrataEstimator} estimates; a {@link io.bloomery.sync.RatelessTable} needs no
 * estimate and is streamed until the other side has decoded it. {@link
 * io.bloomery.sync.ReconciliationTree} and {@link io.bloomery.sync.FilterExchange} find most of a
 * difference with filters of the sets. {@link io.bloomery.sync.SetReconciliation} runs any of them
 * over a pair of streams.
 *
 * <p>For more than two processes, {@link io.bloomery.sync.SingleShotFilter} finds the elements that
 * several processes have, {@link io.bloomery.sync.ReplicatingFilter} gives each of them the filter
 * of all, and {@link io.bloomery.sync.DecentralizedAggregate} lets every node of a network know the
 * sum, average and extremes of all nodes' values.
 */
@NullMarked
package io.bloomery.sync;

import org.jspecify.annotations.NullMarked;
