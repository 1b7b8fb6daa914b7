package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.foreign.hadoop.HadoopDynamicFilter;
import io.bloomery.foreign.hadoop.HadoopFormat;
import io.bloomery.foreign.registry.ForeignFormats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Formats that choose the same bits for every key convert into each other; no others do. */
final class SharedHashTest {

  private static final int BITS = 4096;
  private static final int KEYS = 200;

  /** One empty filter of each way to hash. */
  private static List<ForeignBloomFilter> filters() {
    List<ForeignBloomFilter> filters = new ArrayList<>();
    for (ForeignFormat<?> format : ForeignFormats.all()) {
      if (format.type() == ForeignBloomFilter.class && format.maker().isPresent()) {
        filters.add((ForeignBloomFilter) format.maker().get().create(100, 0.01));
      }
    }
    filters.add(GuavaFormat.of(GuavaFormat.Strategy.MURMUR128_MITZ_32, BITS, 3));
    filters.add(HadoopFormat.create(100, 0.01, HadoopFormat.Hash.JENKINS));
    filters.add(EthereumFormat.create());
    return filters;
  }

  @Test
  void schemesThatChooseTheSameBitsConvert() {
    Set<String> same = new TreeSet<>();
    Set<String> declared = new TreeSet<>();
    for (ForeignBloomFilter one : filters()) {
      for (ForeignBloomFilter two : filters()) {
        String pair = one.format() + " > " + two.format();
        if (one.format() != two.format() && alike(one.scheme(), two.scheme())) {
          same.add(pair);
        }
        if (one.format() != two.format() && one.as(two.format()).isPresent()) {
          declared.add(pair);
        }
      }
    }
    assertThat(same)
        .containsExactly("cassandra > cassandra-3", "cassandra-3 > cassandra")
        .isEqualTo(declared);
  }

  private static boolean alike(ForeignBloomFilter.Scheme one, ForeignBloomFilter.Scheme two) {
    int hashes = Math.min(one.hashesPerKey(), two.hashesPerKey());
    for (int i = 0; i < KEYS; i++) {
      byte[] key = ("key-" + i).getBytes(UTF_8);
      long[] first = new long[one.hashesPerKey()];
      long[] second = new long[two.hashesPerKey()];
      one.indexes(key, 0, key.length, BITS, first);
      two.indexes(key, 0, key.length, BITS, second);
      if (!Arrays.equals(first, 0, hashes, second, 0, hashes)) {
        return false;
      }
    }
    return true;
  }

  /** Of all files that other systems wrote, into every format. */
  @Test
  void everyConversionKeepsEveryAnswer() throws IOException {
    Set<String> done = new TreeSet<>();
    List<ForeignFormat<?>> targets = new ArrayList<>(ForeignFormats.all());
    IntStream.rangeClosed(1, 20).mapToObj(OrcFormat::bitset).forEach(targets::add);
    for (ForeignSubject subject : ForeignSubject.all().toList()) {
      ForeignFilter filter = subject.format().read(subject.bytes());
      for (ForeignFormat<?> target : targets) {
        var converted = filter.as(target);
        if (converted.isPresent()) {
          ForeignFilter again = target.read(written(converted.get()));
          assertThat(again.format()).isSameAs(target);
          assertThat(subject.present()).allMatch(again::mightContain);
          assertThat(subject.absent())
              .allMatch(key -> again.mightContain(key) == filter.mightContain(key));
          done.add(subject.format() + " > " + target);
        }
      }
    }
    assertThat(done)
        .containsExactlyInAnyOrder(
            "cassandra > cassandra-3",
            "cassandra-3 > cassandra",
            "hadoop-counting > hadoop-bloom",
            "orc > orc",
            "orc > orc:4");
  }

  @Test
  void bitSetsGetAMessageAndLoseIt() throws IOException {
    byte[] bits = ForeignSubject.resource("/foreign/orc/utf8bitset-5000-0.05.bin");
    byte[] message = ForeignSubject.resource("/foreign/orc/string-5000-0.05.utf8.pb");
    ForeignFilter bare = OrcFormat.bitset(4).read(bits);
    assertThat(written(bare.as(OrcFormat.FORMAT).orElseThrow())).isEqualTo(message);
    ForeignFilter whole = OrcFormat.FORMAT.read(message);
    assertThat(written(whole.as(OrcFormat.bitset(4)).orElseThrow())).isEqualTo(bits);
    assertThat(whole.as(OrcFormat.bitset(5))).isEmpty();
  }

  @Test
  void aDynamicFilterOfOneRowIsAPlainOne() throws IOException {
    AddableForeignFilter dynamic = HadoopDynamicFilter.create(500, 0.01, HadoopFormat.Hash.MURMUR);
    IntStream.range(0, 300).forEach(i -> dynamic.add("key-" + i));
    ForeignFilter plain = dynamic.as(HadoopFormat.FORMAT).orElseThrow();
    assertThat(HadoopFormat.FORMAT.read(written(plain)).mightContain("key-7")).isTrue();
    IntStream.range(0, 5_000)
        .forEach(
            i ->
                assertThat(plain.mightContain("key-" + i))
                    .isEqualTo(dynamic.mightContain("key-" + i)));
    IntStream.range(300, 900).forEach(i -> dynamic.add("key-" + i));
    assertThat(dynamic.as(HadoopFormat.FORMAT)).isEmpty();
  }

  private static byte[] written(ForeignFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }
}
