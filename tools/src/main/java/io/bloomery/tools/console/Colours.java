package io.bloomery.tools.console;

import java.util.Locale;

/** When results have colours. */
public enum Colours {
  /** On a terminal, unless {@code NO_COLOR} is set. */
  AUTO,
  /** Also in files and pipes. */
  ALWAYS,
  /** Nowhere. */
  NEVER;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
