package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.secure.KeyedFilters;
import io.bloomery.secure.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files once written stay readable, answer as before, and are still written identically. */
class GoldenFilesTest {

  static List<FilterKind<?>> kinds() {
    return Filters.kinds();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void isReadAndAnswersAsEver(FilterKind<?> kind) throws IOException {
    byte[] golden = GoldenFiles.bytes(kind.name());

    Filter filter =
        Filters.read(
            new ByteArrayInputStream(golden), ReadOptions.defaults().withLimit(golden.length));

    assertThat(filter).isExactlyInstanceOf(kind.type());
    assertAnswers(filter, kind.name());
    assertThat(SampleFilters.bytes(filter)).isEqualTo(golden);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theSameKeysGiveTheSameBytes(FilterKind<?> kind) throws IOException {
    assertThat(SampleFilters.bytes(SampleFilters.of(kind)))
        .isEqualTo(GoldenFiles.bytes(kind.name()));
  }

  static Set<String> otherLayouts() {
    return SampleFilters.otherLayouts().keySet();
  }

  /** Kinds whose fields or sections depend on how they were made. */
  @ParameterizedTest
  @MethodSource("otherLayouts")
  void otherLayoutsAreReadAndWrittenAsEver(String name) throws IOException {
    byte[] golden = GoldenFiles.bytes(name);
    Filter made = SampleFilters.otherLayouts().get(name);

    Filter filter =
        Filters.read(
            new ByteArrayInputStream(golden), ReadOptions.defaults().withLimit(golden.length));

    assertThat(filter).isExactlyInstanceOf(made.getClass());
    assertAnswers(filter, name);
    assertThat(SampleFilters.bytes(filter)).isEqualTo(golden);
    assertThat(SampleFilters.bytes(made)).isEqualTo(golden);
  }

  /** Files with an old check value are written with the present one. */
  @ParameterizedTest
  @ValueSource(strings = {GoldenFiles.KEYED_NAME, GoldenFiles.OLD_KEYED_NAME})
  void keyed(String name) throws IOException {
    byte[] golden = GoldenFiles.bytes(name);

    Filter filter =
        Filters.read(
            new ByteArrayInputStream(golden),
            ReadOptions.defaults().withLimit(golden.length).withHasher(GoldenFiles.KEYED));

    assertAnswers(filter, name);
    assertThat(SampleFilters.bytes(filter)).isEqualTo(GoldenFiles.bytes(GoldenFiles.KEYED_NAME));
  }

  @ParameterizedTest
  @ValueSource(strings = {GoldenFiles.NONCE_NAME, GoldenFiles.OLD_NONCE_NAME})
  void keyedWithANonce(String name) throws IOException {
    byte[] golden = GoldenFiles.bytes(name);
    try (Secret secret = Secret.of(HexFormat.of().parseHex(GoldenFiles.SECRET))) {
      KeyedFilters keyed = KeyedFilters.of(secret);

      Filter filter =
          Filters.read(
              new ByteArrayInputStream(golden),
              ReadOptions.defaults().withLimit(golden.length).withHashers(keyed));

      assertAnswers(filter, name);
      assertThat(SampleFilters.bytes(filter)).isEqualTo(GoldenFiles.bytes(GoldenFiles.NONCE_NAME));
    }
  }

  private static void assertAnswers(Filter filter, String name) throws IOException {
    assertThat(SampleFilters.hasAllKeys(filter)).isTrue();
    assertThat(SampleFilters.hits(filter)).isEqualTo(GoldenFiles.hits(name));
  }
}
