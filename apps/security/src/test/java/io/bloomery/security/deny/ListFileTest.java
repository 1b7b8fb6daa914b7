package io.bloomery.security.deny;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of lists whose checksum fits and whose content does not. */
class ListFileTest {

  @TempDir private Path directory;

  /** The length of a network becomes the number of a bit, which must not decide how much memory. */
  @Test
  void forgedRulesThatAllowAreRefused() throws IOException {
    String network = "10.20.30.0/24";
    Path rules = Files.writeString(directory.resolve("rules"), "a.test\n@@" + network + "\n");
    Path target = directory.resolve("list");
    DenyList.build(List.of(rules), target, DenyOptions.DEFAULT);
    byte[] whole = Files.readAllBytes(target);
    int at = new String(whole, ISO_8859_1).indexOf(network);
    int end = at + network.length();
    for (String forged :
        List.of("1.2/200000000", "1.2.3.4/-9999", "1.2.3.4.5.6.7", "1.2.3.4/2x.yz")) {
      byte[] changed = whole.clone();
      System.arraycopy(forged.getBytes(ISO_8859_1), 0, changed, at, network.length());
      CRC32C sum = new CRC32C();
      sum.update(changed, 0, end);
      ByteBuffer.wrap(changed).putInt(end, (int) sum.getValue());
      Files.write(target, changed);
      assertThatThrownBy(() -> DenyList.open(target))
          .as(forged)
          .isInstanceOf(FilterFormatException.class)
          .hasMessageStartingWith(target + ", byte ");
    }
  }

  /** Rules of no letter take five bytes of a file and twenty times that of memory. */
  @Test
  void aForgedNumberOfRulesIsRefused() throws IOException {
    Path rules = Files.writeString(directory.resolve("rules"), "a.test\n");
    Path target = directory.resolve("list");
    DenyList.build(List.of(rules), target, DenyOptions.DEFAULT);
    byte[] whole = Files.readAllBytes(target);
    int countAt = 61;
    int header = countAt + Integer.BYTES;
    int filterAt = header + Integer.BYTES;
    for (int count : new int[] {(1 << 20) + 1, 1 << 21, -1, Integer.MAX_VALUE}) {
      int written = Math.max(0, Math.min(count, 1 << 21));
      ByteBuffer forged = ByteBuffer.allocate(whole.length + 5 * written);
      forged.put(whole, 0, countAt).putInt(count);
      for (int i = 0; i < written; i++) {
        forged.putInt(0).put((byte) 'd');
      }
      forged.putInt(8, forged.position() + Integer.BYTES - 12);
      CRC32C sum = new CRC32C();
      sum.update(forged.array(), 0, forged.position());
      forged.putInt((int) sum.getValue()).put(whole, filterAt, whole.length - filterAt);
      Files.write(target, forged.array());
      assertThatThrownBy(() -> DenyList.open(target))
          .isInstanceOf(FilterFormatException.class)
          .hasMessageContaining(count + " rules that allow");
    }
  }
}
