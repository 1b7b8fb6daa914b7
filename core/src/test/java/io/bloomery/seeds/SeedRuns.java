package io.bloomery.seeds;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests that draw with one seed after another. Test classes that keep what they drew in
 * static fields are loaded afresh for each seed, with all classes of the project. The others are
 * loaded once, and so compiled once, which is most of their cost. Run by {@code bench/seeds}, which
 * explains the options.
 */
final class SeedRuns {

  /** The directories of classes that are loaded afresh for each seed. */
  private static final String OWN = "bloomery.seeds.own";

  private static final Pattern RANGE = Pattern.compile("(-?\\d+)\\.\\.(-?\\d+)");

  private final List<Long> seeds = new ArrayList<>();
  private Pattern only = Pattern.compile("");
  private boolean list;

  private SeedRuns() {}

  public static void main(String[] arguments) throws Exception {
    SeedRuns runs = new SeedRuns();
    runs.parse(arguments);
    System.exit(runs.run() ? 0 : 1); // whatever threads a test has left behind
  }

  private void parse(String[] arguments) {
    for (int i = 0; i < arguments.length; i++) {
      Matcher range = RANGE.matcher(arguments[i]);
      if (arguments[i].equals("--list")) {
        list = true;
      } else if (arguments[i].equals("--only") && i + 1 < arguments.length) {
        only = Pattern.compile(arguments[++i]);
      } else if (range.matches()) {
        long last = Long.parseLong(range.group(2));
        for (long seed = Long.parseLong(range.group(1)); seed <= last; seed++) {
          seeds.add(seed);
        }
      } else {
        seeds.add(Long.parseLong(arguments[i]));
      }
    }
  }

  private List<String> chosen(Set<String> names) {
    return names.stream().filter(name -> only.matcher(name).find()).toList();
  }

  private boolean run() throws IOException {
    List<Path> own = new ArrayList<>();
    for (String directory : System.getProperty(OWN).split(":", -1)) {
      own.add(Path.of(directory));
    }
    DrawingTests tests = new DrawingTests(own);
    List<String> warm = chosen(tests.warm());
    List<String> fresh = chosen(tests.fresh());
    System.out.printf(
        "seeds: %d test classes, %d of them loaded afresh for each seed%n",
        warm.size() + fresh.size(), fresh.size());
    if (list) {
      warm.forEach(name -> System.out.println("seeds: runs " + name));
      fresh.forEach(name -> System.out.println("seeds: runs, loaded afresh " + name));
      tests.steady().forEach(name -> System.out.println("seeds: does not draw " + name));
      tests.leftOut().forEach(name -> System.out.println("seeds: left out " + name));
      return true;
    }
    URL[] urls = new URL[own.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = own.get(i).toUri().toURL();
    }
    int failed = 0;
    for (long seed : seeds) {
      long began = System.nanoTime();
      Tally tally = new Tally(seed);
      System.setProperty(Seeds.PROPERTY, Long.toString(seed));
      Seeds.use(seed);
      run(warm, SeedRuns.class.getClassLoader(), tally);
      try (Afresh loader = new Afresh(urls)) {
        run(fresh, loader, tally);
      }
      failed += tally.failed > 0 ? 1 : 0;
      System.out.printf(
          "seeds: %d: %d passed, %d failed, %d s%n",
          seed, tally.passed, tally.failed, (System.nanoTime() - began) / 1_000_000_000);
    }
    System.out.printf("seeds: %d of %d failed%n", failed, seeds.size());
    return failed == 0;
  }

  private static void run(List<String> names, ClassLoader loader, Tally tally) {
    Thread.currentThread().setContextClassLoader(loader);
    LauncherConfig config =
        LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build();
    Launcher launcher = LauncherFactory.create(config);
    for (String name : names) {
      launcher.execute(request(name, loader), tally);
    }
  }

  private static LauncherDiscoveryRequest request(String name, ClassLoader loader) {
    try {
      return LauncherDiscoveryRequestBuilder.request()
          .selectors(selectClass(Class.forName(name, false, loader)))
          .filters(EngineFilter.includeEngines("junit-jupiter"), TagFilter.excludeTags("long"))
          .build();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Counts tests, and prints those that fail. */
  private static final class Tally implements TestExecutionListener {
    private final long seed;
    private int passed;
    private int failed;

    private Tally(long seed) {
      this.seed = seed;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() == TestExecutionResult.Status.FAILED) {
        failed++;
        String cause = result.getThrowable().map(Throwable::toString).orElse("");
        System.out.printf(
            "seeds: %d: failed: %s %s%n    %s%n",
            seed,
            test.getUniqueId().replaceFirst("^.*\\[class:", "["),
            test.getDisplayName(),
            cause.strip().replace("\n", "\n    "));
      } else if (test.isTest()) {
        passed++;
      }
    }
  }

  /** Finds the project's classes itself; libraries stay loaded, and compiled, from seed to seed. */
  private static final class Afresh extends URLClassLoader {
    private Afresh(URL[] urls) {
      super(urls, SeedRuns.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(DrawingTests.ROOT)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }
  }
}
