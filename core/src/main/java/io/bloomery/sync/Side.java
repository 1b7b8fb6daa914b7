package io.bloomery.sync;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.Storable;
import io.bloomery.internal.frame.FrameReader;
import io.bloomery.membership.BloomFilter;
import io.bloomery.sync.ReconciliationException.Reason;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/**
 * The common part of both sides of a run: their set as tables and filters, and lists of keys in
 * messages.
 */
abstract class Side {

  private static final FrameReader SUMMARIES =
      new FrameReader(List.of(BloomFilter.KIND, TreeSummary.KIND));

  // Bytes per key while a summary is made or all keys are looked up, and when that is done.
  private static final int LOOKUPS = 32;
  private static final int TREE = 32;
  private static final int SUMMARY = 4;

  final SetReconciliation options;
  final Budget budget;
  final Wire wire;

  // reconcile() begins by setting these.
  @SuppressWarnings("NullAway.Init")
  KeySet set;

  @SuppressWarnings("NullAway.Init")
  Greeting mine;

  @SuppressWarnings("NullAway.Init")
  Greeting theirs;

  @SuppressWarnings("NullAway.Init")
  Terms terms;

  Side(SetReconciliation options, InputStream in, OutputStream out) {
    this.options = options;
    this.budget = new Budget(options.limit());
    this.wire = new Wire(in, out, budget);
  }

  /** Runs this side; the peer is notified of its errors. */
  final SetReconciliation.Result run() throws IOException {
    try {
      return reconcile();
    } catch (ReconciliationException e) {
      wire.refuse(e);
      throw e;
    } catch (FilterFormatException | EOFException e) {
      ReconciliationException problem =
          new ReconciliationException(Reason.MALFORMED, "the peer's message: " + e.getMessage());
      problem.initCause(e);
      wire.refuse(problem);
      throw problem;
    }
  }

  abstract SetReconciliation.Result reconcile() throws IOException;

  final SetReconciliation.Result result(
      SetReconciliation.Method method, boolean exact, int rounds) {
    return new SetReconciliation.Result(
        mine.keys(),
        theirs.keys(),
        set.onlyHere(),
        set.onlyThere(),
        wire.sent(),
        wire.received(),
        rounds,
        method,
        exact);
  }

  final InvertibleTable table(long difference, int attempt) {
    InvertibleTable table = InvertibleTable.create(shape(difference), terms.tableHasher(attempt));
    boolean longs = terms.elements().equals(InvertibleShape.KeyFormat.LONGS);
    for (int i = 0; i < set.count(); i++) {
      if (longs) {
        table.add(longElement(i));
      } else {
        table.add(set.key(i));
      }
    }
    return table;
  }

  final InvertibleShape shape(long difference) {
    return InvertibleShape.forDifference(difference, terms.elements(), 0);
  }

  /** The symbols of this side's set, of which {@link Budget#ofSymbolKeys} counts the keys. */
  final RatelessTable symbols() {
    RatelessTable table = RatelessTable.create(terms.elements(), terms.tableHasher(0), set.count());
    boolean longs = terms.elements().equals(InvertibleShape.KeyFormat.LONGS);
    for (int i = 0; i < set.count(); i++) {
      if (longs) {
        table.add(longElement(i));
      } else {
        table.add(set.key(i));
      }
    }
    return table;
  }

  private long longElement(int number) {
    return terms.hashed() ? set.id(number) : set.longKey(number);
  }

  /** Appends the summary of this side's set. */
  final void writeSummary(SetReconciliation.Method method, Message message)
      throws ReconciliationException {
    long bytes = borrowSummary(method);
    long[] ids = set.ids();
    Storable summary =
        method == SetReconciliation.Method.TREE
            ? ReconciliationTree.ofHashes(ids, set.hasher()).summary()
            : FilterExchange.summary(ids, set.hasher());
    budget.repay(bytes);
    message.part(summary::writeTo);
  }

  /** Counts a summary, or a list of places; returns what can be repaid when it is made. */
  private long borrowSummary(SetReconciliation.Method method) throws ReconciliationException {
    long keys = set.count();
    long bytes = keys * (LOOKUPS + (method == SetReconciliation.Method.TREE ? TREE : 0));
    budget.borrow(keys * SUMMARY + bytes, "a summary of the keys");
    return bytes;
  }

  /** The numbers of keys that the sender of a summary, the rest of a message, lacks. */
  final int[] missing(SetReconciliation.Method method, Message.Content content) throws IOException {
    int read = content.left(); // a filter takes no more than its file
    budget.borrow(read, "a summary of the peer's keys");
    long bytes = borrowSummary(method);
    Filter filter = SUMMARIES.read(content.rest(), read, null, Filter.class);
    content.end();
    long[] missing;
    if (method == SetReconciliation.Method.TREE
        && filter instanceof TreeSummary tree
        && tree.hasher().equals(set.hasher())) {
      missing = ReconciliationTree.ofHashes(set.ids(), set.hasher()).missingFrom(tree);
    } else if (method == SetReconciliation.Method.FILTER
        && filter instanceof BloomFilter bloom
        && bloom.hasher().equals(set.hasher())) {
      missing = FilterExchange.missing(set.ids(), bloom);
    } else {
      throw content.malformed("a filter of another kind or hash than agreed");
    }
    int[] numbers = new int[missing.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = set.find(missing[i]);
    }
    budget.repay(bytes + read);
    return numbers;
  }

  /** Appends keys by their numbers. */
  final void writeKeys(int[] numbers, Message message) {
    message.number(numbers.length).part(out -> writeKeys(numbers, out));
  }

  final void writeKeys(int[] numbers, OutputStream out) throws IOException {
    for (int number : numbers) {
      if (!terms.isFixed()) {
        Message.writeNumber(set.keyLength(number), out);
      }
      set.writeKey(number, out);
    }
  }

  /** Reads the number of keys that follow; each takes at least one byte, except empty ones. */
  final int keyCount(Message.Content content) throws ReconciliationException {
    int least = terms.isFixed() ? terms.longest() : 1;
    return (int) content.number("number of keys", content.left() / Math.max(1, least));
  }

  /** Reads the next key. */
  final byte[] readKey(Message.Content content) throws ReconciliationException {
    long length =
        terms.isFixed() ? terms.longest() : content.number("length of a key", terms.longest());
    if (length < terms.shortest()) {
      throw content.malformed("a key of " + length + " bytes, shorter than agreed");
    }
    return content.bytes("key", length);
  }

  /** Reads keys that only the peer has. */
  final void receiveKeys(Message.Content content) throws ReconciliationException {
    int count = keyCount(content);
    for (int i = 0; i < count; i++) {
      receive(readKey(content));
    }
  }

  /** Takes a key that only the peer has. */
  final void receive(byte[] key) throws ReconciliationException {
    budget.keepKey(key.length);
    set.receive(key);
  }

  /** Appends the size and the hash of this side's set as it is now. */
  final Message verification(Message message) {
    return message.number(set.count()).word(set.firstSum()).word(set.secondSum());
  }

  /**
   * Whether the peer's current set equals this one and its earlier size was as reported, so that it
   * lacks no keys other than those that were sent.
   */
  final boolean verified(Message.Content content) throws ReconciliationException {
    long count = content.number("keys", 2 * Greeting.MOST_KEYS);
    long first = content.word("set hash");
    long second = content.word("set hash");
    content.end();
    return count == set.count()
        && count == theirs.keys() + set.lackingCount()
        && first == set.firstSum()
        && second == set.secondSum();
  }
}
