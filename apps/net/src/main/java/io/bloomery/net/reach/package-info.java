/**
 * May this packet reach that host, where all is off until the host asks for it?
 *
 * <p><b>Source.</b> Ballani, Chawathe, Ratnasamy, Roscoe and Shenker 2005, "Off by Default!": a
 * router forwards what the filter of permissions has; and capabilities of those to whom a host
 * wrote (Dixon, Anderson and Krishnamurthy 2008, "Phalanx"), as in Tarkoma, Rothenberg and
 * Lagerspetz 2012, sec. IV-E. Permissions with fields that may be anything are kept with zeros
 * there, and looked up in each form (Deri 2003, "High-Speed Dynamic Packet Filtering", sec. IV-C
 * there).
 *
 * <p><b>Promise.</b> What was permitted passes until it is withdrawn. Anything else passes with at
 * most the probability that the options say, while there are as many permissions as expected.
 *
 * <p><b>Cost.</b> Some 58 bits per permission at a rate of 1 in 1,000, and a lookup for each form
 * in use, at most eight, and one for replies.
 *
 * <p><b>When not to use it.</b> As the only guard of a host: some unwanted packets pass. A hash
 * table is exact, where it fits.
 */
@NullMarked
package io.bloomery.net.reach;

import org.jspecify.annotations.NullMarked;
