package io.bloomery.internal.check;

/** How much memory a filter of a file may take. */
public final class Memory {

  private Memory() {}

  /**
   * The bytes that a file may claim unless the caller passes a budget: three quarters of the heap.
   */
  public static long budget() {
    return Runtime.getRuntime().maxMemory() / 4 * 3;
  }
}
