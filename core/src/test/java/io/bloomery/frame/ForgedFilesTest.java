package io.bloomery.frame;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.deletable.DLeftCountingFilter;
import io.bloomery.deletable.DLeftShape;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.CountMinShape;
import io.bloomery.frequency.SpectralFilter;
import io.bloomery.frequency.SpectralShape;
import io.bloomery.frozen.ExactZoneFilter;
import io.bloomery.frozen.PerfectHashFilter;
import io.bloomery.growing.ElasticFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.lookup.BankShape;
import io.bloomery.lookup.FilterBank;
import io.bloomery.membership.MemoryOptimizedFilter;
import io.bloomery.membership.MemoryOptimizedShape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files with right checksums whose words break a rule of their kind: {@code read}, {@code open} and
 * {@code verify} refuse them, and a mapped one still answers.
 */
final class ForgedFilesTest {

  private static final Hasher KEYED = Hasher.keyed("sixteen bytes!!!".getBytes(UTF_8));
  private static final long ALL = -1;
  private static final long HIGHEST = Long.MIN_VALUE;

  @TempDir private Path directory;

  /** A sound file whose words can be changed, with right checksums again. */
  private static final class Forgery {
    private final String name;
    private final byte[] frame;
    private final ByteBuffer bytes;
    private final String message;

    private Forgery(String name, Filter sound, String message) {
      this.name = name;
      this.frame = SampleFilters.bytes(sound);
      this.bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
      this.message = message;
    }

    static Forgery of(String kind, String message) {
      return new Forgery(kind, SampleFilters.of(Filters.kind(kind)), message);
    }

    private int sections() {
      return bytes.getShort(22);
    }

    private long sectionWords(int section) {
      return bytes.getLong(64 + 8 * section);
    }

    /** Puts a word of a section; negative numbers count from its end. */
    Forgery put(int section, int word, long value) {
      long at = word < 0 ? sectionWords(section) + word : word;
      for (int i = 0; i < section; i++) {
        at += sectionWords(i);
      }
      bytes.putLong((int) (bytes.getLong(32) + 8 * at), value);
      return this;
    }

    Forgery fill(long value) {
      for (int section = 0; section < sections(); section++) {
        for (int word = 0; word < sectionWords(section); word++) {
          put(section, word, value);
        }
      }
      return this;
    }

    /** Adds to a field; negative numbers count from the last. */
    Forgery add(int field, long by) {
      int[] offsets = FrameBuilder.valueOffsets(frame);
      int at = offsets[field < 0 ? offsets.length + field : field];
      bytes.putLong(at, bytes.getLong(at) + by);
      return this;
    }

    byte[] sealed() {
      return FrameBuilder.reseal(frame);
    }

    @Override
    public String toString() {
      return name + ": " + message;
    }
  }

