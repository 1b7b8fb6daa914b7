/**
 * Which way did this packet come, whatever sender it names?
 *
 * <p><b>Source.</b> Snoeren, Partridge, Sanchez, Jones, Tchakountio, Kent and Strayer 2001,
 * "Hash-Based IP Traceback", sec. 5; Broder and Mitzenmacher 2004, "Network Applications of Bloom
 * Filters", sec. 8.2.
 *
 * <p><b>Promise.</b> The graph has each router that the packet passed, if their indexes cover its
 * time and no router between lacks a link. Others are in it at the rate that is said: each router
 * that is asked and was not passed is an independent draw.
 *
 * <p><b>Cost.</b> A question to each neighbour of each router of the graph.
 *
 * <p><b>When not to use it.</b> Across routers that change packets, by address translation, tunnels
 * or fragments: their two sides are different packets. Where most routers keep no index.
 */
@NullMarked
package io.bloomery.net.trace;

import org.jspecify.annotations.NullMarked;
