package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.foreign.hash.CassandraMurmur3;
import io.bloomery.foreign.hash.Murmur3;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cassandra's filters, against files and values of cassandra-all 4.1.5 and 3.11.17. */
final class CassandraFormatTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "cassandra, 4.1-3000-0.01.db",
    "cassandra-3, 3.11-3000-0.01.db",
    "cassandra-2, 2-3000-0.01.db"
  })
  void sameKeysGiveTheBytesOfCassandra(String format, String file) throws IOException {
    AddableForeignFilter filter =
        ForeignFormats.named(format).maker().orElseThrow().create(3_000, 0.01);
    for (int i = 0; i < 3_000; i++) {
      if (i % 2 == 0) {
        filter.add("key-" + i);
      } else {
        filter.add(RedisSubjects.number(i));
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    assertThat(out.toByteArray()).isEqualTo(ForeignSubject.resource("/foreign/cassandra/" + file));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.1, 3, 64",
    "1, 0.01, 5, 64",
    "1, 0.001, 7, 64",
    "1, 0.0001, 10, 64",
    "10, 0.1, 3, 128",
    "10, 0.01, 5, 128",
    "10, 0.001, 7, 192",
    "10, 0.0001, 10, 256",
    "1000, 0.1, 3, 5056",
    "1000, 0.01, 5, 10048",
    "1000, 0.001, 7, 15040",
    "1000, 0.0001, 10, 20032",
    "100000, 0.1, 3, 500032",
    "100000, 0.01, 5, 1000064",
    "100000, 0.001, 7, 1500032",
    "100000, 0.0001, 10, 2000064"
  })
  void sizesAreThoseOfCassandra(long keys, double rate, int probes, long bits) {
    ForeignBloomFilter filter = CassandraFormat.create(keys, rate);
    assertThat(filter.hashesPerKey()).isEqualTo(probes);
    assertThat(filter.sizeInBits()).isEqualTo(bits);
  }

  @Test
  void hashDiffersFromMurmur3OnlyInHighBytesAfterTheLastBlock() {
    byte[] high = {(byte) 200, (byte) 255, 3};
    assertThat(CassandraMurmur3.hash128(high, 0, 3))
        .containsExactly(0x60c966e58f3147a9L, 0xdcb1ffbc68e5633cL)
        .isNotEqualTo(Murmur3.hash128(high, 0, 3, 0));
    assertThat(CassandraMurmur3.hash128("hello".getBytes(UTF_8), 0, 5))
        .containsExactly(0xcbd8a7b341bd9b02L, 0x5b1e906a48ae1d19L);
    SplittableRandom draw = Seeds.random(31);
    for (int length = 0; length < 100; length++) {
      byte[] bytes = new byte[length + 3];
      draw.nextBytes(bytes);
      for (int i = length & -16; i < length; i++) {
        bytes[3 + i] &= 127;
      }
      assertThat(CassandraMurmur3.hash128(bytes, 3, length))
          .isEqualTo(Murmur3.hash128(bytes, 3, length, 0));
    }
  }

  @Test
  void contentDoesNotTellTheVersions() throws IOException {
    Path file = directory.resolve("na-1-big-Filter.db");
    Files.write(file, ForeignSubject.resource("/foreign/cassandra/4.1-3000-0.01.db"));
    assertThatThrownBy(() -> Filters.open(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("could be cassandra or cassandra-3 or cassandra-2");
  }

  @Test
  void ratesThatCassandraDoesNotReachAreRefused() {
    assertThatThrownBy(() -> CassandraFormat.create(10, 1e-5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("20 bits per key");
    assertThatThrownBy(() -> CassandraFormat.create(0, 0.1)).hasMessageContaining("expectedKeys");
    assertThat(CassandraFormat.create(10, 0.9).hashesPerKey()).isEqualTo(1);
  }
}
