package io.bloomery.cli;

/** Groups of commands by purpose, in the order in which the help lists them. */
enum CommandGroup {
  USE("Use filters"),
  COMBINE("Combine and divide sets"),
  INSPECT("Inspect files"),
  CHOOSE("Choose a filter"),
  /** The applications of two words, each by the question that it answers. */
  APPLICATIONS("Applications"),
  /** Commands of two words, which the help of their application lists. */
  APPLICATION("Commands"),
  HELP("Learn and install");

  private final String title;

  CommandGroup(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
