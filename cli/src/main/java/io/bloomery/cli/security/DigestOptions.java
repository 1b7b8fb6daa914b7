package io.bloomery.cli.security;

import io.bloomery.secure.Secret;
import io.bloomery.security.known.KnownOptions;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.spill.HashStore;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for how files are hashed and looked up. */
final class DigestOptions {

  private static final int MOST_THREADS = 64;

  /** A digest, as users write it. */
  enum Digest {
    SHA256,
    SHA1,
    MD5;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--digest",
      paramLabel = "DIGEST",
      description =
          "How files are hashed: ${COMPLETION-CANDIDATES}. Default: as the lists or the set; sha256"
              + " for directories alone, sha1 for a set of DCSO's format.")
  private @Nullable Digest digest;

  @Option(
      names = "--lower-case",
      description = "A set of DCSO's format has digests in lower case. CIRCL's has upper case.")
  private boolean lowerCase;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of reader threads. Default: one per processor, up to 8.")
  private @Nullable Integer threads;

  /** The options for building; those for opening are the same without what is only for building. */
  KnownOptions options(
      double rate, boolean dcso, @Nullable Secret secret, boolean places, boolean strict) {
    if (threads != null && (threads < 1 || threads > MOST_THREADS)) {
      throw new Problem("--threads is " + threads + "; it must be 1 to " + MOST_THREADS);
    }
    KnownOptions usual = KnownOptions.DEFAULT;
    return new KnownOptions(
        rate,
        digest == null ? null : KnownOptions.Digest.valueOf(digest.name()),
        dcso ? KnownOptions.Form.DCSO : KnownOptions.Form.NATIVE,
        lowerCase,
        secret,
        places,
        strict,
        threads == null ? usual.threads() : threads,
        Math.min(usual.heapKeys(), HashStore.defaultCapacity()),
        null);
  }

  boolean isLowerCase() {
    return lowerCase;
  }

  boolean isWeak() {
    return digest != null && digest != Digest.SHA256;
  }
}
