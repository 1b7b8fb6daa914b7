package io.bloomery.foreign.hadoop;

import static io.bloomery.foreign.ForeignSubject.key;
import static io.bloomery.foreign.ForeignSubject.written;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.foreign.AddableForeignFilter;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.ForeignSubject;
import io.bloomery.foreign.GuavaSubjects;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.util.bloom.BloomFilter;
import org.apache.hadoop.util.bloom.CountingBloomFilter;
import org.apache.hadoop.util.bloom.DynamicBloomFilter;
import org.apache.hadoop.util.bloom.Filter;
import org.apache.hadoop.util.bloom.Key;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hadoop reads what we write and we read what Hadoop writes; both answer alike. */
final class HadoopFormatTest {

  private static final int KEYS = 2_000;

  @ParameterizedTest
  @EnumSource
  void bloomBothWays(HadoopFormat.Hash hash) throws IOException {
    ForeignBloomFilter ours = HadoopFormat.create(KEYS, 0.03, hash);
    BloomFilter theirs = read(new BloomFilter(), written(ours));
    fill(ours, theirs);
    compare(ours, theirs, read(new BloomFilter(), written(ours)));
  }

  @ParameterizedTest
  @EnumSource
  void countingBothWays(HadoopFormat.Hash hash) throws IOException {
    HadoopCountingFilter ours = HadoopCountingFilter.create(KEYS, 0.03, hash);
    CountingBloomFilter theirs = read(new CountingBloomFilter(), written(ours));
    fill(ours, theirs);
    compare(ours, theirs, read(new CountingBloomFilter(), written(ours)));
    for (int i = 0; i < KEYS; i += 2) {
      theirs.delete(new Key(key(i)));
      assertThat(ours.remove(key(i))).isTrue();
    }
    compare(ours, theirs, read(new CountingBloomFilter(), written(ours)));
  }

  @ParameterizedTest
  @EnumSource
  void dynamicBothWays(HadoopFormat.Hash hash) throws IOException {
    HadoopDynamicFilter ours = HadoopDynamicFilter.create(300, 0.03, hash);
    DynamicBloomFilter theirs = read(new DynamicBloomFilter(), written(ours));
    fill(ours, theirs);
    assertThat(ours.rows()).isEqualTo(7);
    compare(ours, theirs, read(new DynamicBloomFilter(), written(ours)));
  }

  private static void fill(AddableForeignFilter ours, Filter theirs) {
    for (int i = 0; i < KEYS; i++) {
      boolean before = theirs.membershipTest(new Key(key(i)));
      theirs.add(new Key(key(i)));
      assertThat(ours.add(key(i))).isEqualTo(!before);
    }
  }

  private static void compare(ForeignFilter ours, Filter theirs, Filter read) throws IOException {
    assertThat(written(ours)).isEqualTo(hadoops(theirs));
    for (int i = 0; i < 3 * KEYS; i++) {
      boolean maybe = ours.mightContain(key(i));
      assertThat(theirs.membershipTest(new Key(key(i)))).isEqualTo(maybe);
      assertThat(read.membershipTest(new Key(key(i)))).isEqualTo(maybe);
    }
  }

  @Test
  void countersStickAtTheirMost() throws IOException {
    HadoopCountingFilter ours = HadoopCountingFilter.create(10, 0.1, HadoopFormat.Hash.MURMUR);
    CountingBloomFilter theirs = read(new CountingBloomFilter(), written(ours));
    SplittableRandom draw = Seeds.random(4);
    for (int step = 0; step < 5_000; step++) {
      byte[] key = key(1 + draw.nextInt(30));
      if (draw.nextInt(5) < 2) {
        boolean there = theirs.membershipTest(new Key(key));
        if (there) {
          theirs.delete(new Key(key));
        }
        assertThat(ours.remove(key)).isEqualTo(there);
      } else {
        theirs.add(new Key(key));
        ours.add(key);
      }
    }
    assertThat(written(ours)).isEqualTo(hadoops(theirs));
  }

  @Test
  void mergedCountersAreSums() throws IOException {
    HadoopCountingFilter one = HadoopCountingFilter.create(100, 0.01, HadoopFormat.Hash.JENKINS);
    HadoopCountingFilter two = HadoopCountingFilter.create(100, 0.01, HadoopFormat.Hash.JENKINS);
    HadoopCountingFilter both = HadoopCountingFilter.create(100, 0.01, HadoopFormat.Hash.JENKINS);
    for (int i = 1; i < 400; i++) {
      (i % 3 == 0 ? one : two).add(i);
      both.add(i);
    }
    one.merge(two);
    assertThat(written(one)).isEqualTo(written(both));
    assertThatThrownBy(
            () -> one.merge(HadoopCountingFilter.create(100, 0.01, HadoopFormat.Hash.MURMUR)))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("MURMUR");
    assertThatThrownBy(
            () -> one.merge(HadoopCountingFilter.create(101, 0.01, HadoopFormat.Hash.JENKINS)))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("counters 959 != 969");
  }

