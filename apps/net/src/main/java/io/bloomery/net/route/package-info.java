/**
 * Do packets take the route that is advertised?
 *
 * <p><b>Source.</b> Wong, Balasubramanian, Alvisi, Gouda and Shmatikov 2007, "Truth in Advertising:
 * Lightweight Verification of Route Integrity", as in Tarkoma, Rothenberg and Lagerspetz 2012, sec.
 * IV-E: the systems on a route count the packets that they forward in counting filters. Deviation:
 * the filters are compared packet by packet, for a sample that the verifier knows, not as sums.
 *
 * <p><b>Promise.</b> A system that forwarded the packets of a sample is never said to lack any. One
 * that did not is taken for a witness of a packet with the filter's rate; of all of n, with its
 * n-th power.
 *
 * <p><b>Cost.</b> Four bits times {@code 1.44 log2(1/rate)} per packet and system.
 *
 * <p><b>When not to use it.</b> Where systems on the route lie together: who claims to have
 * forwarded everything cannot be refuted. To measure loss, for which counters do.
 */
@NullMarked
package io.bloomery.net.route;

import org.jspecify.annotations.NullMarked;
