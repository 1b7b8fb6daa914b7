package io.bloomery.net.capture;

import io.bloomery.net.capture.Capture.Reason;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What was found in a packet; written anew for each. */
abstract class PacketState {

  @Nullable Reason problem;
  byte[] bytes = {};
  int start;
  int captured;
  int original;
  int linkType;
  long nanos;
  int version;
  int ipAt;
  int ipLength;
  int protocol;
  int fragmentOffset;
  int fragmentId;
  boolean moreFragments;
  long sourceHigh;
  long sourceLow;
  long destinationHigh;
  long destinationLow;
  boolean ports;
  boolean cut;
  int sourcePort;
  int destinationPort;
  int tcpFlags;
  int transportAt;
  int transportEnd;
  int payloadAt;

  /** Takes the bytes that come next, or passes them if they are too many. */
  void take(Window window, long captured, long original, int most, int linkType)
      throws IOException {
    if (captured > most) {
      problem = window.skip(captured) ? Reason.TOO_LARGE : Reason.ENDS_EARLY;
      return;
    }
    int length = (int) captured;
    if (!window.require(length)) {
      window.advance(window.available());
      problem = Reason.ENDS_EARLY;
      return;
    }
    problem = null;
    bytes = window.bytes();
    start = window.position();
    this.captured = length;
    this.original = (int) Math.max(captured, Math.min(original, Integer.MAX_VALUE));
    this.linkType = linkType;
    window.advance(length);
  }

  void noTransport(int at, int end) {
    ports = false;
    cut = false;
    sourcePort = 0;
    destinationPort = 0;
    tcpFlags = 0;
    transportAt = Math.min(at, end);
    transportEnd = end;
    payloadAt = transportAt;
  }
}
