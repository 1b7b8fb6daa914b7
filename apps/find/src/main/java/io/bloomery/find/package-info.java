/**
 * Which file, block or document holds it?
 *
 * <p><b>Source.</b> A filter for each block of a file lets a search skip the blocks without the
 * key, as files of signatures do (Tarkoma, Rothenberg and Lagerspetz 2012, "Theory and Practice of
 * Bloom Filters for Distributed Systems"); the filters are ribbons (Dillinger and others 2022).
 * Documents that are searched without showing their words are Goh's (2003, "Secure Indexes", ePrint
 * 2003/216). docs/decisions/017-index-of-files.md has the reasons and what was rejected.
 *
 * <p><b>Promise.</b> {@link io.bloomery.find.FileIndex} finds every line that holds a key and no
 * other, however old the index is: what has changed since is read as a whole, and what a filter
 * lets through is read and compared. {@link io.bloomery.find.DocumentIndex} finds every document
 * that has a word, and others at the stated rate.
 *
 * <p><b>Cost.</b> An index takes up to 2 % of the content. For an absent key 0.1 % of the content
 * is read if that allows, otherwise more; the report of a build says how much. Building reads
 * everything once and takes memory of 20 times a block per thread.
 *
 * <p><b>When not to use it.</b> If content is searched once, {@code grep} is faster than building
 * an index. For keys that are in nearly every block, everything is read. Content of short lines
 * that all differ has so many keys that 2 % let a third of the blocks through. Parts of tokens,
 * patterns and regular expressions are not found.
 */
package io.bloomery.find;
