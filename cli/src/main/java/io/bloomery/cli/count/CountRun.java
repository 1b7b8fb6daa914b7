package io.bloomery.cli.count;

import io.bloomery.tools.input.KeyPrinter;
import io.bloomery.tools.input.KeyTaker;
import io.bloomery.tools.spill.Rereading;
import java.util.Map;

/** The work of {@code bloom count}: counts keys and prints counts. */
final class CountRun {

  private final Counts counts;
  private final long atLeast;
  private final KeyPrinter printer;
  private final boolean json;
  private long asked;
  private long absent;
  private long printed;

  /** Prints counts of {@code atLeast} or more, as JSON if {@code json}. */
  CountRun(Counts counts, long atLeast, KeyPrinter printer, boolean json) {
    this.counts = counts;
    this.atLeast = atLeast;
    this.printer = printer;
    this.json = json;
  }

  /** Counts all keys. */
  void count(Rereading input, boolean again) {
    input.first(counts::add, again);
  }

  /** Counts all keys and prints each with its count so far. */
  void annotateAsTheyCome(Rereading input) {
    input.first(
        new KeyTaker() {
          @Override
          public void key(byte[] bytes, int offset, int length, long hash) {
            print(counts.add(bytes, offset, length, hash), bytes, offset, length);
          }

          @Override
          public void pause() {
            printer.flush();
          }
        },
        false);
  }

  /** Prints each key with its count, after all keys were counted. */
  void annotate(Rereading input) {
    input.again(
        (bytes, offset, length, hash) ->
            print(counts.count(bytes, offset, length, hash), bytes, offset, length));
  }

  /** Prints the count of a key. */
  void ask(byte[] bytes, int offset, int length, long hash) {
    long count = counts.count(bytes, offset, length, hash);
    asked++;
    absent += count == 0 ? 1 : 0;
    print(count, bytes, offset, length);
  }

  private void print(long count, byte[] bytes, int offset, int length) {
    if (count < atLeast) {
      return;
    }
    printed++;
    if (json) {
      Map<String, Object> entry = printer.json(bytes, offset, length);
      entry.put("count", count);
      printer.printJson(entry);
    } else {
      printer.print(counts.text(count) + "\t", bytes, offset, length);
    }
  }

  /** The number of keys looked up. */
  long asked() {
    return asked;
  }

  /** The number of these that never occurred. */
  long absent() {
    return absent;
  }

  /** The number of counts printed or listed. */
  long printed() {
    return printed;
  }
}
