package io.bloomery.cli.console;

/** What is left to do when the process is told to end, by Ctrl-C for example. */
public final class Shutdown {

  private Shutdown() {}

  /** Whether the process is ending: what fails from now on fails because of that. */
  static boolean isBegun() {
    try {
      Runtime.getRuntime().removeShutdownHook(new Thread());
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Runs a thread then; too late if the process is ending already. */
  public static void add(Thread hook) {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // it is ending
    }
  }

  /** Does not run it any more, unless the process is ending already. */
  public static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // it is running
    }
  }
}
