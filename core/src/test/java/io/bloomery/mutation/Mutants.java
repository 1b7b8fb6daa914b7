package io.bloomery.mutation;

import io.bloomery.mutation.Mutation.Operator;
import io.bloomery.mutation.Workshop.Fate;
import io.bloomery.mutation.Workshop.Verdict;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;

/**
 * Makes seeded errors in the library and reports which of them the tests detect. Run by {@code
 * bench/mutants}, which explains the options.
 */
final class Mutants {

  private static final Path SOURCES = Path.of("src", "main", "java");
  static final Path EQUIVALENTS = Path.of("src", "test", "resources", "mutants", "equivalent.tsv");
  private static final Pattern MUTATED =
      Pattern.compile(
          "io/bloomery/(internal|membership|deletable|growing|frozen|frequency|window|lookup|weighted"
              + "|similarity|secure|sync)/.*");
  private static final double NEEDED = 0.9;

  private int count = 200;
  private long seed = 1;
  private int limit = 30;
  private int jobs = Runtime.getRuntime().availableProcessors();
  private Pattern only = Pattern.compile("");

  private final Map<Path, String> texts = new HashMap<>();
  private int killed;
  private int survived;
  private int equivalent;
  private int judged;

  private Mutants() {}

  public static void main(String[] arguments) throws Exception {
    Mutants mutants = new Mutants();
    mutants.parse(arguments);
    System.exit(mutants.run() ? 0 : 1);
  }

  private void parse(String[] arguments) {
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      String value = arguments[i + 1];
      switch (arguments[i]) {
        case "--count" -> count = Integer.parseInt(value);
        case "--seed" -> seed = Long.parseLong(value);
        case "--limit" -> limit = Integer.parseInt(value);
        case "--jobs" -> jobs = Integer.parseInt(value);
        case "--only" -> only = Pattern.compile(value);
        default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
      }
    }
    if (arguments.length % 2 != 0) {
      throw new IllegalArgumentException(arguments[arguments.length - 1] + " needs a value");
    }
  }

  private boolean run() throws Exception {
    long began = System.nanoTime();
    Equivalents equivalents = new Equivalents(EQUIVALENTS);
    Deque<Mutation> open = draw();
    System.out.printf(
        "mutants: %d possible, %d are drawn with seed %d%n", open.size(), count, seed);
    TestChoice tests = new TestChoice();
    Workshop workshop = new Workshop(SOURCES, limit);
    ExecutorService pool = Executors.newFixedThreadPool(jobs);
    List<Future<?>> workers = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      workers.add(
          pool.submit(
              () -> {
                for (Mutation next = next(open); next != null; next = next(open)) {
                  judge(next, equivalents, tests, workshop);
                }
                return null;
              }));
    }
    for (Future<?> worker : workers) {
      worker.get();
    }
    pool.shutdown();
    double share = killed / Math.max(1.0, killed + survived);
    workshop
        .slowTests()
        .forEach(test -> System.out.println("mutants: left out, too slow: " + test));
    System.out.printf(
        Locale.ROOT,
        "mutants: %d killed, %d survived, %d equivalent: %.1f %% of the others killed, %.0f %% are"
            + " needed; %d s%n",
        killed,
        survived,
        equivalent,
        100 * share,
        100 * NEEDED,
        (System.nanoTime() - began) / 1_000_000_000);
    return share >= NEEDED;
  }

  /** All mutations in the order in which they are tried: the operators take turns. */
  private Deque<Mutation> draw() throws IOException {
    Map<Operator, List<Mutation>> groups = new TreeMap<>();
    for (Path file : Workshop.javaFiles(SOURCES)) {
      String name = file.toString().replace('\\', '/');
      if (MUTATED.matcher(name).matches() && only.matcher(name).find()) {
        texts.put(file, Files.readString(SOURCES.resolve(file)));
        for (Mutation mutation : Mutator.mutations(file, texts.get(file))) {
          groups.computeIfAbsent(mutation.operator(), key -> new ArrayList<>()).add(mutation);
        }
      }
    }
    SplittableRandom random = Seeds.random(seed);
    groups.values().forEach(group -> shuffle(group, random));
    Deque<Mutation> order = new ArrayDeque<>();
    for (int i = 0; !groups.isEmpty(); i++) {
      int turn = i;
      groups.values().removeIf(group -> group.size() <= turn);
      groups.values().forEach(group -> order.add(group.get(turn)));
    }
    return order;
  }

  private static void shuffle(List<Mutation> list, SplittableRandom random) {
    for (int i = list.size() - 1; i > 0; i--) {
      Collections.swap(list, i, random.nextInt(i + 1));
    }
  }

  private synchronized Mutation next(Deque<Mutation> open) {
    return judged++ < count ? open.poll() : null;
  }

  private void judge(
      Mutation mutation, Equivalents equivalents, TestChoice tests, Workshop workshop)
      throws IOException, InterruptedException {
    String source = texts.get(mutation.file());
    if (equivalents.contains(mutation.key(source))) {
      count(() -> equivalent++);
      return;
    }
    String type = mutation.file().toString().replaceAll("[/\\\\]", ".").replaceAll("\\.java$", "");
    Verdict verdict = workshop.judge(mutation, source, tests.of(type));
    switch (verdict.fate()) {
      case NOT_COMPILED -> count(() -> judged--); // another is drawn in its place
      case KILLED -> count(() -> killed++);
      case SURVIVED -> count(() -> survived++);
    }
    if (verdict.fate() != Fate.NOT_COMPILED) {
      System.out.printf(
          "mutants: %-8s %s %s:%d%n    %s%n    %s%n%s",
          verdict.fate().name().toLowerCase(Locale.ROOT),
          mutation.operator().name().toLowerCase(Locale.ROOT),
          mutation.file(),
          mutation.line(source),
          mutation.before(source),
          mutation.after(source),
          verdict.reason().isEmpty() ? "" : "    " + verdict.reason() + "\n");
    }
  }

  private synchronized void count(Runnable change) {
    change.run();
  }
}
