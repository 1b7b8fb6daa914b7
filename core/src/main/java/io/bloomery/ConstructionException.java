package io.bloomery;

/**
 * A filter that is built by random trial could not be built within its bound of trials. Nothing was
 * built and nothing was changed; another seed may succeed.
 */
public final class ConstructionException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param what which filter, for how many keys, after how many trials, and what to do
   */
  public ConstructionException(String what) {
    super(what);
  }
}
