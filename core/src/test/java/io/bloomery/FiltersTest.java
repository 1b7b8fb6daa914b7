package io.bloomery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The entry point: the list of kinds, typed opening, arguments. */
class FiltersTest {

  @TempDir Path directory;

  /** Wire numbers and names, once given, never change and are never given again. */
  @Test
  void numbersAndNamesOfAllKinds() {
    assertThat(Filters.kinds())
        .map(FilterKind::toString)
        .containsExactly(
            "bloom (1)",
            "blocked (2)",
            "split-block (3)",
            "bloom-g (4)",
            "bloom-alpha (5)",
            "two-choice (6)",
            "striped (7)",
            "direct (8)",
            "sorted-hashes (9)",
            "hash-selection (10)",
            "best-of (11)",
            "removed-pair (12)",
            "memory-optimized (13)",
            "counting (14)",
            "one-word-counting (15)",
            "variable-increment (16)",
            "multilayer (17)",
            "d-left (18)",
            "deletable (19)",
            "cuckoo (20)",
            "quotient (21)",
            "blocked-counting (23)",
            "scalable (24)",
            "dynamic (25)",
            "split (26)",
            "spectral (27)",
            "count-min (28)",
            "space-code (29)",
            "adaptive (30)",
            "layered (31)",
            "counter-braids (32)",
            "stable (33)",
            "decaying (34)",
            "aging (35)",
            "double-buffered (36)",
            "time-decaying (37)",
            "exponential-decay (38)",
            "recent (39)",
            "fuse (40)",
            "xor (41)",
            "ribbon (42)",
            "perfect-hash (43)",
            "golomb-coded (44)",
            "compressed-bloom (45)",
            "cascade (46)",
            "exact-zone (47)",
            "bloomier (48)",
            "mutable-bloomier (49)",
            "bloomier-cascade (50)",
            "filter-bank (51)",
            "spatial (52)",
            "combinatorial (53)",
            "compact-approximator (54)",
            "attenuated (55)",
            "sharded (56)",
            "counting-bank (57)",
            "retouched (58)",
            "generalized (59)",
            "weighted (60)",
            "popularity (61)",
            "variable-signature (62)",
            "distance-sensitive (63)",
            "block-digest (64)",
            "hierarchical-digest (65)",
            "molecule (66)",
            "novelty (67)",
            "superimposed (68)",
            "prefix (69)",
            "d-left-fingerprint (70)",
            "counting-bloom-g (71)",
            "secure-index (77)",
            "encrypted (78)",
            "oblivious (79)",
            "invertible (80)",
            "reconciliation-tree (82)",
            "aggregate (85)",
            "elastic (91)",
            "grafite (92)",
            "dyadic (93)");
    assertThat(Filters.kinds()).map(FilterKind::id).isSorted().doesNotHaveDuplicates();
    assertThat(Filters.kinds()).map(FilterKind::name).doesNotHaveDuplicates();
  }

  @Test
  void everyKindIsFoundByNumberAndByName() {
    for (FilterKind<?> kind : Filters.kinds()) {
      assertThat(Filters.kind(kind.id())).isSameAs(kind);
      assertThat(Filters.kind(kind.name())).isSameAs(kind);
      assertThat(kind.name()).matches("[a-z]+(-[a-z]+)*");
    }
    assertThatThrownBy(() -> Filters.kind("blom"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"blom\"")
        .hasMessageContaining("bloom (1)");
    assertThatThrownBy(() -> Filters.kind(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bloom (1)");
  }

  @Test
  void everyKindHasASampleOfItsClass() {
    for (FilterKind<?> kind : Filters.kinds()) {
      Filter sample = SampleFilters.of(kind);
      assertThat(sample).isExactlyInstanceOf(kind.type());
      assertThat(((Storable) sample).kind()).isSameAs(kind);
    }
  }

  @Test
  void theListOfKindsCannotBeChanged() {
    assertThatThrownBy(() -> Filters.kinds().remove(0))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void opensAsAType() throws IOException {
    Path file = directory.resolve("typed.bloom");
    BloomFilter filter = BloomFilter.create(BloomShape.of(1000, 3));
    filter.writeTo(file);

    AddableFilter addable = Filters.open(file, ReadOptions.as(AddableFilter.class));
    addable.add("key");
    assertThat(addable.mightContain("key")).isTrue();
    BloomFilter mapped = Filters.map(file, ReadOptions.as(BloomFilter.class));
    assertThat(mapped.mightContain("key")).isFalse();

    for (var call :
        List.<ThrowingCallable>of(
            () -> Filters.open(file, ReadOptions.as(RemovableFilter.class)),
            () -> Filters.map(file, ReadOptions.as(RemovableFilter.class)))) {
      assertThatThrownBy(call)
          .isInstanceOf(FilterFormatException.class)
          .hasMessage(file + ", byte 10: kind bloom (1) is a BloomFilter, not a RemovableFilter");
    }
  }

  @Test
  void aMissingFileIsNotADamagedOne() {
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> Filters.open(missing)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> Filters.map(missing)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void optionsAreValues() {
    ReadOptions<BloomFilter> options = ReadOptions.as(BloomFilter.class).withLimit(7);
    assertThat(options.verified().isVerified()).isTrue();
    assertThat(options.withHasher(Hasher.xxh3()).hashers()).isNotNull();
    assertThat(options.withLimit(8).limitBytes()).isEqualTo(8);
    assertThat(options).hasToString("as BloomFilter, up to 7 bytes");
    assertThat(options.withHasher(Hasher.xxh3()).verified())
        .hasToString("as BloomFilter, with a hasher, up to 7 bytes, verified");
    assertThat(ReadOptions.defaults().limitBytes())
        .isEqualTo(Runtime.getRuntime().maxMemory() / 4 * 3);
    assertThatThrownBy(() -> options.withLimit(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limitBytes = -1");
  }

  @Test
  void nullIsNamed() {
    Path file = directory.resolve("any");
    assertThatThrownBy(() -> Filters.open(null)).hasMessage("file");
    assertThatThrownBy(() -> Filters.map(null)).hasMessage("file");
    assertThatThrownBy(() -> Filters.header((Path) null)).hasMessage("file");
    assertThatThrownBy(() -> Filters.header((byte[]) null)).hasMessage("bytes");
    assertThatThrownBy(() -> Filters.verify(null)).hasMessage("file");
    assertThatThrownBy(() -> Filters.read((InputStream) null)).hasMessage("in");
    assertThatThrownBy(() -> Filters.read((byte[]) null)).hasMessage("bytes");
    assertThatThrownBy(() -> Filters.open(file, null)).hasMessage("options");
    assertThatThrownBy(() -> Filters.map(file, null)).hasMessage("options");
    assertThatThrownBy(() -> Filters.read(new byte[0], null)).hasMessage("options");
    assertThatThrownBy(() -> MappedFilter.map(file, null)).hasMessage("options");
    assertThatThrownBy(() -> ReadOptions.as(null)).hasMessage("type");
    assertThatThrownBy(() -> ReadOptions.defaults().withHasher(null)).hasMessage("hasher");
    assertThatThrownBy(() -> ReadOptions.defaults().withHashers(null)).hasMessage("hashers");
    assertThatThrownBy(() -> Filters.kind(null)).hasMessage("name");
  }
}
