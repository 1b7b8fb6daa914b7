package io.bloomery.format;

import java.util.List;

/** Files of Bitcoin, Ethereum, Squid, Gnutella and Mozilla. */
final class BitcoinSubjects {

  private BitcoinSubjects() {}

  static List<ForeignSubject> all() {
    return List.of();
  }
}
