package io.bloomery.cli;

import io.bloomery.Filters;
import io.bloomery.find.FileIndex;
import io.bloomery.net.capture.Capture;
import io.bloomery.security.replay.ReplayGuard;
import io.bloomery.transfer.Peer;

/** The modules that the commands of {@code bloom} need. */
enum Parts implements Part {
  LIBRARY("bloomery"),
  FIND("bloomery-find"),
  NET("bloomery-net"),
  SECURITY("bloomery-security"),
  TRANSFER("bloomery-transfer");

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
      case FIND -> FileIndex.class;
      case NET -> Capture.class;
      case SECURITY -> ReplayGuard.class;
      case TRANSFER -> Peer.class;
    };
  }
}
