/**
 * What is in this traffic?
 *
 * <p>Reads the packets of a capture, pcap or pcapng, one after another: times, addresses, ports,
 * flags and payload. The filters of this module work on them.
 *
 * <p><b>Source.</b> Harris and Richardson, "PCAP Capture File Format", and Tüxen, Risso, Bongertz,
 * Combs, Harris, Chaudron and Richardson, "PCAP Next Generation (pcapng) Capture File Format", IETF
 * Internet-Drafts; RFC 791, 8200, 9293, 768 and 792 for the headers.
 *
 * <p><b>Promise.</b> Every record is either delivered or counted under a reason; no record ends the
 * reading of a capture. Memory is the buffer of one packet, however large the capture is.
 *
 * <p><b>Cost.</b> Packets are views of one buffer: nothing is allocated per packet.
 *
 * <p><b>When not to use it.</b> To dissect protocols above TCP and UDP, to open tunnels, or to
 * capture from a network card: {@code tshark} and {@code tcpdump} do that, and write captures.
 */
@NullMarked
package io.bloomery.net.capture;

import org.jspecify.annotations.NullMarked;
