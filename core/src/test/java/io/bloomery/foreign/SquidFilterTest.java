package io.bloomery.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.testkit.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A cache digest that Squid sent, and the cache that it is of. */
final class SquidFilterTest {

  private static byte[] written(ForeignFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  @Test
  void theHeaderIsWhatSquidReports() {
    SquidFilter digest = BitcoinSubjects.squidDigest();
    Map<?, ?> facts = (Map<?, ?>) Json.resource("/foreign/squid/facts-a.json");
    assertThat((double) digest.capacity()).isEqualTo(facts.get("capacity"));
    assertThat((double) digest.keyCount()).isEqualTo(facts.get("count"));
    assertThat((double) digest.sizeInBits()).isEqualTo(facts.get("mask_bits"));
    assertThat(digest.falsePositiveRate()).isEqualTo(Math.pow(1849 / 3200.0, 4));
    assertThat(digest.fields()).containsEntry("bits per entry", 5).containsEntry("deletions", 0);
  }

  @Test
  void whatTheCacheHeldGivesTheSameBytes() throws IOException {
    SquidFilter digest = SquidFilter.create(640, 5);
    SquidFilter byKey = SquidFilter.create(640, 5);
    for (String[] entry : BitcoinSubjects.squidEntries()) {
      byte[] key = HexFormat.of().parseHex(entry[2]);
      assertThat(SquidFilter.storeKey(SquidFilter.GET, entry[1])).isEqualTo(key);
      digest.add(entry[1]);
      byKey.addKey(key);
    }
    assertThat(written(digest)).isEqualTo(written(BitcoinSubjects.squidDigest()));
    assertThat(written(byKey)).isEqualTo(written(digest));
  }

  @Test
  void absentUrlsMatchAsOftenAsSquidSays() {
    ForeignSubject subject =
        BitcoinSubjects.all().stream()
            .filter(each -> each.format() == SquidFilter.FORMAT)
            .findFirst()
            .orElseThrow();
    assertThat(subject.absent()).hasSize(5061);
    assertThat(subject.matching()).hasSize(580);
  }

  /** The worked example of the digest's description. */
  @Test
  void methodsAndKeys() {
    String url = "http://www.squid-cache.org/";
    byte[] key = SquidFilter.storeKey(SquidFilter.GET, url);
    assertThat(HexFormat.of().formatHex(key)).isEqualTo("69677c33244c8d776d1ed1210e07c120");
    SquidFilter digest = SquidFilter.create(1000, 5);
    assertThat(digest.sizeInBits()).isEqualTo(5000);
    assertThat(digest.mightContain(url)).isFalse();
    assertThat(digest.addKey(key)).isTrue();
    assertThat(digest.mightContain(url)).isTrue();
    assertThat(digest.mightContain(SquidFilter.GET, url)).isTrue();
    assertThat(digest.mightContain(2, url)).isFalse();
    assertThat(digest.mightContainKey(key)).isTrue();
    assertThat(digest.keyCount()).isEqualTo(1);
    assertThatThrownBy(() -> digest.mightContainKey(new byte[15]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("15 bytes");
    assertThatThrownBy(() -> digest.mightContain(256, url)).hasMessageContaining("method = 256");
    assertThatThrownBy(() -> SquidFilter.create(Integer.MAX_VALUE, 255))
        .hasMessageContaining("capacity in bytes");
  }

  @Test
  void sizesForARate() {
    ForeignFormat.Maker maker = SquidFilter.FORMAT.maker().orElseThrow();
    SquidFilter digest = (SquidFilter) maker.create(1000, 0.05);
    assertThat(digest.fields()).containsEntry("bits per entry", 7);
    for (long key = 0; key < 1000; key++) {
      digest.add(key);
    }
    assertThat(digest.falsePositiveRate()).isLessThan(0.05);
    assertThatThrownBy(() -> maker.create(1000, 1e-12)).hasMessageContaining("255 bits per entry");
  }

  @Test
  void digestsOfOtherSizesDoNotMerge() {
    SquidFilter digest = SquidFilter.create(1000, 5);
    assertThatThrownBy(() -> digest.merge(SquidFilter.create(5000, 1)))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("1000, 5 != 5000, 1");
  }

  @Test
  void headersThatContradictThemselves() throws IOException {
    byte[] sound = written(SquidFilter.create(16, 5));
    for (int at : List.of(1, 3, 4, 7, 8, 12, 16, 19, 20, 21, 22, 127)) {
      byte[] bytes = sound.clone();
      bytes[at] ^= (byte) 0x83;
      assertThatThrownBy(() -> SquidFilter.FORMAT.read(bytes))
          .as("byte %d", at)
          .isInstanceOf(FilterFormatException.class);
    }
  }
}
