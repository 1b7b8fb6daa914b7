package io.bloomery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.bloomery.hash.Hasher;
import io.bloomery.internal.frame.Frame;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Queries and conversions that a filter of every kind supports. */
final class EveryKindTest {

  private static final byte[] SECRET =
      "0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.UTF_8);

  @TempDir Path directory;

  static List<FilterKind<?>> kinds() {
    return Filters.kinds();
  }

  static List<FilterKind<?>> hashedKinds() {
    return kinds().stream().filter(FilterKind::isHashed).toList();
  }

  private static Storable sample(FilterKind<?> kind) {
    return (Storable) SampleFilters.of(kind);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void bytesComeBack(FilterKind<?> kind) throws IOException {
    Storable filter = sample(kind);
    byte[] bytes = filter.toBytes();
    assertThat(bytes).isEqualTo(SampleFilters.bytes(filter)).hasSize((int) filter.storedBytes());
    Storable again = Filters.read(bytes);
    assertThat(again).hasSameClassAs(filter);
    assertThat(again.toBytes()).isEqualTo(bytes);
    assertThat(SampleFilters.hits(again)).isEqualTo(SampleFilters.hits(filter));
    assertThat(Filters.read(bytes, ReadOptions.as(kind.type()))).hasSameClassAs(filter);
    assertThat(
            Filters.read(
                new ByteArrayInputStream(bytes),
                ReadOptions.as(kind.type()).withLimit(bytes.length)))
        .hasSameClassAs(filter);
    assertThatThrownBy(() -> Filters.read(Arrays.copyOf(bytes, bytes.length + 3)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("3 bytes follow");
    assertThatThrownBy(() -> Filters.read(Arrays.copyOf(bytes, bytes.length - 1)))
        .isInstanceOf(FilterFormatException.class);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void equalContentCanBeAsked(FilterKind<?> kind) throws IOException {
    Storable filter = sample(kind);
    Storable again = Filters.read(filter.toBytes());
    assertThat(filter.sameContent(again)).isTrue();
    assertThat(again.sameContent(filter)).isTrue();
    assertThat(filter.sameContent(filter)).isTrue();
    for (FilterKind<?> other : kinds()) {
      if (other != kind) {
        assertThat(filter.sameContent(sample(other))).isFalse();
        break;
      }
    }
    if (filter instanceof AddableFilter addable) {
      String absent =
          IntStream.range(0, 1_000)
              .mapToObj(i -> "another key " + i)
              .filter(key -> !addable.mightContain(key))
              .findFirst()
              .orElseThrow();
      addable.add(absent);
      assertThat(filter.sameContent(again)).isFalse();
      assertThat(again.sameContent(filter)).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("hashedKinds")
  void otherHashersAreOtherContent(FilterKind<?> kind) {
    Storable one = (Storable) SampleFilters.of(kind, Hasher.xxh3(1));
    Storable two = (Storable) SampleFilters.of(kind, Hasher.xxh3(2));
    assertThat(one.sameContent(two)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyKindNamesItself(FilterKind<?> kind) {
    Storable filter = sample(kind);
    assertThat(filter.toString())
        .startsWith(kind.type().getSimpleName())
        .doesNotContain("@" + Integer.toHexString(System.identityHashCode(filter)))
        .doesNotContain("\n")
        .hasSizeGreaterThan(kind.type().getSimpleName().length() + 2);
  }

  /** No text contains a key, only its check value, which files also hold. */
  @ParameterizedTest
  @MethodSource("hashedKinds")
  void noTextHasTheSecret(FilterKind<?> kind) {
    String text = SampleFilters.of(kind, Hasher.keyed(SECRET)).toString();
    assertThat(text)
        .doesNotContain("0123456789abcdef")
        .doesNotContain("30313233")
        .doesNotContain(Arrays.toString(SECRET));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyKindCanBeSerialized(FilterKind<?> kind) throws Exception {
    Storable filter = sample(kind);
    SerializableFilter<Storable> there = copy(SerializableFilter.of(filter));
    assertThat(there.filter()).hasSameClassAs(filter);
    assertThat(there.filter().sameContent(filter)).isTrue();
    assertThat(there.toString()).startsWith("serializable " + kind.type().getSimpleName());
  }

  @ParameterizedTest
  @MethodSource("hashedKinds")
  void secretsAreNotSerialized(FilterKind<?> kind) throws Exception {
    Storable filter = (Storable) SampleFilters.of(kind, Hasher.keyed(SECRET));
    if (!Frame.encode(filter).hasher().isKeyed()) {
      return; // its sample hashes nothing with the given hasher
    }
    assertThatThrownBy(() -> SerializableFilter.of(filter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("secret key");
    SerializableFilter<Storable> sent =
        SerializableFilter.of(filter, header -> Hasher.keyed(EveryKindTest.secretOfTheOtherSide()));
    byte[] bytes = bytes(sent);
    assertThat(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1))
        .doesNotContain("0123456789abcdef");
    assertThat(copy(sent).filter().sameContent(filter)).isTrue();
  }

  private static byte[] secretOfTheOtherSide() {
    return SECRET.clone();
  }

  private static byte[] bytes(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
      out.writeObject("what follows");
    }
    return bytes.toByteArray();
  }

  @SuppressWarnings("unchecked")
  private static <F extends Storable> SerializableFilter<F> copy(SerializableFilter<F> object)
      throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes(object)))) {
      SerializableFilter<F> copy = (SerializableFilter<F>) in.readObject();
      assertThat(in.readObject()).isEqualTo("what follows");
      return copy;
    }
  }

  /** After closing, every query throws or needs no file, and none crashes. */
  @ParameterizedTest
  @MethodSource("kinds")
  void mappedFiltersCanBeClosed(FilterKind<?> kind) throws IOException {
    Storable filter = sample(kind);
    Path file = directory.resolve("filter.bloom");
    filter.writeTo(file);
    List<Integer> hits = SampleFilters.hits(filter);
    assertThat(SampleFilters.hits(Filters.map(file, ReadOptions.defaults().verified())))
        .isEqualTo(hits);
    MappedFilter<?> mapped = MappedFilter.map(file, ReadOptions.as(kind.type()));
    Storable open = mapped.filter();
    assertThat(SampleFilters.hits(open)).isEqualTo(hits);
    assertThat(mapped.toString()).contains(kind.type().getSimpleName());
    mapped.close();
    mapped.close();
    assertThatThrownBy(mapped::filter)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("filter.bloom");
    assertThat(mapped.toString()).endsWith(", closed");
    Throwable failure = catchThrowable(() -> assertThat(SampleFilters.hits(open)).isEqualTo(hits));
    if (failure != null) {
      assertThat(failure)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("the mapped filter is closed");
    }
    boolean inTheFile =
        Frame.encode(sample(kind)).sections().stream().anyMatch(w -> w.length() > 0);
    assertThat(failure != null || !inTheFile || isDecoded(kind)).isTrue();
  }

  /** Kinds that decode their words when they are mapped, and keep none of the file. */
  private static boolean isDecoded(FilterKind<?> kind) {
    return List.of("compressed-bloom").contains(kind.name());
  }

  @ParameterizedTest
  @MethodSource("hashedKinds")
  void keyedFiltersOpenAsTheirClass(FilterKind<?> kind) throws IOException {
    Hasher hasher = Hasher.keyed(SECRET);
    Storable filter = (Storable) SampleFilters.of(kind, hasher);
    if (!Frame.encode(filter).hasher().isKeyed()) {
      return;
    }
    Path file = directory.resolve("keyed.bloom");
    filter.writeTo(file);
    assertThat(Filters.open(file, ReadOptions.as(kind.type()).withHasher(hasher)).toBytes())
        .isEqualTo(filter.toBytes());
    assertThat(Filters.map(file, ReadOptions.as(kind.type()).withHasher(hasher)).toBytes())
        .isEqualTo(filter.toBytes());
    assertThat(
            Filters.read(filter.toBytes(), ReadOptions.as(kind.type()).withHasher(hasher))
                .sameContent(filter))
        .isTrue();
    try (MappedFilter<?> mapped =
        MappedFilter.map(file, ReadOptions.as(kind.type()).withHasher(hasher))) {
      assertThat(mapped.filter().toBytes()).isEqualTo(filter.toBytes());
    }
    assertThatThrownBy(
            () -> Filters.open(file, ReadOptions.as(kind.type()).withHasher(Hasher.xxh3())))
        .isInstanceOf(FilterFormatException.class);
    assertThatThrownBy(() -> Filters.read(filter.toBytes()))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("secret key");
  }
}
