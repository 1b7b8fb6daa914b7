package io.bloomery;

/**
 * The cost of a query as Qiao, Li and Chen count it ("Fast Bloom Filters and Their Generalization",
 * sec. 1): bits of the hash function's output, and memory accesses. Both are worst cases; queries
 * for absent keys usually stop earlier.
 *
 * <p>Every {@link HashedFilter} has it whose query tests bits that the key's hash alone chooses,
 * and so have the shapes that decide it. Filters of layers state it for their present layers.
 */
public interface QueryCost {

  /**
   * The number of hash bits that a query uses: log2 n, rounded up, for each choice among n values.
   *
   * @return bits; more than 64 if the key's one hash is extended by mixing
   */
  int hashBits();

  /**
   * The most words that a query reads, where a word is what the kind reads at once: a word of its
   * shape, a block, or a 64-bit word around a bit or a counter.
   *
   * @return accesses, 1 or more
   */
  int memoryAccesses();
}
