package io.bloomery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.FilterKind;
import io.bloomery.Filters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Command line, tools, engines and planner use only what kinds state about filters and what
 * capability interfaces offer. They name a filter class only where they create or open filters of
 * that class themselves.
 */
class LeavesTest {

  private static final Path ROOT = Path.of("..");

  private static final List<Path> MODULES =
      List.of(
          ROOT.resolve("cli/src/main/java"),
          ROOT.resolve("tools/src/main/java"),
          ROOT.resolve("engines/spark/src/main/java"),
          ROOT.resolve("engines/kafka/src/main/java"),
          ROOT.resolve("core/src/main/java/io/bloomery/plan"));

  /** The classes built on particular filters. */
  private static final Map<String, Set<String>> MADE_OF =
      Map.ofEntries(
          Map.entry("JoinRun", Set.of("BlockedBloomFilter")), // the keys of one side
          Map.entry("DiffRun", Set.of("BlockedBloomFilter")), // the keys of one side
          Map.entry("Confirmation", Set.of("BlockedBloomFilter")), // the keys that were found
          Map.entry("SideKeys", Set.of("BlockedBloomFilter")), // the keys of one side
          Map.entry("FilterSeen", Set.of("ScalableBloomFilter")), // keys seen so far
          Map.entry("ExactSeen", Set.of("ScalableBloomFilter")), // keys seen so far
          Map.entry("StackedFilters", Set.of("ScalableBloomFilter")), // filters of several sizes
          Map.entry("RecentSeen", Set.of("RecentFilter")), // keys seen lately
          Map.entry("Bucket", Set.of("RecentFilter")), // keys seen lately
          Map.entry("RecentStore", Set.of("RecentFilter")), // keys seen lately
          Map.entry("Turns", Set.of("RecentFilter")), // when its layers turn
          Map.entry("SketchOptions", Set.of("CountMinFilter")), // the options of its size
          Map.entry("TopCommand", Set.of("CountMinFilter")), // beside the largest counts
          Map.entry("ShardBatches", Set.of("ShardedFilter")), // which shard a key is in
          Map.entry("ShardedFiles", Set.of("ShardedFilter")), // all shards
          Map.entry("SecureIndexCommand", Set.of("SecureIndex")), // its own file
          Map.entry(
              "Conversion", // exact conversions, which are methods of these classes
              Set.of(
                  "BloomFilter",
                  "CompressedBloomFilter",
                  "CountingBloomFilter",
                  "DeletableBloomFilter",
                  "GolombCodedSet",
                  "MultilayerCountingFilter")),
          // A branch for the default kind, so that it is inlined (decision 034, contains in Spark).
          Map.entry("ContainsFunction", Set.of("BlockedBloomFilter")));

  /** The one class that checks the type of a filter, for speed only. */
  private static final String FAST_PATH = "ContainsFunction";

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path module : MODULES) {
      try (Stream<Path> files = Files.walk(module)) {
        files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(sources::add);
      }
    }
    return sources;
  }

  /** The source without its documentation, which may link to any class. */
  private static String code(Path source) throws IOException {
    return Files.readAllLines(source).stream()
        .filter(line -> !line.stripLeading().matches("(?:/\\*)?\\*.*"))
        .collect(Collectors.joining("\n"));
  }

  private static String name(Path source) {
    return source.getFileName().toString().replace(".java", "");
  }

  private static boolean names(String text, Class<?> leaf) {
    return text.contains(leaf.getName())
        && Pattern.compile("\\b" + Pattern.quote(leaf.getName()) + "\\b").matcher(text).find();
  }

  @Test
  void filterClassesAreNamedOnlyByClassesBuiltOnThem() throws IOException {
    Map<String, Set<String>> named = new TreeMap<>();
    for (Path source : sources()) {
      String text = code(source);
      for (FilterKind<?> kind : Filters.kinds()) {
        if (names(text, kind.type())) {
          named
              .computeIfAbsent(name(source), file -> new TreeSet<>())
              .add(kind.type().getSimpleName());
        }
      }
    }
    assertThat(named).isEqualTo(new TreeMap<>(MADE_OF));
  }

  @Test
  void filtersAreNotTestedForTheirClass() throws IOException {
    List<String> asking = new ArrayList<>();
    for (Path source : sources()) {
      String text = code(source);
      for (FilterKind<?> kind : Filters.kinds()) {
        String leaf = kind.type().getSimpleName();
        Pattern question =
            Pattern.compile("\\binstanceof " + leaf + "\\b|\\b" + leaf + "\\.class\\.is");
        if (names(text, kind.type())
            && question.matcher(text).find()
            && !name(source).equals(FAST_PATH)) {
          asking.add(source + ": " + leaf);
        }
      }
    }
    assertThat(asking).isEmpty();
  }
}
