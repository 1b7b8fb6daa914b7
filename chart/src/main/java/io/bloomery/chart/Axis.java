package io.bloomery.chart;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * A range of values along an edge of a panel.
 *
 * @param label what is measured, with its unit
 * @param min the value where the axis begins
 * @param max the value where it ends, above {@code min}
 * @param log whether equal distances are equal ratios; {@code min} is then above 0
 */
public record Axis(String label, double min, double max, boolean log) {

  /**
   * A place on an axis that has a mark.
   *
   * @param value where
   * @param text the number, or the base of a power; empty for a mark without a number
   * @param exponent the exponent of a power, or empty
   */
  public record Tick(double value, String text, String exponent) {}

  private static final int FEW_DECADES = 2;
  private static final int MOST_DECADES = 10;

  /**
   * Checks the range.
   *
   * @param label what is measured, with its unit
   * @param min the value where the axis begins
   * @param max the value where it ends
   * @param log whether equal distances are equal ratios
   * @throws IllegalArgumentException if the range is empty, or not positive and logarithmic
   */
  public Axis {
    if (!(max > min) || (log && !(min > 0)) || Double.isInfinite(max - min)) {
      throw new IllegalArgumentException(
          "an axis from " + min + " to " + max + (log ? ", logarithmic" : "") + " is impossible");
    }
  }

  /**
   * Where a value lies.
   *
   * @param value a value, positive if the axis is logarithmic
   * @return 0 at the beginning of the axis, 1 at its end, beyond outside
   */
  public double position(double value) {
    return log ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
  }

  /**
   * The marks, the numbered ones at most {@code most} or a few more.
   *
   * @param most how many numbers there is room for, at least 2
   * @return the marks from the beginning to the end
   */
  public List<Tick> ticks(int most) {
    return log ? decades(most) : steps(most);
  }

  private List<Tick> steps(int most) {
    double rough = (max - min) / most;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = power * 10;
    for (double factor : new double[] {5, 2, 1}) {
      step = power * factor >= rough ? power * factor : step;
    }
    int digits = Math.max(0, (int) -Math.floor(Math.log10(step) + 1e-9));
    List<Tick> ticks = new ArrayList<>();
    double slack = 1e-9 * (max - min);
    for (long i = (long) Math.ceil((min - slack) / step); i * step <= max + slack; i++) {
      BigDecimal number = BigDecimal.valueOf(i * step).setScale(digits, RoundingMode.HALF_EVEN);
      ticks.add(new Tick(i * step, number.toPlainString(), ""));
    }
    return ticks;
  }

  private List<Tick> decades(int most) {
    int first = (int) Math.floor(Math.log10(min) + 1e-9);
    int last = (int) Math.ceil(Math.log10(max) - 1e-9);
    int every = Math.max(1, (last - first + most - 1) / most);
    List<Tick> ticks = new ArrayList<>();
    for (int exponent = first; exponent <= last; exponent++) {
      boolean numbered = Math.floorMod(exponent, every) == 0;
      for (int digit = 1; digit < 10; digit++) {
        double value = digit * Math.pow(10, exponent);
        if (value < min * (1 - 1e-9) || value > max * (1 + 1e-9)) {
          continue;
        }
        if (digit == 1) {
          ticks.add(numbered ? power(value, exponent) : new Tick(value, "", ""));
        } else if (last - first <= FEW_DECADES && (digit == 2 || digit == 5)) {
          ticks.add(new Tick(value, plain(value), ""));
        } else if (last - first <= MOST_DECADES) {
          ticks.add(new Tick(value, "", ""));
        }
      }
    }
    return ticks;
  }

  private Tick power(double value, int exponent) {
    boolean isPlain = exponent >= 0 && exponent < 3 && max < 10_000 && min >= 0.1;
    return isPlain || exponent == 0
        ? new Tick(value, plain(value), "")
        : new Tick(value, "10", Integer.toString(exponent).replace('-', '−'));
  }

  private static String plain(double value) {
    return BigDecimal.valueOf(value)
        .round(new java.math.MathContext(3))
        .stripTrailingZeros()
        .toPlainString();
  }
}
