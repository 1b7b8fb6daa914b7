package io.bloomery.sync;

import io.bloomery.sync.ReconciliationException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;

/** The side that begins, decides and requests; the {@link Responder} answers. */
final class Initiator extends Side {

  private static final int MOST_TABLES = 4;
  private static final int LEAST_SYMBOLS = 8;

  /** Symbols of the first request per estimated key; 1.35 suffice for many keys. */
  private static final double FIRST_SYMBOLS = 1.35;

  /** The size of a further request, as a fraction of the symbols received. */
  private static final int MORE = 32;

  private final long seed;

  @SuppressWarnings("NullAway.Init") // greet() sets it before it is read
  private FilterExchange.Estimate estimate;

  private int rounds;

  Initiator(SetReconciliation options, InputStream in, OutputStream out, long seed) {
    super(options, in, out);
    this.seed = seed;
  }

  private Message.Content ask(Message message) throws IOException {
    wire.send(message);
    rounds++;
    return wire.receive(message.type());
  }

  @Override
  SetReconciliation.Result reconcile() throws IOException {
    set = new KeySet(options.keys(), seed);
    greet();
    SetReconciliation.Method method = choose();
    boolean equal = mine.sameSet(theirs);
    if (!equal) {
      apply(method);
      equal = verify();
      if (!equal && !method.isExact() && !isApproximate()) {
        rateless(SetReconciliation.Plan.misses(method) * estimate.keyCount());
        equal = verify();
      }
      if (!equal && (method.isExact() || !isApproximate())) {
        throw new ReconciliationException(
            Reason.MISMATCH, "the sets differ after the exchange; nothing was changed");
      }
    }
    wire.send(new Message(Message.ACCEPT).number(equal ? 1 : 0).number(method.wireId()));
    return result(method, equal, rounds);
  }

  private boolean isApproximate() {
    return mine.approximate() && theirs.approximate();
  }

  private void greet() throws IOException {
    mine = Greeting.of(set, options.method(), options.approximate());
    Message.Content answer = ask(mine.write(Greeting.begin()).word(seed));
    Greeting.checkBegin(answer);
    theirs = Greeting.read(answer);
    terms = Terms.of(seed, mine, theirs);
    int levels = (int) answer.number("levels", ParitySketch.MAX_LEVELS);
    if (levels == 0) {
      estimate = new FilterExchange.Estimate(0, 0);
    } else {
      ParitySketch sketch = ParitySketch.read(answer, levels);
      for (int i = 0; i < set.count(); i++) {
        sketch.flip(set.id(i));
      }
      estimate = plausible(sketch.estimate());
    }
    answer.end();
  }

  /** At least as many keys differ as one set is larger, and at most all. */
  private FilterExchange.Estimate plausible(FilterExchange.Estimate raw) {
    long least = Math.abs(mine.keys() - theirs.keys());
    double keys = Double.isInfinite(raw.deviation()) ? (double) terms.keys() : raw.keyCount();
    double deviation = Double.isInfinite(raw.deviation()) ? 0 : raw.deviation();
    return new FilterExchange.Estimate(
        Math.min((double) terms.keys(), Math.max((double) least, keys)), deviation);
  }

  private SetReconciliation.Method choose() throws ReconciliationException {
    SetReconciliation.Method wanted = options.method();
    SetReconciliation.Method peers = theirs.method();
    if (wanted != null && peers != null && wanted != peers) {
      throw new ReconciliationException(
          Reason.UNSUITABLE, "this side wants " + wanted + ", the peer " + peers);
    }
    if (wanted != null) {
      return wanted;
    }
    if (peers != null) {
      return peers;
    }
    return SetReconciliation.Plan.best(
            mine.keys(), theirs.keys(), estimate.keyCount(), meanLength(), isApproximate())
        .method();
  }

  private double meanLength() {
    long bytes = 0;
    for (int i = 0; i < set.count(); i++) {
      bytes += set.keyLength(i);
    }
    return set.count() == 0
        ? ((double) terms.shortest() + terms.longest()) / 2
        : (double) bytes / set.count();
  }

  private void apply(SetReconciliation.Method method) throws IOException {
    switch (method) {
      case FULL -> full();
      case FILTER, TREE -> exchange(method);
      case INVERTIBLE -> invertible();
      case RATELESS -> rateless(estimate.keyCount());
    }
  }

  private boolean verify() throws IOException {
    return verified(ask(verification(new Message(Message.VERIFY))));
  }

  private void exchange(SetReconciliation.Method method) throws IOException {
    Message.Content summary = ask(new Message(Message.SUMMARY).number(method.wireId()));
    int[] missing = missing(method, summary);
    Message message = new Message(Message.EXCHANGE).number(method.wireId());
    writeKeys(missing, message);
    writeSummary(method, message);
    Message.Content answer = ask(message);
    receiveKeys(answer);
    answer.end();
    for (int number : missing) {
      set.lacking(number);
    }
  }

