package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.Filter;
import io.bloomery.FrequencyFilter;
import io.bloomery.LookupFilter;
import io.bloomery.deletable.DLeftCountingFilter;
import io.bloomery.deletable.MultilayerCountingFilter;
import io.bloomery.lookup.ManySetsFilter;
import io.bloomery.secure.IndexKeys;
import io.bloomery.secure.SecureIndex;
import io.bloomery.similarity.BlockDigest;
import io.bloomery.similarity.BlockDigestShape;
import io.bloomery.similarity.HierarchicalDigest;
import io.bloomery.similarity.SuperimposedCode;
import io.bloomery.window.TimeDecayingFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs docs/bloomread.mjs, the reader in JavaScript that was written from the pages alone. */
public final class NodeReader {

  private static final Path READER = Path.of("..", "docs", "bloomread.mjs");

  private final Path directory;
  private final List<String> requests = new ArrayList<>();
  private int files;

  /** A run whose files lie in a directory. */
  public NodeReader(Path directory) {
    this.directory = directory;
  }

  /** Skips the test, and says so, where node is not installed. */
  public static void assumeInstalled() throws IOException, InterruptedException {
    assertThat(READER).exists();
    boolean found;
    try {
      found = new ProcessBuilder("node", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      found = false;
    }
    assumeTrue(found, "node is not installed: docs/bloomread.mjs was not run");
  }

  /** The keys of all files that follow. */
  public NodeReader keys(List<byte[]> keys) {
    requests.add(
        keys.stream()
            .map(key -> "-" + HexFormat.of().formatHex(key))
            .collect(Collectors.joining(" ", "keys ", "")));
    return this;
  }

  /** The secret key of all files that follow. */
  NodeReader secret(String key) {
    requests.add("secret " + key);
    return this;
  }

  /** The time at which all files that follow are queried. */
  NodeReader now(Instant time) {
    requests.add("now " + time.toEpochMilli());
    return this;
  }

  /** The next file to be read. */
  public NodeReader file(byte[] frame) throws IOException {
    Path file = Files.write(directory.resolve(files++ + ".bloom"), frame);
    requests.add("file " + file);
    return this;
  }

  /** What the reader says of each file: {@code ok} and the answers, or {@code error} and why. */
  public List<String> run() throws IOException, InterruptedException {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    Process process =
        new ProcessBuilder("node", READER.toString(), "--batch")
            .redirectInput(Files.write(directory.resolve("in"), requests).toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(Files.readString(err)).isEmpty();
    assertThat(process.exitValue()).isZero();
    return Files.readAllLines(out);
  }

  /** What the reader should say of a file with this filter. */
  public static String expected(Filter filter, List<byte[]> keys) {
    return keys.stream()
        .map(key -> filter.mightContain(key) ? "+" + detail(filter, key) : "-")
        .collect(Collectors.joining(" ", "ok ", ""));
  }

  private static String detail(Filter filter, byte[] key) {
    if (filter instanceof FrequencyFilter counts) {
      return "count=" + counts.count(key);
    }
    if (filter instanceof DLeftCountingFilter counts) {
      return "count=" + counts.countHash(counts.hasher().hash(key));
    }
    if (filter instanceof MultilayerCountingFilter counts) {
      return "count=" + counts.countHash(counts.hasher().hash(key));
    }
    if (filter instanceof ManySetsFilter sets) {
      return Arrays.stream(sets.setsOf(key))
          .mapToObj(Integer::toString)
          .collect(Collectors.joining(",", "sets=", ""));
    }
    if (filter instanceof SuperimposedCode deck) {
      return Arrays.stream(deck.sort(deck.hasher().hash(key)))
          .mapToObj(Integer::toString)
          .collect(Collectors.joining(",", "sets=", ""));
    }
    if (filter instanceof SecureIndex index) {
      return "found=" + String.join(",", index.search(IndexKeys.Trapdoor.of(key)));
    }
    if (filter instanceof BlockDigest digest) {
      return found(digest.shape(), key, digest::find);
    }
    if (filter instanceof HierarchicalDigest digest) {
      return found(digest.shape().blocks(), key, digest::find);
    }
    if (filter instanceof LookupFilter values) {
      return "value=" + values.get(key);
    }
    if (filter instanceof TimeDecayingFilter weights) {
      double weight = weights.weightHash(weights.hasher().hash(key));
      return String.format(Locale.ROOT, "weight=%.9f", weight);
    }
    return "";
  }

  private static String found(
      BlockDigestShape blocks,
      byte[] excerpt,
      Function<byte[], List<BlockDigest.ExcerptMatch>> digest) {
    return (excerpt.length < blocks.blockBytes()
            ? Stream.<BlockDigest.ExcerptMatch>of()
            : digest.apply(excerpt).stream())
        .map(
            match ->
                Stream.concat(
                        Stream.of(match.alignment() + ":" + match.offset()), match.hosts().stream())
                    .collect(Collectors.joining(":")))
        .collect(Collectors.joining(",", "found=", ""));
  }
}