  static List<Forgery> forgeries() {
    return List.of(
        Forgery.of("sorted-hashes", "not in ascending order").put(0, 0, ALL),
        Forgery.of("sorted-hashes", "beyond the 240").put(0, -1, HIGHEST),
        Forgery.of("hash-selection", "beyond the 24").put(1, -1, HIGHEST),
        new Forgery("fingerprints", fingerprints(), "beyond the 60").put(3, -1, HIGHEST),
        Forgery.of("memory-optimized", "lists of several buckets").put(1, 0, 1L << 32 | 1),
        Forgery.of("memory-optimized", "lists of several buckets").put(1, 0, 21),
        Forgery.of("memory-optimized", "lists of several buckets").put(2, 0, 1),
        Forgery.of("counting", "belong to none of its counters").put(0, 0, HIGHEST),
        Forgery.of("counting", "beyond its 230 counters").put(0, -1, HIGHEST),
        Forgery.of("d-left", "entries are named").add(-1, 1),
        Forgery.of("d-left", "belong to none").add(-1, -19).fill(0).put(0, 3, 4),
        Forgery.of("d-left", "belong to none").add(-1, -19).fill(0).put(0, 3, HIGHEST),
        new Forgery("d-left", smallDLeft(), "entries = 5").add(-1, 5),
        Forgery.of("prefix", "contradicts itself").put(0, 0, ALL),
        Forgery.of("secure-index", "bits beyond its last")
            .put(0, -1, ALL)
            .put(0, -2, ALL)
            .put(0, -3, ALL),
        Forgery.of("quotient", "contradict each other").fill(ALL),
        Forgery.of("elastic", "page 0 does not follow").put(0, 0, 1),
        Forgery.of("elastic", "contradicts itself").put(1, 1, ALL),
        entryBeforeTheFirstBucket(),
        Forgery.of("blocked-counting", "a counter of 0").put(1, -1, ALL),
        Forgery.of("multilayer", "the sum").add(-2, 1),
        Forgery.of("multilayer", "lies elsewhere").put(1, 0, ALL),
        Forgery.of("perfect-hash", "do not make the keys").put(1, 0, 1),
        Forgery.of("perfect-hash", "do not make the keys").put(0, 0, 0),
        new Forgery("sharded", shards(), "do not make the keys").put(2, 0, 1),
        Forgery.of("compressed-bloom", "bits = 1 is outside the allowed range 2 … 137438952384")
            .add(0, 1 - 159),
        Forgery.of("golomb-coded", "do not make 20 entries").put(0, -1, 1),
        Forgery.of("golomb-coded", "do not make 20 entries").put(1, -1, 1),
        new Forgery("count-min", counts(), "belong to none").put(0, 0, HIGHEST),
        new Forgery("spectral", spectral(), "belong to none").put(1, -1, ALL),
        Forgery.of("counting-bank", "not those of the counters").put(0, 0, 0),
        Forgery.of("block-digest", "beyond the 190").put(0, -1, HIGHEST),
        Forgery.of("block-digest", "1 hosts in 0 bytes").add(-2, 1),
        Forgery.of("hierarchical-digest", "label 0 does not fit").put(1, 0, ALL),
        Forgery.of("aggregate", "negative or too large").put(0, 1, -1),
        Forgery.of("aggregate", "negative or too large").put(0, 1, (1L << 36) + 1),
        Forgery.of("aggregate", "lacks the present one").add(-1, -2),
        Forgery.of("aggregate", "has other states").add(-1, 16),
        Forgery.of("aggregate", "state is 4").add(-3, 3),
        Forgery.of("aggregate", "version is -1").add(-2, -2),
        new Forgery("filter-bank", bank(), "beyond its last column").put(0, 1, HIGHEST));
  }

  /** An elastic page whose only entry precedes all buckets, as the 32 numbers say. */
  private static Forgery entryBeforeTheFirstBucket() {
    ElasticFilter filter = ElasticFilter.create(1, 0.5);
    filter.addHash(0);
    Forgery forgery = new Forgery("elastic", filter, "contradicts itself");
    for (int word = 1; word <= 8; word++) {
      forgery.put(1, word, 0x0001_0001_0001_0001L);
    }
    return forgery.put(1, 9, 1);
  }

  /** 168 cells, and four fingerprints. */
  private static Filter smallDLeft() {
    return DLeftCountingFilter.create(new DLeftShape(4, 2, 1, 1, 2));
  }

  private static Filter fingerprints() {
    MemoryOptimizedFilter filter =
        MemoryOptimizedFilter.create(new MemoryOptimizedShape(50, 2, 3, 20));
    for (long key = 0, items = 0; items < 20; key++) {
      items += filter.add(key) ? 1 : 0;
    }
    return filter;
  }

  private static Filter counts() {
    return CountMinFilter.create(new CountMinShape(3, 31, 64, false));
  }

  private static Filter spectral() {
    return SpectralFilter.create(
        new SpectralShape(2, 5, 64, SpectralShape.Method.RECURRING_MINIMUM));
  }

  private static Filter bank() {
    return FilterBank.create(new BankShape(70, 1, 31, 5));
  }

