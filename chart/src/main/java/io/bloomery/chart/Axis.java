package io.bloomery.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

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
  public record Tick(double value, String text, String exponent) {
    boolean isNumbered() {
      return !text.isEmpty();
    }
  }

  /** On longer axes there are no small marks at 2 … 9. */
  private static final int MOST_DECADES = 10;

  /** On axes up to this long there are numbers at 2 and 5, if there is room. */
  private static final int FEW_DECADES = 2;

  /** On longer axes there are no marks without a number. */
  private static final int MOST_MARKED_DECADES = 40;

  /** Numbers from here on, or all below {@link #SMALL}, are written with a power of ten. */
  private static final double LARGE = 1e6;

  private static final double SMALL = 1e-3;

  /** Short axes are tried with this many numbers too, since fewer may all be outside. */
  private static final int LEAST_TRIED = 5;

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the range is empty, too small or too large to distinguish
   *     its ends, or not positive and logarithmic
   */
  public Axis {
    boolean isRange = max > min && max - min >= Double.MIN_NORMAL && !Double.isInfinite(max - min);
    if (!isRange || (log && !(min >= Double.MIN_NORMAL))) {
      throw new IllegalArgumentException(
          "an axis from " + min + " to " + max + (log ? ", logarithmic" : "") + " is impossible");
    }
  }

  /**
   * Where a value lies.
   *
   * @param value a value, positive if the axis is logarithmic
   * @return 0 at the beginning of the axis, 1 at its end, beyond outside; not finite if the value
   *     has no place
   */
  public double position(double value) {
    return log
        ? (Math.log10(value) - Math.log10(min)) / (Math.log10(max) - Math.log10(min))
        : (value - min) / (max - min);
  }

  /**
   * The marks, of which about {@code most} at most are numbered.
   *
   * @param most how many numbers there is room for, at least 2
   * @return the marks from the beginning to the end
   */
  public List<Tick> ticks(int most) {
    if (!log) {
      return steps(most);
    }
    for (int numbers = most; numbers <= most + LEAST_TRIED; numbers++) {
      List<Tick> ticks = decades(numbers);
      if (numbered(ticks) >= 2) {
        return ticks;
      }
    }
    return steps(most);
  }

  /**
   * The marks, with as many numbers as there is room for.
   *
   * @param most how many numbers there should be at most
   * @param length the length of the axis
   * @param width how much of that length a number needs, with the gap to the next
   * @return the marks from the beginning to the end; numbers do not overlap
   */
  List<Tick> ticks(int most, double length, ToDoubleFunction<Tick> width) {
    List<Tick> best = List.of();
    for (int numbers = Math.max(LEAST_TRIED, most); numbers >= 2; numbers--) {
      List<Tick> ticks = ticks(numbers);
      List<Tick> apart = apart(ticks, length, width);
      if (apart.equals(ticks) && numbered(ticks) >= 2) {
        return ticks;
      }
      best = numbered(apart) >= numbered(best) ? apart : best;
    }
    return best;
  }

  private static long numbered(List<Tick> ticks) {
    return ticks.stream().filter(Tick::isNumbered).count();
  }

  /** The ticks without numbers that would overlap the previous one. */
  private List<Tick> apart(List<Tick> ticks, double length, ToDoubleFunction<Tick> width) {
    List<Tick> apart = new ArrayList<>();
    double end = Double.NEGATIVE_INFINITY;
    for (Tick tick : ticks) {
      if (tick.isNumbered()) {
        double middle = position(tick.value) * length;
        double half = width.applyAsDouble(tick) / 2;
        if (middle - half < end) {
          apart.add(new Tick(tick.value, "", ""));
          continue;
        }
        end = middle + half;
      }
      apart.add(tick);
    }
    return apart;
  }

  private List<Tick> steps(int most) {
    double rough = (max - min) / most;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = power * 10;
    for (double factor : new double[] {5, 2, 1}) {
      step = power * factor >= rough ? power * factor : step;
    }
    double slack = 1e-9 * (max - min);
    long first = (long) Math.ceil((min - slack) / step);
    long last = (long) Math.floor((max + slack) / step);
    double greatest = Math.max(Math.abs(first), Math.abs(last)) * step;
    boolean isPlain = greatest == 0 || (greatest >= SMALL && greatest < LARGE);
    int exponent = isPlain ? 0 : (int) Math.floor(Math.log10(greatest) + 1e-9);
    int digits = Math.max(0, exponent - (int) Math.floor(Math.log10(step) + 1e-9));
    List<Tick> ticks = new ArrayList<>();
    for (long i = log ? Math.max(1, first) : first; i <= last; i++) {
      BigDecimal number =
          BigDecimal.valueOf(i * step)
              .scaleByPowerOfTen(-exponent)
              .setScale(digits, RoundingMode.HALF_EVEN);
      String text = number.toPlainString().replace('-', '−');
      if (i == 0 && greatest == 0) {
        ticks.add(new Tick(0, "0", ""));
      } else if (isPlain) {
        ticks.add(new Tick(i * step, text, ""));
      } else {
        ticks.add(
            i == 0 ? new Tick(0, "0", "") : new Tick(i * step, text + "·10", power(exponent)));
      }
    }
    return ticks;
  }

  private List<Tick> decades(int most) {
    int first = (int) Math.floor(Math.log10(min) + 1e-9);
    int last = (int) Math.ceil(Math.log10(max) - 1e-9);
    int every = Math.max(1, (last - first + most - 1) / most);
    boolean between = last - first <= FEW_DECADES && numbersBetween(first, last) <= most;
    List<Tick> ticks = new ArrayList<>();
    for (int exponent = first; exponent <= last; exponent++) {
      boolean numbered = Math.floorMod(exponent, every) == 0;
      for (int digit = 1; digit < 10; digit++) {
        double value = digit * Math.pow(10, exponent);
        if (!contains(value)) {
          continue;
        }
        if (digit == 1 && numbered) {
          ticks.add(power(value, exponent));
        } else if (digit == 1 && last - first <= MOST_MARKED_DECADES) {
          ticks.add(new Tick(value, "", ""));
        } else if (between && (digit == 2 || digit == 5)) {
          ticks.add(
              isPlain() ? new Tick(value, plain(value), "") : product(digit, value, exponent));
        } else if (last - first <= MOST_DECADES) {
          ticks.add(new Tick(value, "", ""));
        }
      }
    }
    return ticks;
  }

  private boolean contains(double value) {
    return value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9);
  }

  /** How many powers of ten, their doubles and their fivefolds there are. */
  private int numbersBetween(int first, int last) {
    int count = 0;
    for (int exponent = first; exponent <= last; exponent++) {
      for (int digit : new int[] {1, 2, 5}) {
        count += contains(digit * Math.pow(10, exponent)) ? 1 : 0;
      }
    }
    return count;
  }

  /** Whether all numbers are short without powers. */
  private boolean isPlain() {
    return max < 10_000 && min >= 0.1;
  }

  private Tick power(double value, int exponent) {
    return isPlain() || exponent == 0
        ? new Tick(value, plain(value), "")
        : new Tick(value, "10", power(exponent));
  }

  private static Tick product(int digit, double value, int exponent) {
    return exponent == 0
        ? new Tick(value, Integer.toString(digit), "")
        : new Tick(value, digit + "·10", power(exponent));
  }

  private static String power(int exponent) {
    return Integer.toString(exponent).replace('-', '−');
  }

  private static String plain(double value) {
    return BigDecimal.valueOf(value).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }
}
