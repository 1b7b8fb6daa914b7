package io.bloomery.cli.file;

import static java.util.Objects.requireNonNull;

import io.bloomery.Filter;
import io.bloomery.FrameHeader;
import io.bloomery.ReadOptions;
import io.bloomery.cli.console.Program;
import io.bloomery.hash.Hasher;
import io.bloomery.secure.KeyedFilters;
import io.bloomery.secure.Secret;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The option for the file with a secret. A secret of 16 bytes is itself the key of all filters,
 * which then hash alike; from a secret of 32 bytes each filter derives a key of its own.
 */
public final class KeyFileOption {

  private static final int KEY_BYTES = 16;
  private static final int SECRET_BYTES = 32;
  private static final int MOST_BYTES = 128;
  private static final Set<PosixFilePermission> SHARED =
      Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description =
          "Secret key of a keyed filter: 32 or 64 hexadecimal digits, or half as many raw bytes.")
  private @Nullable Path file;

  /** The former name of the option. */
  @Option(names = "--key-file", hidden = true)
  void setFile(Path former) {
    file = former;
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  private boolean warned;

  /** Whether a key is given. */
  public boolean isGiven() {
    return file != null;
  }

  /** The hasher with the given key, which must have 16 bytes; fails if none is given. */
  public Hasher hasher() {
    try (Secret secret = secret()) {
      byte[] key = secret.toBytes();
      try {
        if (key.length != KEY_BYTES) {
          throw new Problem(
              requireNonNull(file), "a key of 16 bytes is needed here, not a secret of 32");
        }
        return Hasher.keyed(key);
      } finally {
        Arrays.fill(key, (byte) 0);
      }
    }
  }

  /**
   * The hasher of a new filter, with a nonce of its own if the secret has 32 bytes; fails if none
   * is given.
   */
  public Hasher newHasher() {
    try (Secret secret = secret()) {
      byte[] bytes = secret.toBytes();
      try {
        return bytes.length == KEY_BYTES
            ? Hasher.keyed(bytes)
            : KeyedFilters.of(secret).newHasher();
      } finally {
        Arrays.fill(bytes, (byte) 0);
      }
    }
  }

  /** How stored filters are read: with the key, if one is given. */
  ReadOptions<Filter> reading() {
    return reading(Filter.class);
  }

  /** How stored filters of a type are read, in the same way. */
  <F extends Filter> ReadOptions<F> reading(Class<F> type) {
    ReadOptions<F> options = ReadOptions.as(type);
    return isGiven() ? options.withHashers(this::hasher) : options;
  }

  private Hasher hasher(FrameHeader header) {
    try (Secret secret = secret()) {
      return KeyedFilters.of(secret).hasher(header);
    }
  }

  /** The secret; fails if none is given. */
  public Secret secret() {
    if (file == null) {
      throw new Problem("a secret is needed: --secret-file FILE");
    }
    byte[] bytes = read(file);
    warnIfShared(file);
    try {
      return Secret.of(bytes);
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  /** Writes a new secret to the file, which must not exist and is readable by its owner only. */
  public void generate() {
    if (file == null) {
      throw new Problem("--generate-secret needs a file for the secret: --secret-file FILE");
    }
    try (Secret secret = Secret.generate()) {
      byte[] bytes = secret.toBytes();
      byte[] line = digits(bytes);
      Arrays.fill(bytes, (byte) 0);
      create(file, line);
      Arrays.fill(line, (byte) 0);
    }
  }

  /** A line of hexadecimal digits as bytes, which, unlike a string, can be overwritten. */
  private static byte[] digits(byte[] bytes) {
    byte[] line = new byte[2 * bytes.length + 1];
    for (int i = 0; i < bytes.length; i++) {
      line[2 * i] = (byte) HexFormat.of().toHighHexDigit(bytes[i]);
      line[2 * i + 1] = (byte) HexFormat.of().toLowHexDigit(bytes[i]);
    }
    line[2 * bytes.length] = '\n';
    return line;
  }

  private static void create(Path file, byte[] content) {
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] owner =
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    Set<StandardOpenOption> how = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (SeekableByteChannel out = Files.newByteChannel(file, how, owner)) {
      out.write(ByteBuffer.wrap(content));
    } catch (FileAlreadyExistsException e) {
      throw new Problem(file, "exists; leave out --generate-secret to use it as the secret");
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }

  /** Whether a file is the one with the secret. */
  public boolean isFile(Path other) {
    try {
      return file != null && Files.exists(file) && Files.isSameFile(file, other);
    } catch (IOException e) {
      return false;
    }
  }

  /** Warns once if others can read the file. */
  private void warnIfShared(Path file) {
    try {
      if (!warned && Files.isRegularFile(file)) {
        Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(file);
        if (!Collections.disjoint(allowed, SHARED)) {
          warned = true;
          Program program = (Program) command.root().userObject();
          program
              .console()
              .warn(
                  "%s: others can read this secret; chmod 600 %s"
                      .formatted(Octets.name(file), Octets.name(file)));
        }
      }
    } catch (UnsupportedOperationException e) {
      warned = true; // a system without such permissions
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }

  private static byte[] read(Path file) {
    if (Files.isDirectory(file)) {
      throw new Problem(file, "is a directory");
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MOST_BYTES);
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
    byte[] secret = ofDigits(bytes);
    if (secret.length > 0) {
      Arrays.fill(bytes, (byte) 0);
      return secret;
    }
    if (bytes.length == KEY_BYTES || bytes.length == SECRET_BYTES) {
      return bytes;
    }
    Arrays.fill(bytes, (byte) 0);
    throw new Problem(
        file, "a secret is 16 or 32 raw bytes, or 32 or 64 hexadecimal digits, not this");
  }

  /**
   * The bytes of 32 or 64 hexadecimal digits, with or without white space after them; empty if they
   * are anything else. 32 raw bytes that happen to be digits would be misread, which is not
   * expected of a random secret (1 in 10^34).
   */
  private static byte[] ofDigits(byte[] bytes) {
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] <= ' ' && bytes[length - 1] >= 0) {
      length--;
    }
    if (length != 2 * KEY_BYTES && length != 2 * SECRET_BYTES) {
      return new byte[0];
    }
    byte[] secret = new byte[length / 2];
    for (int i = 0; i < length; i++) {
      if (!HexFormat.isHexDigit(bytes[i])) {
        Arrays.fill(secret, (byte) 0);
        return new byte[0];
      }
      secret[i / 2] = (byte) (secret[i / 2] << 4 | HexFormat.fromHexDigit(bytes[i]));
    }
    return secret;
  }
}
