package io.bloomery.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SpaceSpeedTest {

  private final Results results = new Results();

  private void add(Workload workload, int keys, String row, double bits, double nanos) {
    results.add(workload, keys, row, "bits", bits);
    results.add(workload, keys, row, "rate", workload.rate());
    results.add(workload, keys, row, Lane.Pass.MISS.figure(), nanos);
  }

  @Test
  void nothingIsDrawnOfOtherSizesAndOtherRates() {
    add(Workload.LONG, 10_000_000, Rows.BLOOM, 9.6, 20);
    assertThat(SpaceSpeed.draw(results)).isEmpty();
    add(Workload.LONG, Race.CACHED_KEYS, Rows.GUAVA, 9.6, 80);
    results.add(Workload.LONG, Race.CACHED_KEYS, "Parquet", "bits", 13.4);
    results.add(Workload.LONG, Race.CACHED_KEYS, "Parquet", "rate", 0.003);
    results.add(Workload.LONG, Race.CACHED_KEYS, "Parquet", Lane.Pass.MISS.figure(), 40);
    assertThat(SpaceSpeed.draw(results)).contains(">Guava<").doesNotContain("Parquet", ">Bloom<");
  }

  /** Points at one place have labels at several. */
  @Test
  void everyPointHasALabelOfItsOwn() {
    for (Row row : Race.select("^(long|static) ")) {
      if (row.origin() != Row.Origin.PHYSICAL) {
        add(row.workload(), Race.CACHED_KEYS, row.name(), 10, 20);
      }
    }
    String picture = SpaceSpeed.draw(results);
    assertThat(picture).contains(">Fuse 8<", ">fastfilter xor8<", ">Blocked 512<", ">SplitBlock<");
    assertThat(picture).startsWith("<svg ").endsWith("</svg>\n");
  }
}
