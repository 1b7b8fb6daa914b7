package io.bloomery.mutation;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A process that runs test classes one after another and ends at the first failure. Arguments: the
 * seconds that a class may take, then the classes. Lines that begin with {@link #MARK} tell what
 * happened. Seconds are those of the processor, so that other processes do not count; a class that
 * waits forever ends after {@link #PATIENCE} times as many.
 */
final class TestRun {

  static final String MARK = "mutants> ";
  static final String PASSED_TEST = "passed ";
  static final int PASSED = 0;
  static final int FAILED = 10;
  static final int TOO_SLOW = 11;

  private static final int PATIENCE = 20;
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private TestRun() {}

  public static void main(String[] arguments) {
    say("died"); // unless another line follows
    long limit = Long.parseLong(arguments[0]);
    daemon(TestRun::endWithTheParent).start();
    ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(TestRun::daemon);
    Launcher launcher = LauncherFactory.create();
    for (int i = 1; i < arguments.length; i++) {
      String name = arguments[i];
      long began = SYSTEM.getProcessCpuTime();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE * limit);
      ScheduledFuture<?> end =
          watch.scheduleAtFixedRate(
              () -> {
                long spent = SYSTEM.getProcessCpuTime() - began;
                if (spent > TimeUnit.SECONDS.toNanos(limit) || System.nanoTime() > deadline) {
                  finish(TOO_SLOW, "slow " + name);
                }
              },
              1,
              1,
              TimeUnit.SECONDS);
      launcher.execute(request(name), new FirstFailure());
      end.cancel(false);
      long spent = SYSTEM.getProcessCpuTime() - began;
      say(PASSED_TEST + name + " " + TimeUnit.NANOSECONDS.toMillis(spent));
    }
    finish(PASSED, "done");
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    return thread;
  }

  /** Standard input ends when the process that reads our output is gone. */
  private static void endWithTheParent() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      say("no input: " + e.getMessage());
    }
    finish(TOO_SLOW, "left alone");
  }

  private static LauncherDiscoveryRequest request(String name) {
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectClass(name))
        .filters(EngineFilter.includeEngines("junit-jupiter"), TagFilter.excludeTags("long"))
        .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
        .build();
  }

  private static final class FirstFailure implements TestExecutionListener {
    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() == TestExecutionResult.Status.FAILED) {
        String cause = result.getThrowable().map(Throwable::toString).orElse("");
        finish(FAILED, "failed " + test.getUniqueId() + " " + cause.lines().findFirst().orElse(""));
      }
    }
  }

  private static void say(String line) {
    System.out.println(MARK + line);
    System.out.flush();
  }

  /** Ends at once, whatever threads a test has left behind. */
  private static void finish(int code, String line) {
    say(line);
    Runtime.getRuntime().halt(code);
  }
}
