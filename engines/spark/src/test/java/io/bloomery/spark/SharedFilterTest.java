package io.bloomery.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.Storable;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.GuavaFormat;
import io.bloomery.membership.BlockedBloomFilter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.junit.jupiter.api.Test;
import scala.reflect.ClassTag$;

/** Filters travel whole, before and after they are opened. */
final class SharedFilterTest {

  private static final List<Serializer> SERIALIZERS =
      List.of(
          new JavaSerializer(new SparkConf(false)),
          new KryoSerializer(new SparkConf(false).set("spark.kryoserializer.buffer.max", "64m")));

  private static SharedFilter sent(SharedFilter filter, Serializer serializer) {
    var tag = ClassTag$.MODULE$.<SharedFilter>apply(SharedFilter.class);
    ByteBuffer bytes = serializer.newInstance().serialize(filter, tag);
    return serializer.newInstance().deserialize(bytes, tag);
  }

  @Test
  void filtersArriveAsTheyWereSent() {
    BlockedBloomFilter ours = BlockedBloomFilter.create(1_000, 0.01);
    ForeignBloomFilter theirs = GuavaFormat.create(1_000, 0.01);
    for (long i = 0; i < 1_000; i++) {
      ours.add(i);
      theirs.add(i);
    }
    for (Filter filter : List.of(ours, theirs)) {
      byte[] stored = SharedFilter.of(filter).bytes();
      for (Serializer serializer : SERIALIZERS) {
        SharedFilter first = sent(SharedFilter.of(filter), serializer);
        assertThat(first.bytes()).isEqualTo(stored);
        for (long i = 0; i < 3_000; i++) {
          assertThat(first.filter().mightContain(i)).isEqualTo(filter.mightContain(i));
        }
        // Once opened it no longer has its bytes and encodes them again; its format has a name.
        SharedFilter second = sent(first, serializer);
        assertThat(second.bytes()).isEqualTo(stored);
        assertThat(second.filter()).hasSameClassAs(filter);
      }
    }
  }

  @Test
  void theBytesAreLetGo() {
    SharedFilter shared = SharedFilter.of(BlockedBloomFilter.create(10, 0.01));
    assertThat(shared).extracting("bytes").isNotNull();
    assertThat(shared.bytes()).isSameAs(shared.bytes());
    assertThat(shared.filter()).isSameAs(shared.filter());
    assertThat(shared).extracting("bytes").isNull();
  }

  /** The golden files of all kinds, but for those that need a secret. */
  @Test
  void everyKindIsShared() throws IOException {
    List<Path> files;
    try (var all = Files.list(Path.of("../../core/src/test/resources/golden"))) {
      files = all.filter(file -> file.toString().endsWith(".bloom")).sorted().toList();
    }
    List<String> refused = new ArrayList<>();
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      SharedFilter shared;
      try {
        shared = SharedFilter.ofBytes(bytes);
      } catch (IOException | IllegalArgumentException e) {
        refused.add(file.getFileName() + ": " + e.getMessage());
        continue;
      }
      SharedFilter arrived = sent(shared, SERIALIZERS.get(1));
      assertThat(((Storable) arrived.filter()).sameContent((Storable) shared.filter()))
          .as(file.toString())
          .isTrue();
    }
    assertThat(files).hasSizeGreaterThan(100);
    assertThat(refused).isNotEmpty().allMatch(line -> line.contains("key"));
  }
}
