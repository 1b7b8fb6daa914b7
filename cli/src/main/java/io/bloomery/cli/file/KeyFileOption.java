package io.bloomery.cli.file;

import io.bloomery.cli.console.Problem;
import io.bloomery.cli.console.Program;
import io.bloomery.hash.Hasher;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option that names a file with a secret key. */
public final class KeyFileOption {

  private static final int KEY_BYTES = 16;
  private static final int MOST_BYTES = 64;
  private static final Set<PosixFilePermission> SHARED =
      Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);
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

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  private boolean warned;

  /** For picocli. */
  public KeyFileOption() {}

  /** Whether a key is given. */
  public boolean isGiven() {
    return file != null;
  }

  /** The hasher with the given key, or null if none is given. */
  public Hasher hasher() {
    if (file == null) {
      return null;
    }
    byte[] key = read();
    warnIfShared();
    return Hasher.keyed(key);
  }

  /** Says once if others can read the file. */
  private void warnIfShared() {
    try {
      if (!warned && Files.isRegularFile(file)) {
        Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(file);
        if (!Collections.disjoint(allowed, SHARED)) {
          warned = true;
          Program program = (Program) command.root().userObject();
          program
              .console()
              .warn("%s: others can read this secret; chmod 600 %s".formatted(file, file));
        }
      }
    } catch (UnsupportedOperationException e) {
      warned = true; // a system without such permissions
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
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
