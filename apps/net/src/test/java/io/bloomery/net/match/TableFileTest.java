package io.bloomery.net.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.FilterFullException;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TableFileTest {

  @TempDir private Path directory;

  private Path stored(PrefixTable table) throws IOException {
    Path file = directory.resolve("table.bpfx");
    table.writeTo(file);
    return file;
  }

  private static PrefixTable small() {
    PrefixTable table = PrefixTable.create(PrefixOptions.standard());
    table.put("192.0.2.0/24", "Zürich");
    table.put("0.0.0.0/0", "");
    table.put("192.0.2.128/25", "b");
    table.put("2001:db8::/33", "b");
    table.put("2001:db8::1", "host");
    return table;
  }

  private static PrefixTable open(Path file) throws IOException {
    return PrefixTable.open(file, PrefixOptions.standard());
  }

  @Test
  void aTableReturnsAsItWas() throws IOException {
    PrefixTable table = small();
    Path file = stored(table);
    assertThat(PrefixTable.isStored(file)).isTrue();
    PrefixTable again = open(file);
    assertThat(again.value("192.0.2.1")).isEqualTo("Zürich");
    assertThat(again.value("192.0.2.129")).isEqualTo("b");
    assertThat(again.value("1.1.1.1")).isEmpty();
    assertThat(again.match("2001:db8::1")).contains(new PrefixTable.Match("2001:db8::1", "host"));
    assertThat(again.value("2001:db8::2")).isEqualTo("b");
    assertThat(again.put("192.0.2.128/25", "c")).contains("b"); // it can be changed
    byte[] bytes = Files.readAllBytes(file);
    table.put("10.0.0.0/8", "for a moment");
    table.remove("10.0.0.0/8");
    assertThat(Files.readAllBytes(stored(table))).isEqualTo(bytes);
    assertThat(PrefixTable.isStored(directory)).isFalse();
  }

  @Test
  void manyPages() throws IOException {
    PrefixTable.Builder builder = PrefixTable.builder(PrefixOptions.standard());
    for (int i = 0; i < 40_000; i++) {
      builder.line("10.%d.%d.%d/32,%s".formatted(i >> 16, i >> 8 & 255, i & 255, "value " + i));
    }
    Path file = stored(builder.build());
    assertThat(Files.size(file)).isGreaterThan(10 * 65_536);
    PrefixTable table = open(file);
    for (int i = 0; i < 40_000; i += 7) {
      assertThat(table.value(10 << 24 | i)).isEqualTo("value " + i);
    }
  }

  /** Every flipped bit and every cut is reported. */
  @Test
  void damageIsReported() throws IOException {
    byte[] bytes = Files.readAllBytes(stored(small()));
    Path damaged = directory.resolve("damaged");
    for (int bit = 0; bit < Byte.SIZE * bytes.length; bit++) {
      byte[] other = bytes.clone();
      other[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(damaged, other);
      assertThatThrownBy(() -> open(damaged))
          .as("bit %d", bit)
          .isInstanceOf(FilterFormatException.class);
    }
    for (int length = 0; length < bytes.length; length++) {
      Files.write(damaged, Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> open(damaged)).isInstanceOf(FilterFormatException.class);
    }
    Files.write(damaged, Arrays.copyOf(bytes, bytes.length + 1));
    assertThatThrownBy(() -> open(damaged)).isInstanceOf(FilterFormatException.class);
  }

  /** Contents with right checksums that no table has. */
  @Test
  void forgedContentsAreRefused() throws IOException {
    byte[] sound = Files.readAllBytes(stored(small()));
    byte[] content = Arrays.copyOf(sound, sound.length - Integer.BYTES);
    SplittableRandom random = Seeds.random(51);
    Path file = directory.resolve("forged");
    int read = 0;
    for (int round = 0; round < Effort.of(4_000); round++) {
      byte[] forged = content.clone();
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        forged[random.nextInt(8, forged.length)] =
            random.nextBoolean() ? (byte) random.nextInt(4) : (byte) random.nextInt();
      }
      Files.write(file, checked(forged));
      try {
        PrefixTable table =
            PrefixTable.open(file, PrefixOptions.standard().withMaxBytes(4_000_000));
        assertThat(table.bytes()).isLessThan(4_000_000);
        table.value("192.0.2.1");
        read++;
      } catch (FilterFormatException | FilterFullException e) {
        assertThat(e).hasMessageContaining("b"); // byte, or bytes
      }
    }
    assertThat(read).isPositive();
  }

  private static byte[] checked(byte... content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return ByteBuffer.allocate(content.length + Integer.BYTES)
        .put(content)
        .putInt((int) crc.getValue())
        .array();
  }

  @Test
  void countsBeyondTheFileAreRefusedBeforeMemoryIsTaken() throws IOException {
    Path file = directory.resolve("large");
    for (int field = 1; field < 4; field++) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.write(Files.readAllBytes(stored(small())), 0, 8);
      out.writeInt(1);
      for (int i = 1; i < 4; i++) {
        out.writeInt(i == field ? 0x00FF_FFFF : 0);
      }
      Files.write(file, checked(bytes.toByteArray()));
      assertThatThrownBy(() -> open(file)).hasMessageContaining("too many for it");
    }
    assertThatThrownBy(
            () -> PrefixTable.open(stored(small()), PrefixOptions.standard().withMaxBytes(50)))
        .isInstanceOf(FilterFullException.class);
  }
}
