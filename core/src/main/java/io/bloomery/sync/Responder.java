package io.bloomery.sync;

import io.bloomery.sync.ReconciliationException.Reason;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The side that answers. It accepts a request only as often as an honest initiator may send it. */
final class Responder extends Side {

  private static final int MOST_TABLES = 8;
  private static final int MOST_SYMBOL_REQUESTS = 10_000;
  private static final int MOST_OTHERS = 4;

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
  private int @Nullable [] sentAll;
  private boolean equal;
  private final int[] asked = new int[Message.REFUSE + 1];

  Responder(SetReconciliation options, Wire wire) {
    super(options, wire);
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
      default -> MOST_OTHERS;
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
    long size =
        question.number("difference", Math.min(terms.keys(), InvertibleShape.MAX_DIFFERENCE));
    int attempt = (int) question.number("attempt", MOST_TABLES);
    question.end();
    requireRoom(size);
    table(size, attempt).writeCells(answer.rest());
  }

  private void symbols(Message.Content question, Message answer) throws IOException {
    long most = 2 * terms.keys() + (1 << 10);
    int from = (int) question.number("first symbol", Math.min(most, Integer.MAX_VALUE / 4));
    int count = (int) question.number("symbols", Math.min(most, Integer.MAX_VALUE / 4) - from);
    question.end();
    requireRoom((long) from + count);
    if (symbols == null || symbolsAt != set.count()) {
      symbols = symbols();
      symbolsAt = set.count();
      symbolsSent = 0;
    }
    if (from != symbolsSent) {
      throw question.malformed("symbols from " + from + "; the next is " + symbolsSent);
    }
    symbolsSent += count;
    symbols.writeSymbols(answer.rest(), from, from + count);
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
    for (int i = 0; i < wanted; i++) {
      int number = set.find(question.word("key wanted"));
      set.lacking(number);
      if (terms.hashed()) {
        writeKey(number, answer);
      }
    }
    question.end();
    equal = false;
  }

  private void all(Message.Content question, Message answer) throws IOException {
    question.end();
    sentAll = new int[set.count()];
    for (int i = 0; i < sentAll.length; i++) {
      sentAll[i] = i;
    }
    writeKeys(sentAll, answer);
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
