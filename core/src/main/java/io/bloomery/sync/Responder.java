package io.bloomery.sync;

import io.bloomery.sync.ReconciliationException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The side that answers. It accepts a request only as often as an honest initiator may send it. */
final class Responder extends Side {

  private static final int MOST_TABLES = 4;

  /** Requests of 8 symbols up to 256 of them, then of 1 / 32 of all up to 2^26: 438. */
  private static final int MOST_SYMBOL_REQUESTS = 500;

  private static final int MOST_VERIFICATIONS = 2;

  private static final int[] QUESTIONS = {
    Message.TABLE,
    Message.SYMBOLS,
    Message.SUMMARY,
    Message.EXCHANGE,
    Message.SETTLE,
    Message.ALL,
    Message.REST,
    Message.VERIFY,
    Message.ACCEPT
  };

  private @Nullable RatelessTable symbols;
  private int symbolsAt = -1; // the size of the set they belong to
  private int symbolsSent;
  private long symbolBytes; // that they count as
  private int @Nullable [] sentAll;
  private boolean equal;
  private final int[] asked = new int[Message.REFUSE + 1];

  Responder(SetReconciliation options, InputStream in, OutputStream out) {
    super(options, in, out);
  }

  @Override
  SetReconciliation.Result reconcile() throws IOException {
    greet();
    equal = mine.sameSet(theirs);
    while (true) {
      Message.Content question = wire.receive(QUESTIONS);
      if (question.type() == Message.ACCEPT) {
        return accept(question);
      }
      if (++asked[question.type()] > most(question.type())) {
        throw new ReconciliationException(
            Reason.LIMIT, "the peer requests message " + question.type() + " too often");
      }
      Message answer = new Message(question.type());
      answer(question, answer);
      wire.send(answer);
    }
  }

  private static int most(int type) {
    return switch (type) {
      case Message.TABLE -> MOST_TABLES;
      case Message.SYMBOLS -> MOST_SYMBOL_REQUESTS;
      case Message.VERIFY -> MOST_VERIFICATIONS;
      default -> 1;
    };
  }

  private void greet() throws IOException {
    Message.Content content = wire.receive(Message.HELLO);
    Greeting.checkBegin(content);
    theirs = Greeting.read(content);
    long seed = content.word("seed");
    content.end();
    set = new KeySet(options.keys(), seed);
    mine = Greeting.of(set, options.method(), options.approximate());
    terms = Terms.of(seed, theirs, mine);
    Message answer = mine.write(Greeting.begin());
    if (mine.sameSet(theirs)) {
      answer.number(0);
    } else {
      ParitySketch sketch = new ParitySketch(ParitySketch.levelsFor(terms.keys()));
      for (int i = 0; i < set.count(); i++) {
        sketch.flip(set.id(i));
      }
      sketch.write(answer.number(sketch.levels()));
    }
    wire.send(answer);
  }

  private void answer(Message.Content question, Message answer) throws IOException {
    switch (question.type()) {
      case Message.TABLE -> table(question, answer);
      case Message.SYMBOLS -> symbols(question, answer);
      case Message.SUMMARY -> summary(question, answer);
      case Message.EXCHANGE -> exchange(question, answer);
      case Message.SETTLE -> settle(question, answer);
      case Message.ALL -> all(question, answer);
      case Message.REST -> rest(question);
      default -> {
        equal = verified(question);
        verification(answer);
      }
    }
  }

  private void table(Message.Content question, Message answer) throws IOException {
    long size = question.number("difference", InvertibleShape.MAX_DIFFERENCE);
    int attempt = (int) question.number("attempt", MOST_TABLES);
    question.end();
    requireBelieved(size, terms.mostDifference());
    InvertibleShape shape = shape(size);
    budget.borrow(Budget.ofTable(shape), "a table for " + size + " differences");
    budget.answer(shape.cellBytes());
    answer.part(table(size, attempt)::writeCells);
  }

  /** Fails if the peer wants more than the keys of this side and what it may claim explain. */
  private void requireBelieved(long wanted, long most) throws ReconciliationException {
    if (wanted > most) {
      throw new ReconciliationException(
          Reason.LIMIT,
          "the peer requests %d cells or symbols of %d keys; at most %d"
              .formatted(wanted, set.count(), most));
    }
  }