  /** Decodes a table of the difference; if none does, or there is no room, receives all keys. */
  private void invertible() throws IOException {
    long size = Math.min(terms.keys(), estimate.atMost(1));
    for (int attempt = 0; attempt < MOST_TABLES && size <= terms.mostDifference(); attempt++) {
      InvertibleShape shape = shape(size);
      long bytes = Budget.ofDifference(shape);
      if (bytes > budget.left()) {
        break;
      }
      budget.keep(bytes, "a table for " + size + " differences");
      Message.Content answer = ask(new Message(Message.TABLE).number(size).number(attempt));
      answer.requireLeft(shape.cellBytes());
      InvertibleTable table = table(size, attempt);
      table.subtractCells(answer.rest());
      answer.end();
      if (settle(table.decode())) {
        return;
      }
      budget.release(bytes);
      size = Math.min(terms.keys(), 2 * Math.max(1, size));
    }
    full();
  }

  /**
   * Streams symbols for about {@code expected} keys until they suffice; if there are too many, or
   * there is no room, receives all keys.
   */
  private void rateless(double expected) throws IOException {
    int most = terms.mostSymbols();
    double first = Math.max(LEAST_SYMBOLS, Math.ceil(FIRST_SYMBOLS * expected));
    int count = (int) Math.min(Integer.MAX_VALUE, first);
    long bytes = Budget.ofSymbolKeys(terms.elements(), set.count());
    long more = Budget.ofDecoded(terms.elements(), count);
    if (count > most || bytes + more > budget.left()) {
      full();
      return;
    }
    budget.keep(bytes, "the keys of this side as symbols");
    RatelessDecoder decoder = symbols().decoder(most);
    while (decoder.symbols() + count <= most && more <= budget.left()) {
      budget.keep(more, count + " symbols");
      bytes += more;
      Message request = new Message(Message.SYMBOLS).number(decoder.symbols()).number(count);
      Message.Content answer = ask(request);
      answer.requireLeft(terms.symbolBytes(count));
      decoder.readSymbols(answer.rest(), count);
      answer.end();
      if (decoder.isComplete() && settle(decoder.difference())) {
        return;
      }
      count = Math.max(LEAST_SYMBOLS, decoder.symbols() / MORE);
      more = Budget.ofDecoded(terms.elements(), count);
    }
    budget.release(bytes);
    full();
  }

  /**
   * Sends the keys that the peer lacks and receives those that this side lacks; returns false if
   * the result cannot be right.
   */
  private boolean settle(Difference difference) throws IOException {
    List<byte[]> here = difference.onlyHere();
    List<byte[]> there = difference.onlyThere();
    int[] missing = new int[here.size()];
    long[] wanted = new long[there.size()];
    boolean right =
        difference.isComplete()
            && set.count() - missing.length == theirs.keys() + set.lackingCount() - wanted.length;
    if (right) {
      Arrays.setAll(missing, i -> find(here.get(i)));
      Arrays.setAll(wanted, i -> id(there.get(i)));
      right =
          Arrays.stream(missing).allMatch(number -> number >= 0)
              && Arrays.stream(wanted).allMatch(id -> set.find(id) < 0)
              && areDistinct(wanted);
    }
    if (!right) {
      return false;
    }
    Message message = new Message(Message.SETTLE);
    writeKeys(missing, message);
    message
        .number(wanted.length)
        .part(
            out -> {
              for (long id : wanted) {
                CellStream.writeBytes(out, id, Long.BYTES);
              }
            });
    Message.Content answer = ask(message);
    for (int i = 0; i < wanted.length; i++) {
      byte[] key = terms.hashed() ? readKey(answer) : there.get(i);
      if (set.hasher().hash(key) != wanted[i]) {
        throw answer.malformed("a key that was not requested");
      }
      receive(key);
    }
    answer.end();
    for (int number : missing) {
      set.lacking(number);
    }
    return true;
  }

  private static boolean areDistinct(long[] numbers) {
    long[] sorted = numbers.clone();
    Arrays.sort(sorted);
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        return false;
      }
    }
    return true;
  }

  private int find(byte[] element) {
    return terms.hashed() ? set.find(KeySet.toLong(element)) : set.find(element);
  }

  private long id(byte[] element) {
    return terms.hashed() ? KeySet.toLong(element) : set.hasher().hash(element);
  }

  /** Receives all keys of the peer, and sends those that it lacks. */
  private void full() throws IOException {
    Message.Content all = ask(new Message(Message.ALL));
    int count = keyCount(all);
    budget.borrow(set.count() * (1L + Integer.BYTES) + count, "all keys of the peer");
    boolean[] shared = new boolean[set.count()];
    byte[] lacked = new byte[(count + Byte.SIZE - 1) / Byte.SIZE];
    for (int i = 0; i < count; i++) {
      byte[] key = readKey(all);
      int number = set.find(key);
      if (number >= 0 && number < shared.length && !shared[number]) {
        shared[number] = true;
      } else {
        receive(key);
        lacked[i / Byte.SIZE] |= (byte) (1 << (i % Byte.SIZE));
      }
    }
    all.end();
    int[] missing = new int[shared.length];
    int missed = 0;
    for (int i = 0; i < shared.length; i++) {
      if (!shared[i]) {
        missing[missed++] = i;
      }
    }
    missing = Arrays.copyOf(missing, missed);
    Message message = new Message(Message.REST);
    writeKeys(missing, message);
    message.bytes(lacked, 0, lacked.length);
    ask(message).end();
    for (int number : missing) {
      set.lacking(number);
    }
  }
}
