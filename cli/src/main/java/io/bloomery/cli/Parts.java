package io.bloomery.cli;

import io.bloomery.Filters;

/** The modules that the commands of {@code bloom} need. */
enum Parts implements Part {
  LIBRARY("bloomery");

  private final String artifact;

  Parts(String artifact) {
    this.artifact = artifact;
  }

  @Override
  public String artifact() {
    return artifact;
  }

  @Override
  public Class<?> facade() {
    return switch (this) {
      case LIBRARY -> Filters.class;
    };
  }
}
