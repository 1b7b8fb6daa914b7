package io.bloomery.tools.distinct;

import io.bloomery.tools.spill.RunHash;
import java.util.Arrays;

/** A set of coupons, in a table with linear probing whose places nobody can foresee. */
final class CouponSet {

  private static final int FIRST = 4;

  /** Odd, and of this process: whoever writes a file cannot make its coupons collide. */
  private static final int MULTIPLIER = (int) RunHash.hasher().hash(new byte[0]) | 1;

  private int[] slots = new int[FIRST]; // 0 is no coupon
  private int size;

  /** How many coupons there are. */
  int size() {
    return size;
  }

  /** What the table takes, in bytes. */
  long bytes() {
    return (long) Integer.BYTES * slots.length;
  }

  /** Adds a coupon and returns whether it is new. */
  boolean add(int coupon) {
    int slot = slot(coupon);
    if (slots[slot] == coupon) {
      return false;
    }
    slots[slot] = coupon;
    size++;
    if (4 * size > 3 * slots.length) {
      grow();
    }
    return true;
  }

  /** Where a coupon is, or the free place for it. */
  private int slot(int coupon) {
    int mask = slots.length - 1;
    int slot = (coupon * MULTIPLIER) >>> Integer.numberOfLeadingZeros(mask);
    while (slots[slot] != 0 && slots[slot] != coupon) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    int[] before = slots;
    slots = new int[2 * before.length];
    for (int coupon : before) {
      if (coupon != 0) {
        slots[slot(coupon)] = coupon;
      }
    }
  }

  /** All coupons, in one order however they came. */
  int[] sorted() {
    int[] coupons = Arrays.stream(slots).filter(coupon -> coupon != 0).toArray();
    Arrays.sort(coupons);
    return coupons;
  }
}
