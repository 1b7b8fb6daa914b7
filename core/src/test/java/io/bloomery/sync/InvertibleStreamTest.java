package io.bloomery.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.hash.Hasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The cells of a table as the bytes of a message. */
final class InvertibleStreamTest {

  @Test
  void cellsTravelAsAStream() throws IOException {
    for (InvertibleShape shape :
        List.of(
            InvertibleShape.forDifference(20),
            new InvertibleShape(30, 3, InvertibleShape.KeyFormat.upTo(13), 0, 47),
            new InvertibleShape(30, 3, InvertibleShape.KeyFormat.fixed(64), 0, 64))) {
      Hasher hasher = Hasher.xxh3(4);
      InvertibleTable table = InvertibleTable.create(shape, hasher);
      byte[] key = new byte[shape.keys().keyBytes()];
      for (int i = 0; i < 20_000; i++) {
        ByteBuffer.wrap(key).putInt(i);
        table.add(key);
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      table.writeCells(out);
      assertThat((long) out.size())
          .isBetween(shape.cellBytes() + shape.cells(), shape.cellBytes() + 2L * shape.cells());
      out.write(7);
      ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());
      InvertibleTable read = InvertibleTable.readCells(in, shape, hasher);
      assertThat(in.read()).as("the next byte").isEqualTo(7);
      ByteBuffer.wrap(key).putInt(77_777);
      read.add(key);
      read.subtract(table);
      assertThat(read.decode().onlyHere()).singleElement().isEqualTo(key);
    }
  }

  @Test
  void malformedStreamsAreRefused() throws IOException {
    InvertibleShape shape = new InvertibleShape(8, 4, InvertibleShape.KeyFormat.upTo(3), 1, 33);
    InvertibleTable table = InvertibleTable.create(shape);
    table.add("abc".getBytes(UTF_8), new byte[] {9});
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    table.writeCells(out);
    byte[] sound = out.toByteArray();
    for (int length = 0; length < sound.length; length++) {
      byte[] part = Arrays.copyOf(sound, length);
      assertThatThrownBy(() -> read(shape, part)).isInstanceOf(EOFException.class);
    }
    for (int bit = 0; bit < sound.length * 8; bit++) {
      byte[] damaged = sound.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> read(shape, damaged))
          .as("bit %d", bit)
          .isInstanceOf(IOException.class);
    }
    byte[] padded = new byte[sound.length + 1];
    System.arraycopy(sound, 0, padded, 1, sound.length);
    padded[0] = (byte) (sound[0] | 0x80);
    padded[1] = 0;
    assertThatThrownBy(() -> read(shape, padded))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("count");
    byte[] endless = new byte[20];
    Arrays.fill(endless, (byte) 0xFF);
    assertThatThrownBy(() -> read(shape, endless)).isInstanceOf(FilterFormatException.class);
  }

  private static InvertibleTable read(InvertibleShape shape, byte[] bytes) throws IOException {
    return InvertibleTable.readCells(new ByteArrayInputStream(bytes), shape, Hasher.xxh3());
  }
}
