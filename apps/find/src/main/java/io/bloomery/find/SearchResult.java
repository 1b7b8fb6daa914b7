package io.bloomery.find;

/**
 * The cost of a search.
 *
 * @param filesChanged how many files were added or changed since the index was built
 * @param partsRead how many parts of files were read
 * @param bytesRead how many bytes were read
 */
public record SearchResult(int filesChanged, long partsRead, long bytesRead) {}
