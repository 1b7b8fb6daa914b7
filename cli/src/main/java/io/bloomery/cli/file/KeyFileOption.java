package io.bloomery.cli.file;

import io.bloomery.cli.console.Problem;
import io.bloomery.hash.Hasher;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The option that names a file with a secret key. */
public final class KeyFileOption {

  private static final int KEY_BYTES = 16;
  private static final int MOST_BYTES = 64;
  private static final Pattern HEX = Pattern.compile("([0-9a-fA-F]{32})\\s*");

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description = "Secret key of a keyed filter: 16 raw bytes, or 32 hexadecimal digits.")
  private Path file;

  /** The former name of the option. */
  @Option(names = "--key-file", hidden = true)
  void setFile(Path former) {
    file = former;
  }

  /** For picocli. */
  public KeyFileOption() {}

  /** Whether a key is given. */
  public boolean isGiven() {
    return file != null;
  }

  /** The hasher with the given key, or null if none is given. */
  public Hasher hasher() {
    return file == null ? null : Hasher.keyed(read());
  }

  private byte[] read() {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MOST_BYTES);
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
    if (bytes.length == KEY_BYTES) {
      return bytes;
    }
    var matcher = HEX.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
    if (!matcher.matches()) {
      throw new Problem(file + ": a key is 16 raw bytes or 32 hexadecimal digits, not this");
    }
    return HexFormat.of().parseHex(matcher.group(1));
  }
}
