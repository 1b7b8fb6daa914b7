/**
 * Which file, block or document holds it?
 *
 * <p><b>Source.</b> A filter for each block of a file lets a search skip the blocks without the
 * key, as in signature files (Tarkoma, Rothenberg and Lagerspetz 2012, "Theory and Practice of
 * Bloom Filters for Distributed Systems"); the filters are ribbons (Dillinger and others 2022). The
 * search of documents without revealing their words is Goh's (2003, "Secure Indexes", ePrint
 * 2003/216). docs/decisions/017-index-of-files.md gives the reasons and the rejected alternatives.
 *
 * <p><b>Promise.</b> {@link io.bloomery.find.FileIndex} finds every line that holds a key and no
 * other, even with an old index: changed files are read completely, and blocks that pass their
 * filter are read and compared. {@link io.bloomery.find.DocumentIndex} finds every document that
 * has a word, and others at the stated rate.
 *
 * <p><b>Cost.</b> An index takes up to 2 % of the content. For an absent key 0.1 % of the content
 * is read if that size allows, otherwise more; the report of a build states how much. Building
 * reads everything once and takes 20 times the memory of a block per thread.
 *
 * <p><b>When not to use it.</b> If content is searched once, {@code grep} is faster than building
 * an index. For keys that are in nearly every block, everything is read. With short, distinct
 * lines, content has too many keys for 2 %: a third of the blocks pass their filters. Parts of
 * tokens, patterns and regular expressions are not found.
 */
package io.bloomery.find;
