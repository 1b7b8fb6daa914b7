package io.bloomery.net.match;

import org.jspecify.annotations.Nullable;

/** Prefixes bit by bit: the plain answer that others are compared with. */
final class Trie {

  private static final class Node {
    private final @Nullable Node[] next = new Node[2];
    private @Nullable String value;
  }

  private final Node root = new Node();

  void put(Address prefix, String value) {
    node(prefix).value = value;
  }

  void remove(Address prefix) {
    node(prefix).value = null;
  }

  private Node node(Address prefix) {
    Node at = root;
    for (int i = 0; i < prefix.length(); i++) {
      int bit = bit(prefix, i);
      Node next = at.next[bit];
      if (next == null) {
        next = new Node();
        at.next[bit] = next;
      }
      at = next;
    }
    return at;
  }

  /** The value of the longest prefix of an address, and its length before it; null if none. */
  @Nullable String find(Address address) {
    String found = null;
    Node at = root;
    for (int i = 0; at != null; i++) {
      found = at.value == null ? found : i + " " + at.value;
      at = i == address.length() ? null : at.next[bit(address, i)];
    }
    return found;
  }

  private static int bit(Address address, int place) {
    long half = place < Long.SIZE ? address.high() : address.low();
    return (int) (half >>> (Long.SIZE - 1 - place % Long.SIZE)) & 1;
  }
}
