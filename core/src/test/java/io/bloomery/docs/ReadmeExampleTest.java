package io.bloomery.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testing.Keys;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's example, statement by statement. */
class ReadmeExampleTest {

  @TempDir Path directory;

  @Test
  void elevenLines() throws IOException {
    long[] hashes = Keys.members(1024);
    BlockedBloomFilter other = BlockedBloomFilter.create(1_000_000, 0.01);
    Path file = directory.resolve("seen.bloom");

    BlockedBloomFilter seen = BlockedBloomFilter.create(1_000_000, 0.01);
    assertThat(seen.add("https://example.org/")).isTrue();
    assertThat(seen.mightContain("https://example.com/")).isFalse();
    seen.writeTo(file);
    Filter again = Filters.map(file);
    long[] hits = new long[16];
    assertThat(seen.mightContainHashes(hashes, 0, 1024, hits)).isZero();
    seen.merge(other);
    Plan plan = Planner.standard().plan(Needs.forKeys(1_000_000, 0.001)).best();
    Filter planned = plan.create();

    assertThat(again.mightContain("https://example.org/")).isTrue();
    assertThat(planned).isInstanceOf(BlockedBloomFilter.class);
    assertThat(plan.why()).endsWith(".");
  }
}
