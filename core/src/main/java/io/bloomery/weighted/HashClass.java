package io.bloomery.weighted;

import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.FieldName;
import io.bloomery.plan.PeeledCells;
import io.bloomery.plan.Shape;

/**
 * Keys that a filter knows by name and gives another number of hashes than all others.
 *
 * @param hashesPerKey the number of hashes, 1 … {@link Shape#MAX_HASHES_PER_KEY}
 * @param keyCount how many keys there are in this class, 0 … 2^27
 * @param members the share of the members that are expected to be of this class, 0 … 1
 * @param queries the share of the queries for keys outside of the set that are for this class, 0 …
 *     1
 */
public record HashClass(
    @FieldName("hot probes") int hashesPerKey,
    @FieldName("hot keys") long keyCount,
    @FieldName("hot members") double members,
    @FieldName("hot queries") double queries) {

  public HashClass {
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, Shape.MAX_HASHES_PER_KEY);
    Arguments.inRange("keyCount", keyCount, 0, PeeledCells.MAX_KEYS);
    Arguments.inRange("members", members, 0, 1);
    Arguments.inRange("queries", queries, 0, 1);
  }
}
