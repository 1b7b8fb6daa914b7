/**
 * Who sent these bytes, or this packet, and when?
 *
 * <p><b>Source.</b> Shanmugasundaram, Brönnimann and Memon 2004, "Payload Attribution via
 * Hierarchical Bloom Filters" (block, hierarchical and payload digests), and Snoeren, Partridge,
 * Sanchez, Jones, Tchakountio, Kent and Strayer 2001, "Hash-Based IP Traceback" (digests of
 * packets, per page with a hash of its own); Tarkoma, Rothenberg and Lagerspetz 2012, sec. IV-D.
 *
 * <p><b>Promise.</b> A flow of the index that had an excerpt of 2·s − 1 bytes or more in one packet
 * is named, for blocks of s bytes; and so is every page in which a packet passed. Further flows and
 * pages are named at a rate that is said. A page takes no more than its share of the traffic, a
 * fiftieth, or 640 bytes.
 *
 * <p><b>Cost.</b> A page of traffic is kept in memory until it is full, 16 MiB by default, and a
 * few times as much is taken while its digests are made. A query reads every page, and asks for
 * each flow at each of s alignments.
 *
 * <p><b>When not to use it.</b> Where there is room for the traffic itself: what is found can then
 * also be read. For encrypted traffic, of which nobody has an excerpt. To find what may be
 * rewritten on its way, such as compressed content.
 */
@NullMarked
package io.bloomery.net.index;

import org.jspecify.annotations.NullMarked;
