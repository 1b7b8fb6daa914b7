package io.bloomery.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.Mergeable;
import io.bloomery.foreign.gnutella.GnutellaFormat;
import io.bloomery.foreign.hadoop.HadoopCountingFilter;
import io.bloomery.foreign.mozilla.MozillaCascadeFilter;
import io.bloomery.foreign.parquet.ParquetFile;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every foreign format promises, checked on files that other systems wrote. */
final class ForeignContractTest {

  /** Formats whose files may end after any of their parts. */
  private static final Set<ForeignFormat<?>> SEQUENCES =
      Set.of(MozillaCascadeFilter.FORMAT, GnutellaFormat.FORMAT);

  /** Formats whose files may end with any bytes of their writer. */
  private static final Set<ForeignFormat<?>> OPEN_ENDED = Set.of(ForeignFormats.named("dcso"));

  @TempDir private Path directory;

  static Stream<ForeignSubject> subjects() {
    return ForeignSubject.all();
  }

  @Test
  void everyFormatHasAFile() {
    Set<ForeignFormat<?>> covered =
        ForeignSubject.all().map(ForeignSubject::format).collect(Collectors.toSet());
    covered.add(ParquetFile.FORMAT); // its files are only read; ParquetFileTest has them
    covered.addAll(Envelopes.all().keySet()); // only read as well; EnvelopesTest
    assertThat(covered).containsExactlyInAnyOrderElementsOf(ForeignFormats.all());
  }

  @Test
  void namesAreUnique() {
    assertThat(ForeignFormats.all()).extracting(ForeignFormat::name).doesNotHaveDuplicates();
    for (ForeignFormat<?> format : ForeignFormats.all()) {
      assertThat(ForeignFormats.named(format.name())).isSameAs(format);
    }
    assertThatThrownBy(() -> ForeignFormats.named("no such format"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("guava");
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void answersAsTheOtherSystem(ForeignSubject subject) throws IOException {
    ForeignFilter filter = subject.format().read(subject.bytes());
    for (byte[] key : subject.present()) {
      assertThat(filter.mightContain(key)).isTrue();
    }
    List<byte[]> found = subject.absent().stream().filter(filter::mightContain).toList();
    assertThat(found).usingRecursiveComparison().isEqualTo(subject.matching());
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void writesTheSameBytes(ForeignSubject subject) throws IOException {
    ForeignFilter filter = subject.format().read(subject.bytes());
    assertThat(written(filter)).isEqualTo(subject.bytes());
    assertThat(filter.storedBytes()).isEqualTo(subject.bytes().length);
    assertThat(filter.format()).isSameAs(subject.format());
    assertThat(subject.format().type()).isEqualTo(filter.getClass());
    assertThat(filter.fields()).isNotEmpty();
    assertThat(filter.falsePositiveRate()).isBetween(0.0, 1.0);
    assertThat(filter.toString()).contains(filter.getClass().getSimpleName());
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void opensByContent(ForeignSubject subject) throws IOException {
    Path file = directory.resolve("filter");
    Files.write(file, subject.bytes());
    assertThat(ForeignFormats.candidates(file)).contains(subject.format());
    if (subject.format().isRecognised()) {
      Filter filter = Filters.open(file);
      assertThat(filter).isInstanceOf(subject.format().type());
      assertThat(((ForeignFilter) filter).format()).isSameAs(subject.format());
      Path copy = directory.resolve("copy");
      ((ForeignFilter) Filters.map(file)).writeTo(copy);
      assertThat(copy).hasBinaryContent(subject.bytes());
    } else {
      assertThatThrownBy(() -> Filters.open(file))
          .isInstanceOf(FilterFormatException.class)
          .hasMessageContaining("could be ")
          .hasMessageContaining(subject.format().name());
      Path copy = directory.resolve("copy");
      ForeignFormats.open(file, subject.format().name()).writeTo(copy);
      assertThat(copy).hasBinaryContent(subject.bytes());
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void addsAreFoundAndCountedAsNew(ForeignSubject subject) throws IOException {
    if (subject.format().read(subject.bytes()) instanceof AddableForeignFilter filter) {
      for (byte[] key : subject.absent().stream().limit(50).toList()) {
        boolean before = filter.mightContain(key);
        assertThat(filter.add(key)).isEqualTo(!before);
        assertThat(filter.mightContain(key)).isTrue();
      }
      ForeignFilter again = subject.format().read(written(filter));
      for (byte[] key : subject.absent().stream().limit(50).toList()) {
        assertThat(again.mightContain(key)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void mergesWithItsOwnKind(ForeignSubject subject) throws IOException {
    ForeignFilter filter = subject.format().read(subject.bytes());
    if (filter instanceof Mergeable<?>) {
      List<Boolean> before = subject.absent().stream().map(filter::mightContain).toList();
      mergeWithCopy(filter, subject);
      assertThat(subject.absent()).map(filter::mightContain).isEqualTo(before);
      if (!(filter instanceof HadoopCountingFilter)) { // its counters count twice now
        assertThat(written(filter)).isEqualTo(subject.bytes());
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static void mergeWithCopy(ForeignFilter filter, ForeignSubject subject)
      throws IOException {
    Mergeable<ForeignFilter> mergeable = (Mergeable<ForeignFilter>) filter;
    ForeignFilter copy = subject.format().read(subject.bytes());
    assertThat(mergeable.isCompatible(copy)).isTrue();
    mergeable.merge(copy);
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void everyTruncationIsRefused(ForeignSubject subject) throws IOException {
    byte[] bytes = subject.bytes();
    int step = Math.max(1, bytes.length / 500);
    for (int length = 0; length < bytes.length; length += length < 300 ? 1 : step) {
      byte[] cut = Arrays.copyOf(bytes, length);
      Throwable failure = catchThrowable(() -> subject.format().read(cut));
      if (failure == null && SEQUENCES.contains(subject.format())) {
        assertThat(written(subject.format().read(cut))).isEqualTo(cut);
      } else if (subject.recognised() || failure != null) {
        assertThat(failure).as("%d bytes", length).isInstanceOf(FilterFormatException.class);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void bytesAfterTheEndAreRefusedOrKept(ForeignSubject subject) throws IOException {
    byte[] longer = Arrays.copyOf(subject.bytes(), subject.bytes().length + 1);
    if (OPEN_ENDED.contains(subject.format())) {
      assertThat(written(subject.format().read(longer))).isEqualTo(longer);
      return;
    }
    assertThatThrownBy(() -> subject.format().read(longer))
        .isInstanceOf(FilterFormatException.class);
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void damagedBytesAreReadOrRefused(ForeignSubject subject) {
    SplittableRandom draw = Seeds.random(7);
    for (int trial = 0; trial < 2_000; trial++) {
      byte[] bytes = subject.bytes().clone();
      int changes = 1 + draw.nextInt(4);
      for (int i = 0; i < changes; i++) {
        int within = draw.nextInt(2) == 0 ? Math.min(64, bytes.length) : bytes.length;
        bytes[draw.nextInt(within)] = (byte) draw.nextInt(256);
      }
      try {
        ForeignFilter filter = subject.format().read(bytes);
        filter.mightContain(subject.present().get(0));
        assertThat(written(filter)).hasSameSizeAs(bytes);
      } catch (IOException e) {
        assertThat(e).isInstanceOf(FilterFormatException.class);
      }
    }
  }

  private static byte[] written(ForeignFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }
}