  private void symbols(Message.Content question, Message answer) throws IOException {
    int from = (int) question.number("first symbol", Integer.MAX_VALUE);
    long end = from + question.number("symbols", Integer.MAX_VALUE);
    question.end();
    requireBelieved(end, terms.mostSymbols());
    RatelessTable table = symbols;
    if (table == null || symbolsAt != set.count()) {
      symbols = null;
      budget.release(symbolBytes);
      symbolBytes = Budget.ofSymbolKeys(terms.elements(), set.count());
      budget.keep(symbolBytes, "the keys of this side as symbols");
      table = symbols();
      symbols = table;
      symbolsAt = set.count();
      symbolsSent = 0;
    }
    if (from != symbolsSent) {
      throw question.malformed("symbols from " + from + "; the next is " + symbolsSent);
    }
    long more = Budget.ofSymbols(terms.elements(), end - from);
    budget.keep(more, end - from + " symbols");
    budget.answer(terms.symbolBytes(end - from));
    symbolBytes += more;
    symbolsSent = (int) end;
    RatelessTable made = table;
    answer.part(out -> made.writeSymbols(out, from, (int) end));
  }

  private static SetReconciliation.Method summaryMethod(Message.Content question)
      throws ReconciliationException {
    int wireId = (int) question.number("method", 0xFF);
    SetReconciliation.Method method = SetReconciliation.Method.of(wireId);
    if (method != SetReconciliation.Method.FILTER && method != SetReconciliation.Method.TREE) {
      throw question.malformed("method " + wireId + " has no summary");
    }
    return method;
  }

  private void summary(Message.Content question, Message answer) throws IOException {
    SetReconciliation.Method method = summaryMethod(question);
    question.end();
    writeSummary(method, answer);
  }

  private void exchange(Message.Content question, Message answer) throws IOException {
    SetReconciliation.Method method = summaryMethod(question);
    receiveKeys(question);
    int[] missing = missing(method, question);
    writeKeys(missing, answer);
    for (int number : missing) {
      set.lacking(number);
    }
    equal = false;
  }

  private void settle(Message.Content question, Message answer) throws IOException {
    receiveKeys(question);
    int wanted = (int) question.number("keys wanted", question.left() / Long.BYTES);
    budget.borrow((long) wanted * Integer.BYTES, "keys that the peer wants");
    int[] numbers = new int[wanted];
    for (int i = 0; i < wanted; i++) {
      numbers[i] = set.find(question.word("key wanted"));
      set.lacking(numbers[i]);
    }
    question.end();
    if (terms.hashed()) {
      answer.part(out -> writeKeys(numbers, out));
    }
    equal = false;
  }

  private void all(Message.Content question, Message answer) throws IOException {
    question.end();
    budget.keep((long) set.count() * Integer.BYTES, "all keys of this side");
    int[] all = new int[set.count()];
    Arrays.setAll(all, i -> i);
    writeKeys(all, answer);
    sentAll = all;
  }

  private void rest(Message.Content question) throws IOException {
    if (sentAll == null) {
      throw question.malformed("comes before all keys were requested");
    }
    receiveKeys(question);
    byte[] lacked = question.bytes("keys lacked", (sentAll.length + Byte.SIZE - 1L) / Byte.SIZE);
    question.end();
    for (int i = 0; i < lacked.length * Byte.SIZE; i++) {
      if ((lacked[i / Byte.SIZE] >> (i % Byte.SIZE) & 1) != 0) {
        set.lacking(i < sentAll.length ? i : -1);
      }
    }
    sentAll = null;
    equal = false;
  }

  private SetReconciliation.Result accept(Message.Content question) throws IOException {
    boolean exact = question.number("exact", 1) == 1;
    SetReconciliation.Method method =
        SetReconciliation.Method.of((int) question.number("method", 0xFF));
    question.end();
    boolean approximate = mine.approximate() && theirs.approximate();
    if (method == null || exact != equal || (!exact && (!approximate || method.isExact()))) {
      throw new ReconciliationException(
          Reason.MISMATCH, "the peer ends although the sets differ; nothing was changed");
    }
    return result(method, exact, wire.messages());
  }
}
