package io.bloomery.plan;

/**
 * One recommendation: which kind, how large, how wrong, how fast, and why.
 *
 * @param kind short name of the kind, for example "blocked-128"
 * @param className name of the class that implements it, for example
 *     "io.bloomery.membership.BlockedBloomFilter"
 * @param shape the parameters
 * @param bitsPerKey size in bits divided by the number of keys
 * @param predictedRate the expected false-positive rate at the planned keys
 * @param cacheLines the most cache lines of 64 bytes that one query touches
 * @param words 64-bit words that a query reads at most; fewer are faster
 * @param why one sentence that says when this is the right choice
 */
public record Plan(
    String kind,
    String className,
    Shape shape,
    double bitsPerKey,
    double predictedRate,
    int cacheLines,
    int words,
    String why) {}
