package io.bloomery.cli.option;

import picocli.CommandLine.Option;

/** The option that makes a report one for programs. */
public class JsonOption {

  @Option(names = "--json", description = "Print the report as one line of JSON.")
  private boolean json;

  /** Whether the report is for programs. */
  public final boolean isJson() {
    return json;
  }
}
