package io.bloomery.cli.option;

import picocli.CommandLine.Option;

/** The option that makes a report one for programs. */
public class JsonOption {

  @Option(
      names = "--json",
      description = "Print JSON: the report in one line, after a line for each result.")
  private boolean json;

  /** Whether the report is for programs. */
  public final boolean isJson() {
    return json;
  }
}
