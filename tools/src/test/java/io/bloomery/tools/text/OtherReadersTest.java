package io.bloomery.tools.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.Filters;
import io.bloomery.FrameHeader.Description;
import io.bloomery.membership.BloomFilter;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The readers in Python and JavaScript find keys of folded filters as this library does. */
class OtherReadersTest {

  private static final Path DOCS = Path.of("..", "docs").toAbsolutePath();

  @TempDir private Path directory;
  private final List<byte[]> keys = new ArrayList<>();
  private final StringBuilder expected = new StringBuilder(); // a sign for each key
  private Path file;

  /** Every letter that has a folding, and random bytes; every second key is stored. */
  @BeforeEach
  void write() throws IOException {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      if (CaseFolding.fold(c) != c) {
        keys.add((" x" + Character.toString(c)).getBytes(UTF_8));
      }
    }
    SplittableRandom random = Seeds.random(3);
    byte[] some = "AZ\u00c9\u1e9e\ud801\udc00\u212a\u0130".getBytes(UTF_8);
    for (int i = 0; i < 2_000; i++) {
      byte[] key = new byte[random.nextInt(1, 9)];
      for (int j = 0; j < key.length; j++) {
        key[j] =
            random.nextBoolean() ? some[random.nextInt(some.length)] : (byte) random.nextInt(256);
        key[j] = key[j] == '\n' ? 0 : key[j];
      }
      keys.add(key);
    }
    BloomFilter filter = BloomFilter.create(keys.size(), 1e-9);
    for (int i = 0; i < keys.size(); i += 2) {
      filter.add(stored(keys.get(i)));
    }
    for (byte[] key : keys) {
      expected.append(filter.mightContain(stored(key)) ? '+' : '-');
    }
    Description description =
        Description.NONE
            .with(Description.KEY_TYPE, "text")
            .with("blanks", "trimmed")
            .with("case", "folded, Unicode " + CaseFolding.UNICODE);
    file = directory.resolve("f.bloom");
    Filters.write(filter, description, file);
  }

  private static byte[] stored(byte[] key) {
    String text = new String(CaseFolding.fold(key), ISO_8859_1);
    return text.replaceAll("^[ \\x09-\\x0d]+|[ \\x09-\\x0d]+$", "").getBytes(ISO_8859_1);
  }

  private String run(byte[] input, String... command) throws IOException, InterruptedException {
    Path in = Files.write(directory.resolve("in"), input);
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectInput(in.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      assumeTrue(false, command[0] + " is not installed");
      throw e;
    }
    String out = new String(process.getInputStream().readAllBytes(), ISO_8859_1);
    assertThat(process.waitFor()).isZero();
    return out;
  }

  @Test
  void python() throws Exception {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (byte[] key : keys) {
      lines.writeBytes(key);
      lines.write('\n');
    }
    String out =
        run(
            lines.toByteArray(),
            "python3",
            DOCS.resolve("bloomread.py").toString(),
            file.toString());
    StringBuilder signs = new StringBuilder();
    for (String line : out.split("\n", 0)) { // keys may hold other line ends
      signs.append(line.startsWith("probably present\t") ? '+' : '-');
    }
    assertThat(signs).hasToString(expected.toString());
  }

  @Test
  void javaScript() throws Exception {
    StringBuilder request = new StringBuilder("keys");
    keys.forEach(key -> request.append(" -").append(HexFormat.of().formatHex(key)));
    request.append("\nfile ").append(file).append('\n');
    String out =
        run(
            request.toString().getBytes(UTF_8),
            "node",
            DOCS.resolve("bloomread.mjs").toString(),
            "--batch");
    assertThat(out.trim().replace("ok", "").replace(" ", "")).isEqualTo(expected.toString());
  }
}
