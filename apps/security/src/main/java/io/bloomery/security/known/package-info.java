/**
 * Is this file known? Sets of files by their digests, and changes between two looks at a tree.
 *
 * <p><b>Source.</b> Roussev, Chen, Bourg and Richard 2006, "md5bloom: Forensic filesystem hashing
 * revisited"; Tarkoma, Rothenberg and Lagerspetz 2012, "Theory and Practice of Bloom Filters for
 * Distributed Systems", sec. IV-E. Deviation: a set is built once, so a static filter takes the
 * place of a Bloom filter; sets of CIRCL's hashlookup and others in DCSO's format are Bloom
 * filters.
 *
 * <p><b>Promise.</b> A file of the set is always found. Another file is taken for one with a
 * probability that is known exactly, and with lists to confirm it, never. Of a tree that was
 * recorded under a secret, a changed or new file passes with that probability, and nobody without
 * the secret can choose one that passes or write a set that is accepted.
 *
 * <p><b>Cost.</b> Little more than log<sub>2</sub>(1/f) bits per file, 2.5 bytes at one in a
 * million; a check reads every file whole.
 *
 * <p><b>When not to use it.</b> Where it has to be said which known file it is: a filter stores no
 * names. Where a file may not change at all: verify signatures before it is opened.
 */
@NullMarked
package io.bloomery.security.known;

import org.jspecify.annotations.NullMarked;
