package io.bloomery.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.XorSingleHeaderFilter.Kind;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.fastfilter.xor.Xor8;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Filters of the C library xor_singleheader. */
final class XorSingleHeaderFilterTest {

  @ParameterizedTest
  @EnumSource
  void builtFiltersHoldTheirKeysAndErrAsTheyShould(Kind kind) throws IOException {
    long[] keys = Seeds.random(21).longs(100_000).toArray();
    XorSingleHeaderFilter filter = XorSingleHeaderFilter.ofKeys(kind, keys);
    XorSingleHeaderFilter again = kind.format().read(written(filter));
    assertThat(Arrays.stream(keys)).allMatch(filter::mightContain).allMatch(again::mightContain);
    int trials = kind == Kind.FUSE16 ? 2_000_000 : 500_000;
    long hits = Seeds.random(22).longs(trials).filter(again::mightContain).count();
    Rates.assertRate(hits, trials, filter.falsePositiveRate(), 5);
  }

  @ParameterizedTest
  @EnumSource
  void everySmallNumberOfKeysWorks(Kind kind) {
    for (int count = 0; count < 200; count++) {
      long[] keys = LongStream.range(0, count).toArray();
      XorSingleHeaderFilter filter = XorSingleHeaderFilter.ofKeys(kind, keys);
      assertThat(Arrays.stream(keys)).as("%d keys", count).allMatch(filter::mightContain);
    }
  }

  @Test
  void duplicatesCountOnce() {
    long[] keys = new long[1_000];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = i % 100;
    }
    XorSingleHeaderFilter filter = XorSingleHeaderFilter.ofKeys(Kind.FUSE8, keys);
    assertThat(filter.fields()).containsEntry("keys", 100L);
    assertThat(LongStream.range(0, 100)).allMatch(filter::mightContain);
  }

  @ParameterizedTest
  @EnumSource
  void seedAndShapeAreThoseOfTheLibrary(Kind kind) throws IOException {
    String file = kind == Kind.XOR8 ? "xor8" : kind == Kind.FUSE8 ? "fuse8" : "fuse16";
    byte[] theirs = ForeignSubject.resource("/foreign/xor/" + file + "-1000.bin");
    long[] keys = LongStream.range(0, 1_000).map(i -> RedisSubjects.number((int) i)).toArray();
    byte[] ours = written(XorSingleHeaderFilter.ofKeys(kind, keys));
    int header = kind == Kind.XOR8 ? 16 : 28;
    assertThat(Arrays.copyOf(ours, header)).isEqualTo(Arrays.copyOf(theirs, header));
    assertThat(ours).hasSameSizeAs(theirs);
  }

  @Test
  void javaLibraryOfTheSameAuthorsHasOtherTables() {
    long[] keys = Seeds.random(23).longs(10_000).toArray();
    Xor8 theirs = Xor8.construct(keys);
    XorSingleHeaderFilter ours = XorSingleHeaderFilter.ofKeys(Kind.XOR8, keys);
    assertThat(Arrays.stream(keys)).allMatch(theirs::mayContain).allMatch(ours::mightContain);
    long differing =
        Seeds.random(24)
            .longs(100_000)
            .filter(key -> theirs.mayContain(key) != ours.mightContain(key))
            .count();
    assertThat(differing).isGreaterThan(500);
  }

  @Test
  void keysThatAreNoNumbersAreRefused() {
    XorSingleHeaderFilter filter = XorSingleHeaderFilter.ofKeys(Kind.XOR8, 1, 2, 3);
    assertThatThrownBy(() -> filter.mightContain("hello"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5 bytes")
        .hasMessageContaining("hash the key");
    assertThat(filter.mightContain(new byte[] {9, 2, 0, 0, 0, 0, 0, 0, 0}, 1, 8)).isTrue();
  }

  @Test
  void headersThatDoNotFitAreRefused() {
    byte[] bytes = ForeignSubject.resource("/foreign/xor/fuse8-1000.bin").clone();
    bytes[12] = 0x7f; // a segment of 127 cells, as in files without the number of keys
    assertThatThrownBy(() -> XorSingleHeaderFilter.FORMAT_FUSE8.read(bytes))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("127");
    assertThatThrownBy(() -> XorSingleHeaderFilter.FORMAT_XOR8.read(new byte[16]))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("length of a block");
  }

  private static byte[] written(ForeignFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }
}
