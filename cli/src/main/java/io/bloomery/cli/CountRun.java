package io.bloomery.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.hash.Hasher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The work of {@code bloom count}: counts keys and prints counts. */
final class CountRun {

  private final Counts counts;
  private final long atLeast;
  private final StandardOutput out;
  private final List<Map<String, Object>> list = new ArrayList<>();
  private long asked;
  private long absent;
  private long printed;

  /** Prints to {@code out}, or nothing if it is null, counts of {@code atLeast} or more. */
  CountRun(Counts counts, long atLeast, StandardOutput out) {
    this.counts = counts;
    this.atLeast = atLeast;
    this.out = out;
  }

  /** Counts all keys. */
  void count(Rereading input, boolean again) {
    input.first(counts::add, again);
  }

  /** Counts all keys and prints each with its count up to there. */
  void annotateAsTheyCome(Rereading input) {
    input.first(
        new KeyTaker() {
          @Override
          public void key(byte[] bytes, int offset, int length, long hash) {
            print(counts.add(bytes, offset, length, hash), bytes, offset, length);
          }

          @Override
          public void pause() {
            if (out != null) {
              out.flush();
            }
          }
        },
        false);
  }

  /** Prints each key with its count; all were counted before. */
  void annotate(Rereading input) {
    input.again(
        (bytes, offset, length, hash) ->
            print(counts.count(bytes, offset, length, hash), bytes, offset, length));
  }

  /** Prints the count of a key. */
  void ask(byte[] bytes, int offset, int length, Hasher hasher) {
    long count = counts.count(bytes, offset, length, hasher.hash(bytes, offset, length));
    asked++;
    absent += count == 0 ? 1 : 0;
    if (out == null && count >= atLeast) {
      list.add(Map.of("key", new String(bytes, offset, length, UTF_8), "count", count));
    }
    print(count, bytes, offset, length);
  }

  private void print(long count, byte[] bytes, int offset, int length) {
    if (count < atLeast) {
      return;
    }
    printed++;
    if (out != null) {
      byte[] digits = Long.toString(count).getBytes(US_ASCII);
      out.write(digits, 0, digits.length);
      out.write('\t');
      out.write(bytes, offset, length);
      out.write('\n');
    }
  }

  /** How many keys were asked for. */
  long asked() {
    return asked;
  }

  /** How many of them never came. */
  long absent() {
    return absent;
  }

  /** How many counts were printed, or would have been. */
  long printed() {
    return printed;
  }

  /** The counts of the keys that were asked for, if they were not printed. */
  List<Map<String, Object>> list() {
    return list;
  }
}
