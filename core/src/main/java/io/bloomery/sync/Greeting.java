package io.bloomery.sync;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The first message of a side, which describes its set.
 *
 * @param method the method it insists on, or null
 * @param approximate whether it accepts a result that misses some keys
 * @param keys distinct keys
 * @param shortest the length of the shortest key
 * @param longest the length of the longest key
 * @param firstSum the first half of the set's hash
 * @param secondSum the second half
 */
record Greeting(
    SetReconciliation.@Nullable Method method,
    boolean approximate,
    long keys,
    int shortest,
    int longest,
    long firstSum,
    long secondSum) {

  static final int VERSION = 1;

  /** The most keys of a set. */
  static final long MOST_KEYS = Integer.MAX_VALUE;

  private static final byte[] MAGIC = {'B', 'L', 'R', 'C'};
  private static final int APPROXIMATE = 1;

  static Greeting of(KeySet set, SetReconciliation.@Nullable Method method, boolean approximate) {
    return new Greeting(
        method,
        approximate,
        set.count(),
        set.shortest(),
        set.longest(),
        set.firstSum(),
        set.secondSum());
  }

  boolean sameSet(Greeting other) {
    return keys == other.keys && firstSum == other.firstSum && secondSum == other.secondSum;
  }

  /** Magic and version, which every later version keeps. */
  static Message begin() {
    return new Message(Message.HELLO).bytes(MAGIC, 0, MAGIC.length).number(VERSION);
  }

  static void checkBegin(Message.Content content) throws ReconciliationException {
    byte[] magic = content.bytes("magic", MAGIC.length);
    if (!Arrays.equals(magic, MAGIC)) {
      throw content.malformed("does not begin a reconciliation");
    }
    long version = content.number("version", Integer.MAX_VALUE);
    if (version != VERSION) {
      throw new ReconciliationException(
          ReconciliationException.Reason.UNSUITABLE,
          "the peer has version " + version + " of the protocol; this side has " + VERSION);
    }
  }

  Message write(Message message) {
    return message
        .number(method == null ? 0 : method.wireId())
        .number(approximate ? APPROXIMATE : 0)
        .number(keys)
        .number(shortest)
        .number(longest)
        .word(firstSum)
        .word(secondSum);
  }

  static Greeting read(Message.Content content) throws ReconciliationException {
    int wireId = (int) content.number("method", 0xFF);
    SetReconciliation.Method method = SetReconciliation.Method.of(wireId);
    if (wireId != 0 && method == null) {
      throw new ReconciliationException(
          ReconciliationException.Reason.UNSUITABLE,
          "the peer requires method " + wireId + ", which this side does not know");
    }
    boolean approximate = content.number("flags", APPROXIMATE) == APPROXIMATE;
    long keys = content.number("keys", MOST_KEYS);
    int longestAllowed = Integer.MAX_VALUE;
    int shortest = (int) content.number("shortest", longestAllowed);
    int longest = (int) content.number("longest", longestAllowed);
    if (shortest > longest || (keys == 0 && longest > 0)) {
      throw content.malformed("the shortest key is longer than the longest, or there is none");
    }
    return new Greeting(
        method,
        approximate,
        keys,
        shortest,
        longest,
        content.word("set hash"),
        content.word("set hash"));
  }
}
