package io.bloomery.cli.console;

import java.lang.module.ModuleDescriptor;
import picocli.CommandLine.IVersionProvider;

/** The version of {@code bloom}, from its module descriptor or its jar's manifest. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      tool(),
      // Runtime.version() prints the same by streams, which take a fifth of the time of a start
      "Java " + System.getProperty("java.runtime.version") + " on " + System.getProperty("os.name"),
    };
  }

  /** The program and its version, as recorded in the files that it writes. */
  public static String tool() {
    return "bloom " + number();
  }

  private static String number() {
    ModuleDescriptor module = Version.class.getModule().getDescriptor();
    String version =
        module == null
            ? Version.class.getPackage().getImplementationVersion()
            : module.rawVersion().orElse(null);
    return version == null ? "(unpackaged)" : version;
  }
}
