package io.bloomery;

/**
 * A filter built by random trials could not be built within the allowed number of trials. Nothing
 * was built and nothing has changed; another seed may succeed.
 */
public final class ConstructionException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param what which filter, for how many keys, after how many trials, and what to do
   */
  public ConstructionException(String what) {
    super(what);
  }
}
