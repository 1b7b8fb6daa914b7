package io.bloomery;

/**
 * A filter has no room for another key. The key was not added, and the filter is unchanged: every
 * key that was in it is still found.
 */
public final class FilterFullException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param what which filter is full, how full, and what to do
   */
  public FilterFullException(String what) {
    super(what);
  }
}
