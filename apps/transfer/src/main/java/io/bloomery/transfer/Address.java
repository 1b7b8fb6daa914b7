package io.bloomery.transfer;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Addresses as users write them. */
final class Address {

  private static final int MOST_PORT = 0xFFFF;

  private Address() {}

  /** {@code PORT} on this machine, or {@code HOST:PORT}. */
  static InetSocketAddress parse(String text) throws UnknownHostException {
    int colon = text.lastIndexOf(':');
    int port;
    try {
      port = Integer.parseInt(text.substring(colon + 1));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          text + ": not an address such as 7000 or example.org:7000", e);
    }
    if (port < 0 || port > MOST_PORT) {
      throw new IllegalArgumentException(text + ": ports are 0 to " + MOST_PORT);
    }
    if (colon < 0) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
    try {
      return new InetSocketAddress(InetAddress.getByName(text.substring(0, colon)), port);
    } catch (UnknownHostException e) {
      UnknownHostException plain = new UnknownHostException("no such host");
      plain.initCause(e);
      throw plain;
    }
  }

  /** The form that {@link #parse} reads. */
  static String show(InetAddress host, int port) {
    String text = host.getHostAddress();
    return (text.indexOf(':') < 0 ? text : "[" + text + "]") + ":" + port;
  }
}
