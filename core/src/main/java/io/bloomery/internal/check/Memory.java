package io.bloomery.internal.check;

/** How much memory a filter of a file may take. */
public final class Memory {

  private Memory() {}

  /** What to say of a file that the heap has no room for. */
  public static String shortage(long fileBytes) {
    Runtime runtime = Runtime.getRuntime();
    long used = runtime.totalMemory() - runtime.freeMemory();
    return "the heap has no room for the filter: the file has %d bytes, which are decoded to about as many more; %d of %d bytes of heap are in use (-Xmx)"
        .formatted(fileBytes, used, runtime.maxMemory());
  }

  /**
   * The bytes that a file may claim unless the caller passes a budget: three quarters of the heap.
   */
  public static long budget() {
    return Runtime.getRuntime().maxMemory() / 4 * 3;
  }
}
