package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrameHeader;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.frame.Frame;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A filter under a secret key opens with that key and no other; its file does not hold the key. */
class KeyedFilterTest {

  private static final byte[] KEY = "sixteen secrets!".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path directory;
  private Path file;
  private Hasher right;
  private Hasher wrong;

  static Stream<FilterKind<?>> kinds() {
    return Filters.kinds().stream().filter(FilterKind::isHashed);
  }

  @BeforeEach
  void keys() {
    file = directory.resolve("keyed.bloom");
    right = Hasher.keyed(KEY);
    byte[] other = KEY.clone();
    other[15] ^= 1;
    wrong = Hasher.keyed(other);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void opensWithItsKey(FilterKind<?> kind) throws IOException {
    Filter filter = SampleFilters.of(kind, right);
    assertThat(Frame.encode((Storable) filter).hasher()).isEqualTo(right);
    ((Storable) filter).writeTo(file);
    byte[] frame = Files.readAllBytes(file);

    for (Filter again :
        List.of(
            Filters.open(file, ReadOptions.defaults().withHasher(right)),
            Filters.map(file, ReadOptions.defaults().withHasher(right)),
            Filters.read(
                new ByteArrayInputStream(frame),
                ReadOptions.defaults().withLimit(frame.length).withHasher(right)))) {
      assertThat(SampleFilters.hasAllKeys(again)).isTrue();
      assertThat(SampleFilters.bytes(again)).isEqualTo(frame);
    }
  }

  @Test
  void saysThatAKeyIsNeeded() throws IOException {
    byte[] frame = keyed();
    String needed = "made with a secret key (SipHash-2-4, secret key with check value ";
    assertRefused(() -> Filters.open(file), needed);
    assertRefused(() -> Filters.map(file), needed);
    assertRefused(
        () ->
            Filters.read(
                new ByteArrayInputStream(frame), ReadOptions.defaults().withLimit(frame.length)),
        needed);
  }

  @Test
  void saysThatTheKeyIsWrong() throws IOException {
    byte[] frame = keyed();
    assertRefused(() -> Filters.open(file, ReadOptions.defaults().withHasher(wrong)), "wrong key");
    assertRefused(() -> Filters.map(file, ReadOptions.defaults().withHasher(wrong)), "wrong key");
    assertRefused(
        () ->
            Filters.read(
                new ByteArrayInputStream(frame),
                ReadOptions.defaults().withLimit(frame.length).withHasher(wrong)),
        "wrong key");
    assertRefused(
        () -> Filters.open(file, ReadOptions.defaults().withHasher(Hasher.xxh3())), "wrong hasher");
  }

  @Test
  void headerAndVerificationNeedNoKey() throws IOException {
    keyed();
    FrameHeader header = Filters.header(file);
    assertThat(header.isKeyed()).isTrue();
    assertThat(header.hash())
        .endsWith("check value %016x".formatted(Hasher.keyed(KEY).seedOrKeyCheck()));
    assertThat(Filters.verify(file)).isEqualTo(header);
  }

  @Test
  void theKeyIsNotInTheFile() throws IOException {
    String text = new String(keyed(), StandardCharsets.ISO_8859_1);
    assertThat(text).doesNotContain("sixteen", "secrets!");
  }

  @Test
  void theHasherOfAFilterWithoutAKeyMustFitToo() throws IOException {
    Filter filter = SampleFilters.of(Filters.kind("bloom"), Hasher.xxh3(7));
    ((Storable) filter).writeTo(file);
    assertThat(
            Filters.open(file, ReadOptions.defaults().withHasher(Hasher.xxh3(7)))
                .mightContain("key-0"))
        .isTrue();
    assertThat(Filters.open(file).mightContain("key-0")).isTrue();
    assertThat(Filters.header(file).hash()).isEqualTo("XXH3-64, seed 7");
    assertRefused(
        () -> Filters.open(file, ReadOptions.defaults().withHasher(Hasher.xxh3(8))),
        "wrong hasher");
    assertRefused(
        () -> Filters.open(file, ReadOptions.defaults().withHasher(right)), "wrong hasher");
  }

  private byte[] keyed() throws IOException {
    byte[] frame =
        FrameBuilder.bloom()
            .hasher(Hasher.SIPHASH_2_4, right.seedOrKeyCheck())
            .section(1, 2)
            .build();
    Files.write(file, frame);
    return frame;
  }

  private static void assertRefused(ThrowingCallable call, String reason) {
    assertThatThrownBy(call)
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("byte 24: ")
        .hasMessageContaining(reason);
  }
}
