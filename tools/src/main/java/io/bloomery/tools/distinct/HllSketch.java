package io.bloomery.tools.distinct;

import io.bloomery.tools.problem.Problem;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An estimate of how many different keys came, in little memory: the HyperLogLog sketch of Apache
 * DataSketches, which keeps the coupons of few keys and {@code k} registers for many. A register is
 * the largest value of the coupons whose addresses end with its number.
 *
 * <p>While keys come one by one, each change of a register adds the inverse of its probability to
 * the estimate, whose relative standard error is then 0.83/√k. Sketches that were merged have only
 * their registers; the error is 1.04/√k. Few keys, up to about k/11, are counted but for collisions
 * of their coupons: one in 400 for 1,000 keys.
 *
 * <p>Not thread-safe.
 */
public final class HllSketch {

  /** The smallest logarithm of the number of registers. */
  public static final int LEAST_LG_K = 4;

  /** The largest. */
  public static final int MOST_LG_K = 21;

  /** The most standard deviations of a bound. */
  public static final int MOST_SIGMAS = 3;

  /** From this many coupons on there is a set of them in a file, not a list. */
  static final int LIST_SIZE = 8;

  private static final int LEAST_LG_K_OF_SETS = 8;
  private static final int SECOND_SUM = 32; // the first value whose inverse power is in the second
  private static final long OBJECT_BYTES = 96;

  /** What a sketch keeps. */
  public enum Mode {
    /** Up to 7 coupons. */
    LIST,
    /** Up to about k/11 coupons. */
    SET,
    /** Registers. */
    HLL
  }

  private int lgK;
  private @Nullable CouponSet coupons = new CouponSet(); // null if there are registers
  private byte[] registers = {};
  private boolean online = true; // the estimate was kept while keys came
  private double kept; // that estimate
  // The sum of 2^-value over all registers, exact: values below 32, and the others.
  private double sum;
  private double smallSum;

  /** An empty sketch of {@code 2^lgK} registers. */
  public HllSketch(int lgK) {
    if (lgK < LEAST_LG_K || lgK > MOST_LG_K) {
      throw new IllegalArgumentException("lgK " + lgK);
    }
    this.lgK = lgK;
  }

  /** A sketch with these registers, of which there are {@code 2^lgK}. */
  static HllSketch ofRegisters(byte[] registers, boolean online, double kept) {
    HllSketch sketch = new HllSketch(Integer.numberOfTrailingZeros(registers.length));
    sketch.coupons = null;
    sketch.registers = registers;
    sketch.online = online;
    sketch.kept = online ? kept : 0;
    sketch.addUp();
    return sketch;
  }

  /** The smallest sketch whose relative standard error is at most this while keys come. */
  public static HllSketch forError(double error) {
    for (int lgK = LEAST_LG_K; lgK <= MOST_LG_K; lgK++) {
      if (Estimator.standardError(lgK, true) <= error) {
        return new HllSketch(lgK);
      }
    }
    throw new Problem(
        "--error is %s; the most exact sketch has %.2g, and --exact none"
            .formatted(error, Estimator.standardError(MOST_LG_K, true)));
  }

  /** The logarithm of the number of registers. */
  public int lgK() {
    return lgK;
  }

  /** What it keeps. */
  public Mode mode() {
    if (coupons == null) {
      return Mode.HLL;
    }
    return coupons.size() < LIST_SIZE ? Mode.LIST : Mode.SET;
  }

  /** Whether no key came. */
  public boolean isEmpty() {
    return coupons != null && coupons.size() == 0;
  }

  /** Whether the estimate was kept while keys came, and not made from merged registers. */
  public boolean isOnline() {
    return online;
  }

  /** What it takes in memory, in bytes. */
  public long bytes() {
    return OBJECT_BYTES + (coupons == null ? registers.length : coupons.bytes());
  }

  /** Its coupons in ascending order; none if it has registers. */
  int[] coupons() {
    return coupons == null ? new int[0] : coupons.sorted();
  }

  /** Its registers, which belong to it; none if it has coupons. */
  byte[] registers() {
    return registers;
  }

  /** The estimate that was kept while keys came; 0 if none was. */
  double kept() {
    return kept;
  }

  /** The sum of {@code 2^-value} over registers with values below 32. */
  double sum() {
    return sum;
  }

  /** The sum of {@code 2^-value} over the others. */
  double smallSum() {
    return smallSum;
  }

  /** How many coupons a sketch has at most; one more and it has registers. */
  static int mostCoupons(int lgK) {
    return lgK < LEAST_LG_K_OF_SETS ? LIST_SIZE - 1 : 3 << (lgK - 5);
  }

