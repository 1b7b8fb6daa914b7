package io.bloomery.net.capture;

import java.io.IOException;

/** The records of a file format, one packet each. */
interface Records {

  /**
   * Reads the next record into {@code packet}: the place of its bytes, its times and lengths and
   * its link type, or the reason why they are not to be had.
   *
   * @return false at the end
   */
  boolean next(PacketState packet) throws IOException;
}
