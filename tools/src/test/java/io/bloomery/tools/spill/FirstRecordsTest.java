package io.bloomery.tools.spill;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.spill.FirstRecords.Wanted;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FirstRecordsTest {

  @TempDir private Path directory;

  /** Adds a record: the key, alone or within other bytes, or elsewhere in the array. */
  private static void wait(FirstRecords records, String row, String key, long hash) {
    int at = row.indexOf(key);
    byte[] bytes = (at < 0 ? "<" + row + key : "<" + row).getBytes(ISO_8859_1);
    int keyStart = 1 + (at < 0 ? row.length() : at);
    records.addWaiting(bytes, 1, 1 + row.length(), keyStart, keyStart + key.length(), hash);
  }

  /**
   * Skewed keys, empty and long ones, against a set: in memory, in one level of partitions, in
   * several of one key each, and with hashes of few bits, so that few partitions are in use.
   */
  @ParameterizedTest
  @CsvSource({
    "10000000, 20000, 64, 0",
    "200000, 60000, 64, 100000",
    "90000, 60000, 64, 1000000",
    "90000, 20000, 8, 1000000",
    "90000, 2000, 1, 1000000"
  })
  void isASet(long memory, int additions, int hashBits, long leastSpilled) {
    for (Wanted wanted : Wanted.values()) {
      SplittableRandom random = Seeds.random(hashBits);
      Set<String> model = new HashSet<>();
      List<String> expected = new ArrayList<>();
      List<String> found = new ArrayList<>();
      long firsts = 0;
      try (FirstRecords records = new FirstRecords(memory, wanted, directory)) {
        for (int i = 0; i < additions; i++) {
          String key = key(random);
          long full = Hasher.xxh3().hash(key.getBytes(ISO_8859_1));
          long hash = hashBits == 64 ? full : full & (1L << hashBits) - 1;
          if (records.hasRoom(key.length())) {
            byte[] bytes = key.getBytes(ISO_8859_1);
            assertThat(records.add(bytes, 0, bytes.length, hash)).isEqualTo(model.add(key));
            continue;
          }
          String row = (random.nextBoolean() ? key : "") + random.nextInt(1000);
          if (random.nextInt(50) == 0) {
            records.addWanted(row.getBytes(ISO_8859_1), 0, row.length());
            expected.add(row);
            continue;
          }
          wait(records, row, key, hash);
          boolean isFirst = model.add(key);
          firsts += isFirst ? 1 : 0;
          if (wanted == (isFirst ? Wanted.FIRST : Wanted.REPEATED)) {
            expected.add(row);
          }
        }
        records.finish(
            (bytes, offset, length) -> found.add(new String(bytes, offset, length, ISO_8859_1)));
        assertThat(found).isEqualTo(expected);
        assertThat(records.firsts()).isEqualTo(firsts);
        assertThat(records.spilledBytes()).isGreaterThanOrEqualTo(leastSpilled);
        assertThat(records.firsts() == 0).isEqualTo(leastSpilled == 0);
        assertThat(records.memoryBytes()).isBetween(1L, memory);
      }
    }
  }

  private static String key(SplittableRandom random) {
    int kind = random.nextInt(20);
    if (kind == 0) {
      return "\0".repeat(random.nextInt(20));
    }
    String number = Integer.toString((int) Math.pow(random.nextDouble(), -1.2));
    return kind == 1 ? number.repeat(100) : number + ":" + random.nextInt(2000);
  }

  @Test
  void nothingIsWrittenIfNothingWaits() {
    try (FirstRecords records =
        new FirstRecords(100_000, Wanted.FIRST, directory.resolve("none"))) {
      assertThat(records.add(new byte[] {1}, 0, 1, 7)).isTrue();
      assertThat(records.add(new byte[] {1}, 0, 1, 7)).isFalse();
      records.finish((bytes, offset, length) -> assertThat(bytes).isEmpty());
      assertThat(records.spilledBytes()).isZero();
    }
  }
}
