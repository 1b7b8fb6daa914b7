/**
 * Which packets or clicks came twice?
 *
 * <p><b>Source.</b> Tarkoma, Rothenberg and Lagerspetz 2012, "Theory and Practice of Bloom Filters
 * for Distributed Systems", sec. III-H, III-I and IV-C.3: the filters of Deng and Rafiei 2006
 * (stable), Shen and Zhang 2008 (decaying, plain and in blocks), Yoon 2010 (aging), and double
 * buffering; the bound of Géraud-Stewart, Lombard-Platet and Naccache 2019.
 *
 * <p><b>Promise.</b> Four of the five report each repetition within a window of W items: both
 * decaying filters, aging and double buffering; the stable filter misses some, at the rate that is
 * wanted at the end of the window. Each takes an item that is new for a repetition at no more than
 * the rate, once its window is full.
 *
 * <p><b>Cost.</b> What the shapes say: from some 10 to some 140 bits per item of the window at a
 * rate of 1 %.
 *
 * <p><b>When not to use it.</b> Where the window fits into memory as a table of hashes, and no
 * error is allowed. To count repetitions.
 */
@NullMarked
package io.bloomery.net.dups;

import org.jspecify.annotations.NullMarked;
