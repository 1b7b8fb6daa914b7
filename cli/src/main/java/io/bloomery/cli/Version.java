package io.bloomery.cli;

import picocli.CommandLine.IVersionProvider;

/** Says which version of {@code bloom} this is, from the manifest of its jar. */
final class Version implements IVersionProvider {
  /** For picocli. */
  Version() {}

  @Override
  public String[] getVersion() {
    String version = Main.class.getPackage().getImplementationVersion();
    return new String[] {
      "bloom " + (version == null ? "(unpackaged)" : version),
      "Java " + Runtime.version() + " on " + System.getProperty("os.name"),
    };
  }
}
