package io.bloomery.tools.spill;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Seeds;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of runs: more than fit into a file, and into a file of such files. */
class SortedRunsTest {

  private static final int RECORD = Integer.BYTES + 2 * Long.BYTES + Integer.BYTES;

  @TempDir private Path directory;

  /** 20,000 runs of a key are merged by 128: a key is written in four files, the last one once. */
  @Test
  void aKeyIsWrittenOncePerLevel() {
    int keys = 20_000;
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      order.add(i);
    }
    Seeds.shuffle(order, 1);
    try (SortedRuns runs = new SortedRuns(directory, 1 << 16)) {
      for (int key : order) {
        runs.begin();
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(key / 2).array();
        runs.add(bytes, 0, bytes.length, 1, key);
        runs.finish();
      }
      List<String> read = new ArrayList<>();
      runs.forEach(
          (bytes, offset, length, count, first) ->
              read.add(
                  ByteBuffer.wrap(bytes, offset, length).getInt() + " " + count + " " + first));
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < keys / 2; i++) {
        expected.add(i + " 2 " + 2 * i);
      }
      assertThat(read).isEqualTo(expected);
      assertThat(runs.writtenBytes()).isBetween(2L * RECORD * keys, 4L * RECORD * keys);
    }
  }
}
