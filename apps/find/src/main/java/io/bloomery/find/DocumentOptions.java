package io.bloomery.find;

import org.jspecify.annotations.Nullable;

/**
 * How an index of documents is built.
 *
 * @param rate the rate at which a document without the word is found
 * @param maxWords the most distinct words of a document; null for those of the largest
 * @param text whether files that look binary are documents
 */
@SuppressWarnings("exports") // Nullable: callers compile without it
public record DocumentOptions(double rate, @Nullable Integer maxWords, boolean text) {}
