package io.bloomery.cli.count;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.hash.Hasher;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.input.KeyPrinter;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.spill.CountedKeys;
import io.bloomery.tools.spill.Rereading;

/**
 * The work of {@code bloom count --exact}: prints each distinct key once, preceded by its count, in
 * the format of {@code uniq -c}, whatever the order of the input.
 */
final class ExactList {

  private static final int WIDTH = 7;

  private final CountedKeys.Order order;
  private final long atLeast;
  private final long memory;
  private final Hasher hasher;
  private long distinct;
  private long printed;
  private long spilled;

  /** Prints counts of {@code atLeast} or more; uses about {@code memory} bytes. */
  ExactList(CountedKeys.Order order, long atLeast, long memory, Hasher hasher) {
    this.order = order;
    this.atLeast = atLeast;
    this.memory = memory;
    this.hasher = hasher;
  }

  /** Counts all keys and prints them. */
  void print(Rereading input, KeyPrinter printer) {
    list(
        input,
        (bytes, offset, length, count) -> {
          String number = Long.toString(count);
          String space = " ".repeat(Math.max(0, WIDTH - number.length()));
          printer.print(space + number + " ", bytes, offset, length);
        });
  }

  /** Counts all keys and prints them as the first field of a JSON object, which is left open. */
  void printJson(Rereading input, KeyPrinter printer, StandardOutput out) {
    write(out, "{\"counts\":[");
    list(
        input,
        (bytes, offset, length, count) -> {
          Report entry = new Report();
          printer.json(bytes, offset, length).forEach(entry::value);
          String text = entry.value("count", count).json();
          write(out, (printed == 1 ? "" : ",") + text.stripTrailing());
        });
    write(out, "],");
  }

  private static void write(StandardOutput out, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    out.write(bytes, 0, bytes.length);
  }

  private void list(Rereading input, CountedKeys.Visitor visitor) {
    try (CountedKeys counted = new CountedKeys(memory, hasher)) {
      input.first(
          (bytes, offset, length, hash) -> counted.add(bytes, offset, length, hash, 1), false);
      counted.forEach(
          order,
          (bytes, offset, length, count) -> {
            distinct++;
            if (count >= atLeast) {
              printed++;
              visitor.visit(bytes, offset, length, count);
            }
          });
      spilled = counted.spilledBytes();
    }
  }

  /** The number of distinct keys. */
  long distinct() {
    return distinct;
  }

  /** The number of keys printed. */
  long printed() {
    return printed;
  }

  /** The number of bytes written to temporary files. */
  long spilledBytes() {
    return spilled;
  }
}
