package io.bloomery.find.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Seeds;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExtentsTest {

  @Test
  void eachByteCountsOnce() {
    for (int round = 0; round < 100; round++) {
      SplittableRandom random = Seeds.random(round);
      Extents extents = new Extents();
      BitSet model = new BitSet();
      for (int i = 0; i < 100; i++) {
        int from = random.nextInt(500);
        int to = from + random.nextInt(30);
        int before = model.cardinality();
        model.set(from, to);
        assertThat(extents.add(from, to)).isEqualTo(model.cardinality() - before);
      }
    }
  }
}
