package io.bloomery.cli.console;

import java.lang.module.ModuleDescriptor;
import picocli.CommandLine.IVersionProvider;

/**
 * Says which version of {@code bloom} this is, from its module descriptor or its jar's manifest.
 */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "bloom " + number(), "Java " + Runtime.version() + " on " + System.getProperty("os.name"),
    };
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
