package io.bloomery.tools.console;

/** Work to do when the process ends early, by Ctrl-C for example. */
public final class Shutdown {

  private Shutdown() {}

  /** Whether the process is ending; later failures are a consequence of that. */
  public static boolean isBegun() {
    try {
      Runtime.getRuntime().removeShutdownHook(new Thread());
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Runs a thread on shutdown; has no effect if that has begun. */
  public static void add(Thread hook) {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // it has begun
    }
  }

  /** Cancels a thread; has no effect if the shutdown has begun. */
  public static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // it runs
    }
  }
}
