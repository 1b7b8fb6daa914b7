package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every bit of every section of a sample of each kind is set, one at a time, with right checksums:
 * a reader accepts those that mean something and no others.
 */
final class SpareBitsTest {

  /**
   * For each section of the sample of each kind, bits that may be set of those that are stored. So
   * a Bloom filter of 230 bits has 26 spare bits in its last word, and 40 slots of 7 bits in a
   * cuckoo filter of 10 buckets leave 104. Fewer may be set where one bit contradicts others.
   */
  private static final String USABLE =
      """
      adaptive: 250/256
      aggregate: 144/256 600/640 600/640 600/640 150/192 150/192 150/192
      aging: 150/192 150/192
      attenuated: 275/320
      best-of: 210/256
      block-digest: 190/192
      blocked: 256/256
      blocked-counting: 256/256 190/512
      bloom: 230/256
      bloom-alpha: 320/320
      bloom-alpha-72: 360/384
      bloom-g: 384/384
      bloom-g-32: 288/320
      bloom-g-72: 216/256
      bloom-powers: 256/256
      bloom-quadratic: 230/256
      bloom-slices: 230/256
      bloomier: 456/512 82/192
      bloomier-cascade: 69/192 184/1152 30/64 30/64 30/64 64/64
      bloomier-ribbon: 512/512 123/192
      cascade: 460/1920 83/128 31/64 14/64 18/64 8/64 8/64 8/64 8/64 8/64 8/64
      combinatorial: 300/320
      compact-approximator: 650/704
      compressed-bloom: 71/192
      compressed-bloom-powers: 84/192
      count-min: 2976/3008
      counter-braids: 450/512 360/384
      counting: 690/704
      counting-bank: 134/256 536/1024
      counting-bloom-g: 512/512
      counting-powers: 1024/1024
      cuckoo: 280/384
      d-left: 171/512
      d-left-fingerprint: 248/256
      decaying: 750/832
      deletable: 230/256 40/64
      deletable-powers: 256/256 40/64
      direct: 150/192
      distance-sensitive: 185/192
      distance-sensitive-custom: 230/256
      distance-sensitive-jaccard: 270/320
      double-buffered: 200/256 200/256
      dyadic: 900/960
      dynamic: 210/256 210/256 210/256
      elastic: 0/64 203/1792
      elastic-grown: 13/256 8665/14720
      encrypted: 230/256
      encrypted-prf: 230/256
      exact-zone: 3195/3456
      exponential-decay: 700/704
      filter-bank: 217/256
      fuse: 432/512
      generalized: 2000/2048
      golomb-coded: 100/192 4/128
      grafite: 134/192 20/64 0/64 0/64
      hash-selection: 200/256 24/64
      hierarchical-digest: 640/640 137/256
      hierarchical-digest-levels: 125/128 60/64 30/64 15/64
      invertible: 1158/9216
      invertible-values: 1455/12672
      layered: 230/256 100/128 64/64
      memory-optimized: 150/192 41/4800 1/640 1280/1280
      memory-optimized-fingerprints: 50/64 35/1600 7/640 60/64
      memory-optimized-literal: 150/192 0/0 0/0 0/0
      molecule: 256/256
      multilayer: 77/1216 7/128 3/192
      multilayer-powers: 86/256 3/64 14/128
      mutable-bloomier: 384/384 240/256
      novelty: 610/1920
      oblivious: 230/256 258/320
      one-word-counting: 640/640
      one-word-counting-32: 608/640
      one-word-counting-72: 504/512
      perfect-hash: 83/128 0/64 120/128
      popularity: 230/256 315/512 144/192
      popularity-powers: 256/256 315/512 144/192
      prefix: 219/384 72/192
      quotient: 166/512
      recent: 1024/1024
      reconciliation-tree: 100/128 90/128
      removed-pair: 210/256 130/192
      retouched: 230/256
      retouched-powers: 256/256
      ribbon: 6080/6080
      scalable: 291/1344 42/64 78/128 144/192
      scalable-steps: 98/448 512/512
      secure-index: 950/960 640/640 329/576
      sharded: 1567/6144 96/192 96/192 96/192 96/192 96/192 192/256 96/192 96/192 96/192 96/192 \
      192/256 96/192 96/192 96/192 192/256 96/192
      sorted-hashes: 203/256
      space-code: 500/512 500/512
      spatial: 390/448
      spectral: 1600/1600 832/832 400/448
      split: 70/128 70/128 70/128
      split-block: 256/256
      stable: 360/384
      striped: 250/256
      superimposed: 200/320
      time-decaying: 6400/6400 6400/6400
      two-choice: 250/256
      two-choice-3: 250/256
      variable-increment: 690/768
      variable-signature: 300/320
      weighted: 230/256 120/128
      weighted-powers: 256/256 120/128
      xor: 432/512
      """;

  static List<String> rows() {
    return USABLE.lines().toList();
  }

  @Test
  void everyKindHasARow() {
    Set<String> names = new TreeSet<>(SampleFilters.otherLayouts().keySet());
    Filters.kinds().forEach(kind -> names.add(kind.name()));
    assertThat(rows().stream().map(row -> row.replaceFirst(":.*", "")))
        .containsExactlyElementsOf(names);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void noBitIsSetThatMeansNothing(String row) throws IOException {
    String name = row.replaceFirst(":.*", "");
    Filter other = SampleFilters.otherLayouts().get(name);
    Filter sample = other != null ? other : SampleFilters.of(Filters.kind(name));
    assertThat(name + ": " + usable(sample)).isEqualTo(row);
  }

  /** For each section how many of its bits are set or may be. */
  private static String usable(Filter filter) throws IOException {
    byte[] frame = SampleFilters.bytes(filter);
    ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
    int at = (int) bytes.getLong(32);
    List<String> sections = new ArrayList<>();
    for (int section = 0; section < bytes.getShort(22); section++) {
      long words = bytes.getLong(64 + 8 * section);
      int usable = 0;
      for (long bit = 0; bit < 64 * words; bit++) {
        usable += isUsable(frame, at, (int) bit) ? 1 : 0;
      }
      at += (int) (8 * words);
      sections.add(usable + "/" + 64 * words);
    }
    return String.join(" ", sections);
  }

  private static boolean isUsable(byte[] frame, int at, int bit) throws IOException {
    int mask = 1 << (bit & 7);
    if ((frame[at + (bit >>> 3)] & mask) != 0) {
      return true;
    }
    byte[] forged = frame.clone();
    forged[at + (bit >>> 3)] |= (byte) mask;
    byte[] sealed = FrameBuilder.reseal(forged);
    try {
      Filters.read(
          new ByteArrayInputStream(sealed), ReadOptions.defaults().withLimit(sealed.length));
      return true;
    } catch (FilterFormatException e) {
      return false;
    }
  }
}
