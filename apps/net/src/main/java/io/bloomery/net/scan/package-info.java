/**
 * Does this traffic contain anything on a list of indicators?
 *
 * <p><b>Source.</b> Attig, Dharmapurikar and Lockwood 2004, and Antichi, Ficara, Giordano, Procissi
 * and Vitucci 2009, as in Tarkoma, Rothenberg and Lagerspetz 2012, sec. IV-E: a filter for each
 * length of strings and an exact search for what they let through; three-byte parts of strings for
 * attacks that are cut into fragments. Deviations: one filter of the first bytes of all strings is
 * read for each place, so that the filters of lengths are read for hardly any; segments are put in
 * order, and parts are counted, a bit for each instead of counters, only where several bytes were
 * sent for one place.
 *
 * <p><b>Promise.</b> No hit is false: strings are compared. What a followed stream or datagram
 * carries is found, across segments and fragments in any order. {@link TrafficScanner.Counts} says
 * what was not followed.
 *
 * <p><b>Cost.</b> One read of a small table per byte; some 60 bytes per listed string; up to 1 KiB
 * per direction of a connection, and what waits for missing segments, within a limit.
 *
 * <p><b>When not to use it.</b> To block traffic, or for regular expressions and rules about
 * protocols, which Suricata has; at tens of gigabits per second, for which Hyperscan is made. What
 * is encrypted or compressed is seen as it is sent.
 */
@NullMarked
package io.bloomery.net.scan;

import org.jspecify.annotations.NullMarked;
