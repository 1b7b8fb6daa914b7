package io.bloomery.cli.index;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** An index that somebody changed, with right checksums. */
final class ForgedIndex {

  private static final int FOOTER = 24;

  private ForgedIndex() {}

  /** Replaces a text in the table by another of the same length, wherever it is. */
  static void replace(Path index, String from, String to) throws IOException {
    assertThat(to).hasSameSizeAs(from);
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(index)).order(ByteOrder.LITTLE_ENDIAN);
    int footer = bytes.capacity() - FOOTER;
    int table = (int) bytes.getLong(footer);
    String text = new String(bytes.array(), table, footer - table, ISO_8859_1);
    assertThat(text).contains(from);
    byte[] forged = text.replace(from, to).getBytes(ISO_8859_1);
    bytes.put(table, forged);
    bytes.putInt(footer + 16, crc(bytes.array(), table, forged.length));
    bytes.putInt(footer + 20, crc(bytes.array(), footer, 20));
    Files.write(index, bytes.array());
  }

  private static int crc(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }
}
