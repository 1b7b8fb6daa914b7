package io.bloomery.find;

/**
 * What a search took.
 *
 * @param filesChanged how many files were added or changed since the index was made
 * @param partsRead how many parts of files were read
 * @param bytesRead how many bytes were read
 */
public record SearchResult(int filesChanged, long partsRead, long bytesRead) {}