  private static Filter shards() {
    try {
      return PerfectHashFilter.builder()
          .heapKeys(20)
          .addHashes(new long[] {1, 2, 3, -1, -2, -3}, 0, 6)
          .buildSharded();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource("forgeries")
  void aBrokenRuleIsRefused(Forgery forgery) throws IOException {
    byte[] frame = forgery.sealed();
    Path file = Files.write(directory.resolve("forged.bloom"), frame);
    assertThatThrownBy(
            () ->
                Filters.read(
                    new ByteArrayInputStream(frame),
                    ReadOptions.defaults().withLimit(frame.length)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(forgery.message);
    assertThatThrownBy(() -> Filters.open(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(forgery.message);
    assertThatThrownBy(() -> Filters.verify(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(forgery.message);
    Filter mapped;
    try {
      mapped = Filters.map(file);
    } catch (FilterFormatException e) {
      assertThat(e).hasMessageContaining(forgery.message);
      return;
    }
    HostileFrame.ask(mapped); // any answer, but one that comes and is within its range
    for (long key = 0; key < 100; key++) {
      mapped.mightContain(key);
    }
  }

  /** A map would show a rate above 1. */
  @Test
  void moreEntriesThanTheirRange() throws IOException {
    byte[] frame = SampleFilters.bytes(SampleFilters.of(Filters.kind("golomb-coded")));
    ByteBuffer.wrap(frame)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(FrameBuilder.valueOffsets(frame)[1], 1);
    Path file = Files.write(directory.resolve("range.bloom"), FrameBuilder.reseal(frame));
    assertThatThrownBy(() -> Filters.map(file))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("20 entries are more than a range of 1");
  }

  /** All cells set, where two members set two remainders of each prime at most. */
  @Test
  void aForgedZoneIsNotListed() throws IOException {
    byte[] frame = SampleFilters.bytes(SampleFilters.of(Filters.kind("exact-zone")));
    ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
    int payload = (int) bytes.getLong(32);
    for (int i = 0; i < bytes.getLong(40) / 8 - 1; i++) {
      bytes.putLong(payload + 8 * i, ALL >>> 4); // within the cells of a word
    }
    int[] fields = FrameBuilder.valueOffsets(frame);
    bytes.putLong(fields[fields.length - 1], 2); // keys
    ExactZoneFilter filter =
        Filters.read(FrameBuilder.reseal(frame), ReadOptions.as(ExactZoneFilter.class));
    assertThat(filter.isExact()).isTrue();
    assertThatThrownBy(filter::list)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the cells are not those of");
  }

  /** A shard with a field that its kind does not have. */
  @Test
  void shardsHaveTheFieldsOfTheirKind() throws IOException {
    byte[] frame = SampleFilters.bytes(shards());
    String name = "each fingerprint bits";
    int at = new String(frame, ISO_8859_1).indexOf(name);
    frame[at + name.length() - 1] = 'z';
    byte[] sealed = FrameBuilder.reseal(frame);
    assertThatThrownBy(
            () ->
                Filters.read(
                    new ByteArrayInputStream(sealed),
                    ReadOptions.defaults().withLimit(sealed.length)))
        .hasMessageContaining("shard 0");
  }

  @Test
  void verifyKnowsTheRangesOfFields() throws IOException {
    byte[] frame = FrameBuilder.bloom().section(0, 0).build();
    Path file = Files.write(directory.resolve("probes.bloom"), frame);
    assertThat(Filters.verify(file).kind()).isEqualTo(Filters.kind("bloom"));
    ByteBuffer.wrap(frame)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(FrameBuilder.valueOffsets(frame)[1], 0);
    Files.write(file, FrameBuilder.reseal(frame));
    assertThatThrownBy(() -> Filters.verify(file)).hasMessageContaining("probes");
  }

  /** 16 GiB of bits that a file of 4 KiB claims to hold. */
  @Test
  void verifyTakesNoMemoryForCodedBits() throws IOException {
    byte[] frame = SampleFilters.bytes(SampleFilters.of(Filters.kind("compressed-bloom")));
    ByteBuffer.wrap(frame)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(FrameBuilder.valueOffsets(frame)[0], (1L << 37) - 1088);
    Path file = Files.write(directory.resolve("coded.bloom"), FrameBuilder.reseal(frame));
    assertThatThrownBy(() -> Filters.verify(file)).hasMessageContaining("the code is not that of");
  }

  @Test
  void verifyNeedsNoKey() throws IOException {
    for (var kind : Filters.kinds()) {
      Filter keyed = SampleFilters.of(kind, KEYED);
      Path file = Files.write(directory.resolve("keyed.bloom"), SampleFilters.bytes(keyed));
      assertThat(Filters.verify(file).kind()).isEqualTo(kind);
    }
  }
}
