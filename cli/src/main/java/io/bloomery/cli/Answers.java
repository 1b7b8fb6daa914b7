package io.bloomery.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.Filter;
import io.bloomery.HashedFilter;
import java.util.Arrays;

/** Asks a filter about keys, many at a time, prints the answers and counts them. */
final class Answers implements KeySink {

  private static final int BATCH = 4096;
  private static final int BATCH_BYTES = 1 << 20;
  private static final byte[] ABSENT = "certainly absent\t".getBytes(US_ASCII);
  private static final byte[] PRESENT = "probably present\t".getBytes(US_ASCII);

  private final Filter filter;
  private final StandardOutput out;
  private final Answer only;

  private byte[] bytes = new byte[BATCH_BYTES / 8];
  private final int[] ends = new int[BATCH + 1];
  private final long[] hashes = new long[BATCH];
  private final long[] hits = new long[BATCH / Long.SIZE];
  private int count;
  private long present;
  private long absent;

  /** Prints to {@code out}, or nothing if it is null; keys with any answer if only is null. */
  Answers(Filter filter, StandardOutput out, Answer only) {
    this.filter = filter;
    this.out = out;
    this.only = only;
  }

  /** How many keys are probably present. */
  long present() {
    return present;
  }

  /** How many keys are certainly absent. */
  long absent() {
    return absent;
  }

  @Override
  public void key(byte[] key, int offset, int length) {
    int start = ends[count];
    if (length > bytes.length - start) {
      bytes = Arrays.copyOf(bytes, Math.max(start + length, 2 * bytes.length));
    }
    System.arraycopy(key, offset, bytes, start, length);
    count++;
    ends[count] = start + length;
    if (count == BATCH || ends[count] >= BATCH_BYTES) {
      flush();
    }
  }

  @Override
  public void pause() {
    flush();
    if (out != null) {
      out.flush();
    }
  }

  private void flush() {
    ask();
    for (int i = 0; i < count; i++) {
      boolean hit = (hits[i / Long.SIZE] >>> i & 1) != 0;
      if (out != null) {
        print(hit ? Answer.PRESENT : Answer.ABSENT, ends[i], ends[i + 1] - ends[i]);
      }
      present += hit ? 1 : 0;
      absent += hit ? 0 : 1;
    }
    count = 0;
  }

  private void ask() {
    if (filter instanceof HashedFilter hashed) {
      for (int i = 0; i < count; i++) {
        hashes[i] = hashed.hasher().hash(bytes, ends[i], ends[i + 1] - ends[i]);
      }
      hashed.mightContainHashes(hashes, 0, count, hits);
    } else {
      Arrays.fill(hits, 0);
      for (int i = 0; i < count; i++) {
        boolean hit = filter.mightContain(bytes, ends[i], ends[i + 1] - ends[i]);
        hits[i / Long.SIZE] |= (hit ? 1L : 0L) << i;
      }
    }
  }

  private void print(Answer answer, int offset, int length) {
    if (only == null) {
      byte[] column = answer == Answer.PRESENT ? PRESENT : ABSENT;
      out.write(column, 0, column.length);
    } else if (answer != only) {
      return;
    }
    out.write(bytes, offset, length);
    out.write('\n');
  }
}
