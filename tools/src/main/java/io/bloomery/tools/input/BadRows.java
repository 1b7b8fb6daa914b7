package io.bloomery.tools.input;

import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The treatment of rows of one input that cannot be read or whose key is not a value of its type:
 * the first one ends the command, or they are skipped and counted, and written elsewhere on
 * request. Rows are taken in the input's order, by one thread at a time.
 */
public final class BadRows {

  private final boolean fail;
  private final @Nullable RejectFile file; // null: they are left out
  private long seen; // in the current pass over the input
  private long count; // in all passes, each row once
  private String first = "";

  private BadRows(boolean fail, @Nullable RejectFile file) {
    this.fail = fail;
    this.file = file;
  }

  /** The first one is a problem. */
  public static BadRows fail() {
    return new BadRows(true, null);
  }

  /** They are left out. */
  public static BadRows skip() {
    return new BadRows(false, null);
  }

  /** They are left out and written to a file. */
  public static BadRows reject(RejectFile file) {
    return new BadRows(false, file);
  }

  /** They are left out and not counted, as another pass over the input does so. */
  static BadRows known() {
    BadRows rows = new BadRows(false, null);
    rows.seen = Long.MIN_VALUE;
    return rows;
  }

  /** Whether the first one is a problem. */
  public boolean fails() {
    return fail;
  }

  /** The input is read again from the beginning; rows that were already taken are known. */
  public void restart() {
    seen = 0;
  }

  /** Throws if the file of rejected rows is one of the inputs. */
  void check(KeyInput input) {
    if (file != null) {
      file.check(input);
    }
  }

  /** Throws if the file of rejected rows is this input. */
  public void check(Path input) {
    if (file != null) {
      file.check(input);
    }
  }

  /** Takes the bad rows of a block. */
  public void take(Block block) {
    if (block.badCount() == 0) {
      return;
    }
    byte[] end = block.recordEnd();
    block.badRows(
        (bytes, offset, length) -> {
          seen++;
          if (seen > count) {
            first = count == 0 ? block.badReason() : first;
            count = seen;
            if (file != null) {
              file.add(bytes, offset, length, end);
            }
          }
        });
    if (file != null) {
      file.flush();
    }
  }

  /** How many there were. */
  public long count() {
    return count;
  }

  /** How many there were and why the first was one. */
  public String text() {
    return "%s %s, the first: %s"
        .formatted(Text.count(count, "row"), file == null ? "skipped" : "rejected", first);
  }
}
