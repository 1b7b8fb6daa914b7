/** What the command line and the applications share; for these modules only. */
@SuppressWarnings("module") // modules that depend on this one
module io.bloomery.tools {
  requires io.bloomery;

  exports io.bloomery.tools.problem to
      io.bloomery.cli,
      io.bloomery.find;
}