  @Test
  void rowsMergeOneByOne() throws IOException {
    HadoopDynamicFilter one = HadoopDynamicFilter.create(50, 0.01, HadoopFormat.Hash.MURMUR);
    HadoopDynamicFilter two = HadoopDynamicFilter.create(50, 0.01, HadoopFormat.Hash.MURMUR);
    for (int i = 0; i < 120; i++) {
      one.add("a" + i);
      two.add("b" + i);
    }
    DynamicBloomFilter theirs = read(new DynamicBloomFilter(), written(one));
    theirs.or(read(new DynamicBloomFilter(), written(two)));
    one.merge(two);
    assertThat(written(one)).isEqualTo(hadoops(theirs));
    for (int i = 0; i < 50; i++) {
      two.add("c" + i);
    }
    assertThatThrownBy(() -> one.merge(two))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("rows 3 != 4");
  }

  /** Before version -1 a header began with the number of hashes, and the hash was Jenkins'. */
  @Test
  void oldHeadersAreReadAndKept(@TempDir Path directory) throws IOException {
    for (ForeignSubject subject : GuavaSubjects.all()) {
      if (subject.name().contains("jenkins")) {
        byte[] old = old(subject.bytes());
        BloomFilter theirs = read(new BloomFilter(), old);
        Path file = directory.resolve("old");
        Files.write(file, old);
        ForeignBloomFilter ours = (ForeignBloomFilter) ForeignFormats.open(file, "hadoop-bloom");
        assertThat(ours.fields()).containsEntry("header", "old");
        assertThat(written(ours)).isEqualTo(old);
        for (byte[] key : subject.absent()) {
          assertThat(ours.mightContain(key)).isEqualTo(theirs.membershipTest(new Key(key)));
        }
        ForeignBloomFilter present = HadoopFormat.FORMAT.read(subject.bytes());
        present.merge(ours);
        assertThat(written(present)).isEqualTo(subject.bytes());
      }
    }
  }

  @Test
  void oldHeadersOfCountersAndRows() throws IOException {
    HadoopCountingFilter counting = HadoopCountingFilter.create(50, 0.1, HadoopFormat.Hash.JENKINS);
    counting.add("key");
    byte[] old = old(written(counting));
    assertThat(written(HadoopCountingFilter.FORMAT.read(old))).isEqualTo(old);
    assertThat(read(new CountingBloomFilter(), old).membershipTest(new Key("key".getBytes(UTF_8))))
        .isTrue();

    HadoopDynamicFilter dynamic = HadoopDynamicFilter.create(50, 0.1, HadoopFormat.Hash.JENKINS);
    dynamic.add("key");
    byte[] bytes = written(dynamic);
    ByteArrayOutputStream rows = new ByteArrayOutputStream();
    rows.write(old(Arrays.copyOf(bytes, 25)));
    rows.write(old(Arrays.copyOfRange(bytes, 25, bytes.length)));
    HadoopDynamicFilter read = HadoopDynamicFilter.FORMAT.read(rows.toByteArray());
    assertThat(written(read)).isEqualTo(rows.toByteArray());
    assertThat(read.mightContain("key")).isTrue();
    assertThat(
            read(new DynamicBloomFilter(), rows.toByteArray())
                .membershipTest(new Key("key".getBytes(UTF_8))))
        .isTrue();
  }

  private static byte[] old(byte[] file) {
    ByteBuffer from = ByteBuffer.wrap(file).position(4);
    int probes = from.getInt();
    assertThat(from.get()).isZero();
    return ByteBuffer.allocate(file.length - 5).putInt(probes).put(from).array();
  }

  @Test
  void emptyKeysAreRefusedAsHadoopDoes() throws IOException {
    for (ForeignFormat<?> format :
        List.of(HadoopFormat.FORMAT, HadoopCountingFilter.FORMAT, HadoopDynamicFilter.FORMAT)) {
      AddableForeignFilter filter = format.maker().orElseThrow().create(10, 0.1);
      assertThatThrownBy(() -> filter.add(""))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(format.name());
      assertThat(filter.mightContain("")).isFalse();
    }
    BloomFilter theirs = new BloomFilter(100, 3, 1);
    assertThatThrownBy(() -> theirs.add(new Key(new byte[0])))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void sizesAreHudis() throws IOException {
    List<Long> sizes = new ArrayList<>();
    for (ForeignSubject subject : GuavaSubjects.all()) {
      if (subject.name().startsWith("hudi/simple")) {
        sizes.add((long) subject.bytes().length);
      }
    }
    assertThat(sizes)
        .containsExactly(
            HadoopFormat.create(10_000, 0.000001, HadoopFormat.Hash.MURMUR).storedBytes(),
            HadoopFormat.create(5_000, 0.000001, HadoopFormat.Hash.JENKINS).storedBytes());
  }

  @Test
  void bitsAfterTheLastAreRefused() throws IOException {
    byte[] bytes = written(HadoopFormat.create(10, 0.1, HadoopFormat.Hash.MURMUR));
    assertThat(HadoopFormat.FORMAT.read(bytes).sizeInBits()).isEqualTo(48);
    ByteBuffer.wrap(bytes).putInt(9, 47);
    bytes[bytes.length - 1] |= (byte) 0x80;
    assertThatThrownBy(() -> HadoopFormat.FORMAT.read(bytes))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("47");
  }

  private static <F extends Filter> F read(F filter, byte[] bytes) throws IOException {
    filter.readFields(new DataInputStream(new ByteArrayInputStream(bytes)));
    return filter;
  }

  private static byte[] hadoops(Filter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.write(new DataOutputStream(out));
    return out.toByteArray();
  }
}
