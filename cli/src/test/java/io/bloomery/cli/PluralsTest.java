package io.bloomery.cli;

import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One thing is one thing: "1 key", never "1 keys". */
class PluralsTest {

  private static final String LINES =
      """
      build KEY -o OUT
      build KEY -o OUT -f --format guava
      build KEY -o COUNTING --kind counting
      build KEY -o BLOCK --kind blocked-64
      merge BLOCK -o ONE
      merge --layers BLOCK -o LAYER
      info OUT
      info COUNTING
      verify COUNTING --present KEY
      check COUNTING KEY
      add COUNTING KEY
      remove COUNTING KEY
      merge COUNTING COUNTING -o MERGED
      intersect COUNTING COUNTING -o COMMON
      dedup KEY
      dedup KEY --state STATE
      count KEY -o COUNTS
      count KEY --total
      top KEY
      top KEY -l 1 --keep 1 --memory 1k
      diff KEY KEY
      diff KEY NONE
      join KEY KEY --on 1 --no-header
      index KEY -o INDEX
      find a INDEX
      sample --by key KEY 99%
      plan -n 1
      plot fill -n 1 --kind bloom --width 60
      """;

  @TempDir private Path directory;

  @Test
  void oneThingIsNoPlural() throws Exception {
    Files.writeString(directory.resolve("KEY"), "a\n");
    Files.createFile(directory.resolve("NONE"));
    for (String line : LINES.lines().toList()) {
      Object[] words =
          Arrays.stream(line.split(" "))
              .map(word -> word.matches("[A-Z]{3,}") ? directory.resolve(word).toString() : word)
              .toArray();
      Bloom.Run run = bloomWith("", words);
      assertThat(run.out() + run.err())
          .as(line)
          .doesNotContainPattern(
              "(?<![0-9.,^…] ?)\\b1 (distinct |empty |other"
                  + " )?(keys|lines|rows|files|filters|blocks|times|bytes|bits|words|hashes|counters|documents|pages|layers)\\b");
    }
  }
}
