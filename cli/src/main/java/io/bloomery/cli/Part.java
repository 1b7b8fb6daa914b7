package io.bloomery.cli;

/** A module of this project that commands need and that may be absent. */
interface Part {

  /** The artifact that the module comes in. */
  String artifact();

  /**
   * A class of the module.
   *
   * @throws NoClassDefFoundError if the module is absent
   */
  Class<?> facade();

  /** Whether the module is on the class path or the module path. */
  default boolean isPresent() {
    try {
      return facade() != null;
    } catch (NoClassDefFoundError e) {
      return false;
    }
  }
}