  /** Adds a key by its {@link Coupon}. */
  public void add(int coupon) {
    if (coupons == null) {
      raise(coupon);
    } else if (coupons.add(coupon) && coupons.size() > mostCoupons(lgK)) {
      double estimate = Estimator.ofCoupons(coupons.size());
      toRegisters();
      kept = estimate;
    }
  }

  private void toRegisters() {
    int[] all = coupons();
    coupons = null;
    registers = new byte[1 << lgK];
    sum = registers.length;
    for (int coupon : all) {
      raise(coupon);
    }
  }

  private void raise(int coupon) {
    int slot = coupon & registers.length - 1;
    int value = Coupon.value(coupon);
    int before = registers[slot];
    if (value <= before) {
      return;
    }
    if (online) {
      kept += registers.length / (sum + smallSum);
    }
    registers[slot] = (byte) value;
    take(before, -1);
    take(value, 1);
  }

  private void take(int value, int sign) {
    double share = sign * Math.scalb(1.0, -value);
    if (value < SECOND_SUM) {
      sum += share;
    } else {
      smallSum += share;
    }
  }

  private void addUp() {
    sum = 0;
    smallSum = 0;
    for (byte value : registers) {
      take(value, 1);
    }
  }

  /**
   * Adds the keys of another sketch. The result has the fewer registers of the two. It depends on
   * what was merged and not on the order; an empty sketch changes nothing.
   */
  public void merge(HllSketch other) {
    if (other.isEmpty()) {
      return;
    }
    if (isEmpty()) {
      copy(other);
      return;
    }
    lgK = Math.min(lgK, other.lgK);
    if (coupons != null && other.coupons != null) {
      for (int coupon : other.coupons()) {
        coupons.add(coupon);
      }
      if (coupons.size() <= mostCoupons(lgK)) {
        return;
      }
    }
    online = false;
    if (coupons != null) {
      toRegisters();
    }
    for (int coupon : other.coupons()) {
      raise(coupon);
    }
    fold(other.registers);
    kept = 0;
  }

  private void copy(HllSketch other) {
    lgK = other.lgK;
    online = other.online;
    kept = other.kept;
    registers = other.registers.clone();
    sum = other.sum;
    smallSum = other.smallSum;
    if (other.coupons == null) {
      coupons = null;
    } else {
      CouponSet all = new CouponSet();
      for (int coupon : other.coupons()) {
        all.add(coupon);
      }
      coupons = all;
    }
  }

  /** Makes the registers as many as there are now, and raises them to those of another. */
  private void fold(byte[] others) {
    int mask = (1 << lgK) - 1;
    byte[] both = Arrays.copyOf(registers, mask + 1);
    for (int i = mask + 1; i < registers.length; i++) {
      both[i & mask] = (byte) Math.max(both[i & mask], registers[i]);
    }
    for (int i = 0; i < others.length; i++) {
      both[i & mask] = (byte) Math.max(both[i & mask], others[i]);
    }
    registers = both;
    addUp();
  }

  /** The estimated number of different keys. */
  public double estimate() {
    if (coupons != null) {
      return Estimator.ofCoupons(coupons.size());
    }
    return online ? kept : Estimator.ofRegisters(registers);
  }

  /**
   * The fewest keys that are likely.
   *
   * @param sigmas 1, 2 or 3 standard deviations: 84, 97.7 or 99.87 % of all sketches have no fewer
   */
  public double lowerBound(int sigmas) {
    return Math.max(estimate() / (1 + deviation(check(sigmas))), seen());
  }

  /**
   * The most keys that are likely.
   *
   * @param sigmas 1, 2 or 3 standard deviations: 84, 97.7 or 99.87 % of all sketches have no more
   */
  public double upperBound(int sigmas) {
    return Math.max(estimate() / (1 + deviation(-check(sigmas))), seen());
  }

  /** The relative standard error of the estimate. */
  public double standardError() {
    return coupons == null ? Estimator.standardError(lgK, online) : Estimator.couponsDeviation(1);
  }

  private double deviation(int sigmas) {
    return coupons == null
        ? Estimator.deviation(lgK, online, sigmas)
        : Estimator.couponsDeviation(sigmas);
  }

  private static int check(int sigmas) {
    if (sigmas < 1 || sigmas > MOST_SIGMAS) {
      throw new IllegalArgumentException("sigmas " + sigmas);
    }
    return sigmas;
  }

  /** How many different keys there are certainly. */
  private int seen() {
    if (coupons != null) {
      return coupons.size();
    }
    int used = 0;
    for (byte value : registers) {
      used += value == 0 ? 0 : 1;
    }
    return used;
  }
}
