package io.bloomery.cli.option;

import picocli.CommandLine.Option;

/** The option to print the report as JSON. */
public class JsonOption {

  @Option(
      names = "--json",
      description = "Print JSON: the report in one line, after a line for each result.")
  private boolean json;

  public final boolean isJson() {
    return json;
  }
}
