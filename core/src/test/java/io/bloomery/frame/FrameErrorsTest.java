package io.bloomery.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames whose checksums are right and whose contents are not: each says what and where. */
class FrameErrorsTest {

  private static final long BUDGET = 1 << 20;

  @Test
  void aFrameMadeFromTheSpecificationOpens() throws IOException {
    byte[] frame = FrameBuilder.bloom().section(3, 4).build();
    assertThat(
            SampleFilters.bytes(
                Filters.read(
                    new ByteArrayInputStream(frame), ReadOptions.defaults().withLimit(BUDGET))))
        .isEqualTo(frame);
  }

  @Test
  void notAFilter() {
    assertDefect(
        "PK\u0003\u0004 and more of an archive".repeat(9).getBytes(UTF_8), 0, "not a filter");
    byte[] text = FrameBuilder.bloom().section(3, 4).build();
    text[4] = '\n';
    assertDefect(text, 4, "begins with 89 42 4c 4d 0d 0a 1a 0a");
  }

  @Test
  void unknownVersionKindHashAndField() {
    byte[] later = FrameBuilder.bloom().section(0, 0).build();
    later[8] = 3;
    assertDefect(later, 8, "format version 3; this library reads versions 1 and 2");
    assertDefect(
        FrameBuilder.bloom().kind(60_000).section(0, 0),
        10,
        "unknown kind 60000; this library knows [bloom (1)");
    assertDefect(
        FrameBuilder.bloom().hasher(6, 0).section(0, 0),
        16,
        "unknown hash 6; this library knows 0 (none), 1 (XXH3-64), 2 and 4 (SipHash-2-4), 3 and 5 (SipHash-2-4 with a nonce)");
    assertDefect(
        FrameBuilder.bloom().hasher(3, 0).number("nonce 0", 1).section(0, 0),
        16,
        "hash 3 needs a nonce; whole number \"nonce 1\" is missing");
    assertDefect(
        FrameBuilder.bloom().hasher(5, 0).number("nonce 1", 1).section(0, 0),
        16,
        "hash 5 needs a nonce; whole number \"nonce 0\" is missing");
    assertDefect(
        FrameBuilder.bloom().hasher(3, 0).number("nonce 0", 1).real("nonce 1", 1).section(0, 0),
        16,
        "whole number \"nonce 1\" is missing");
    assertDefect(FrameBuilder.bloom().hasher(0, 0).section(0, 0), 16, "needs one");
    assertDefect(new FrameBuilder().kind(8).number("universe", 64).section(0), 16, "has none");
    assertDefect(
        FrameBuilder.bloom().field(3, "more", 0).section(0, 0),
        72 + 14 + 16 + 16,
        "field type 3; this library knows 1 (i64) and 2 (f64)");
  }

  @Test
  void lengthOfTheHeader() {
    for (int length : new int[] {-1, 0, 67, (1 << 20) + 1}) {
      assertDefect(edited(12, length), 12, "header length = " + Integer.toUnsignedLong(length));
    }
  }

  @Test
  void numbersThatContradictTheRest() {
    assertDefect(FrameBuilder.bloom().section(0, 0).edit(b -> b.put(17, (byte) 1)), 17, "be 0");
    assertDefect(
        FrameBuilder.bloom().section(0, 0).edit(b -> b.putLong(32, 8192)), 32, "must be 4096");
    assertDefect(FrameBuilder.bloom().section(0, 0).edit(b -> b.putLong(40, 8)), 40, "must be 16");
    assertDefect(
        FrameBuilder.bloom().section(0, 0).edit(b -> b.putInt(48, 4096)), 48, "must be 65536");
    assertDefect(FrameBuilder.bloom().section(0, 0).edit(b -> b.putInt(52, 1)), 52, "must be 0");
    assertDefect(
        FrameBuilder.bloom().section(0, 0).edit(b -> b.putLong(56, 4096)), 56, "must be 4116");
    assertDefect(
        FrameBuilder.bloom().section(0, 0).edit(b -> b.putLong(64, -1)),
        64,
        "18446744073709551615 words");
  }

  @Test
  void countsThatContradictTheRest() {
    assertDefect(
        FrameBuilder.bloom().section(0, 0).edit(b -> b.putShort(20, (short) 4)),
        72 + 14 + 16 + 16,
        "the header ends 0 bytes on");
    assertDefect(
        FrameBuilder.bloom().section(0, 0).edit(b -> b.putShort(20, (short) 2)), 12, "must be 106");
    assertDefect(
        FrameBuilder.bloom().section(0, 0).edit(b -> b.putShort(22, (short) -1)),
        72,
        "words; up to");
    assertDefect(
        FrameBuilder.bloom().section(0, 0).edit(b -> b.put(73, (byte) 255)), 74, "the header ends");
  }

  @Test
  void fields() {
    assertDefect(new FrameBuilder().section(), 72, "\"bits\" is missing");
    assertDefect(new FrameBuilder().real("bits", 128).section(0, 0), 72, "\"bits\" is missing");
    assertDefect(FrameBuilder.bloom().number("more", 1).section(0, 0), 118, "no field \"more\"");
    assertDefect(FrameBuilder.bloom().number("bits", 128).section(0, 0), 118, "twice");
    assertDefect(FrameBuilder.bloom().number("", 128).section(0, 0), 120, "name of field 3");
    assertDefect(FrameBuilder.bloom().number("bïts", 128).section(0, 0), 120, "name of field 3");
    assertDefect(
        new FrameBuilder()
            .number("bits", 128)
            .number("probes", 0)
            .number("scheme", 1)
            .section(0, 0),
        86,
        "hashesPerKey = 0 is outside the allowed range 1 … ");
  }

  @Test
  void sections() {
    assertDefect(FrameBuilder.bloom(), 64, "section 0 is missing; there are 0");
    assertDefect(FrameBuilder.bloom().section(1), 64, "section 0 has 1 words; the shape needs 2");
    assertDefect(FrameBuilder.bloom().section(0, 0).section(0), 80, "2 sections; kind bloom (1)");
  }

  @Test
  void paddingThatIsNotZero() {
    byte[] frame = FrameBuilder.bloom().section(0, 0).build();
    frame[4095] = (byte) 0xAB;
    assertDefect(frame, 4095, "padding byte is ab; it must be 00");
  }

  private static byte[] edited(int at, int value) {
    byte[] frame = FrameBuilder.bloom().section(0, 0).build();
    ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
    return frame;
  }

  private static void assertDefect(FrameBuilder frame, long offset, String text) {
    assertDefect(frame.build(), offset, text);
  }

  private static void assertDefect(byte[] frame, long offset, String text) {
    FilterFormatException defect =
        catchThrowableOfType(
            FilterFormatException.class,
            () ->
                Filters.read(
                    new ByteArrayInputStream(frame), ReadOptions.defaults().withLimit(BUDGET)));
    assertThat(defect)
        .as("expected: %s", List.of(offset, text))
        .isNotNull()
        .hasMessageStartingWith("stream, byte " + offset + ": ")
        .hasMessageContaining(text);
    assertThat(defect.source()).isEqualTo("stream");
    assertThat(defect.offset()).isEqualTo(offset);
  }
}
