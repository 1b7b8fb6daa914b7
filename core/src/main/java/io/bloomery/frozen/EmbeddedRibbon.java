package io.bloomery.frozen;

import io.bloomery.internal.bits.KeyHashes;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.solve.Ribbon;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The words of a ribbon filter without a frame around them, for files that hold thousands of small
 * ones and keep the few numbers that describe each in a table. Immutable; any number of threads may
 * query.
 */
public final class EmbeddedRibbon {

  /** Highest {@link #trial}. */
  public static final int MAX_TRIAL = Ribbon.MAX_TRIAL;

  private static final long SEED = 0;
  private static final int SHARES = RibbonLayout.SHARES;

  private final Ribbon ribbon;

  private EmbeddedRibbon(Ribbon ribbon) {
    this.ribbon = ribbon;
  }

  /**
   * Builds the filter of some hashes.
   *
   * @param hashes different hashes, from index 0 on
   * @param count how many of the array are taken
   * @param rate the rate that is low enough, 2^-32 … 1 (excluded)
   * @param maxBytes what the words may take; if the rate takes more, it is as low as fits
   * @return the filter, or null if not even the highest rate fits
   */
  public static @Nullable EmbeddedRibbon build(
      long[] hashes, int count, double rate, long maxBytes) {
    RibbonLayout layout = layout(count, rate, maxBytes / Long.BYTES);
    return layout == null
        ? null
        : new EmbeddedRibbon(
            Ribbon.build(
                KeyHashes.of(hashes, count),
                layout.columns(),
                layout.narrowShare(),
                SEED,
                1,
                (phase, done, total) -> {}));
  }

  private static @Nullable RibbonLayout layout(int count, double rate, long maxWords) {
    if (count == 0) {
      return new RibbonLayout(0, 1, 0);
    }
    int columns = Math.max(1, -Math.getExponent(rate));
    double excess = Math.scalb(rate, columns) - 1;
    int fewest = (RibbonLayout.MAX_COLUMNS - columns) * SHARES + (int) (excess * SHARES);
    int most = RibbonLayout.MAX_COLUMNS * SHARES - 1;
    if (layout(count, most).words() > maxWords) {
      return null;
    }
    // From the wanted table to the narrowest; the first that fits is searched for.
    while (fewest < most) {
      int middle = (fewest + most) >>> 1;
      if (layout(count, middle).words() <= maxWords) {
        most = middle;
      } else {
        fewest = middle + 1;
      }
    }
    return layout(count, most);
  }

  /** A table that is narrower with each step. */
  private static RibbonLayout layout(int count, int step) {
    return new RibbonLayout(count, RibbonLayout.MAX_COLUMNS - step / SHARES, step % SHARES);
  }

  /**
   * A filter that was built before.
   *
   * @param keyCount as {@link #keyCount()} was
   * @param columns as {@link #columns()} was
   * @param narrowShare as {@link #narrowShare()} was
   * @param trial as {@link #trial()} was
   * @param words little-endian, in a buffer of any order; more may follow. Read when a query needs
   *     them
   * @param start where in the buffer the words start
   * @throws IllegalArgumentException if a number is outside its range or the words are too few
   */
  public static EmbeddedRibbon of(
      int keyCount, int columns, int narrowShare, int trial, ByteBuffer words, int start) {
    RibbonLayout layout = new RibbonLayout(keyCount, columns, narrowShare);
    LongBuffer longs =
        words.slice(start, words.limit() - start).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    if (longs.limit() < layout.words() || trial < 0 || trial > MAX_TRIAL) {
      throw new IllegalArgumentException(
          "%d words and trial %d do not fit a filter of %d words"
              .formatted(longs.limit(), trial, layout.words()));
    }
    Words view = Words.view(longs.limit((int) layout.words()));
    return new EmbeddedRibbon(new Ribbon(layout, SEED, trial, view));
  }

  /**
   * Whether a hash may be among those that the filter was built from.
   *
   * @param hash of the key
   */
  public boolean mightContainHash(long hash) {
    return ribbon.matches(hash);
  }

  /** How many different hashes it was built from. */
  public int keyCount() {
    return (int) ribbon.layout().keys();
  }

  /** Bits of a fingerprint. */
  public int columns() {
    return ribbon.layout().columns();
  }

  /** How many of 65536 parts of the table have one bit less. */
  public int narrowShare() {
    return ribbon.layout().narrowShare();
  }

  /** Which of the random trials succeeded. */
  public int trial() {
    return ribbon.trial();
  }

  /** The expected rate of false positives. */
  public double rate() {
    return ribbon.layout().matchRate();
  }

  /** The words, little-endian. */
  public byte[] bytes() {
    Words words = ribbon.words();
    ByteBuffer bytes =
        ByteBuffer.allocate((int) words.length() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    words.copyTo(0, bytes.asLongBuffer());
    return bytes.array();
  }
}
