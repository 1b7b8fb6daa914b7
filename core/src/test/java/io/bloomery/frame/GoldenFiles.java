package io.bloomery.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrameHeader;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.secure.KeyedFilters;
import io.bloomery.secure.Secret;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The files that every later version must read, {@code golden/<name>-v1.bloom}, and beside each
 * {@code golden/<name>-v1.hits}: the numbers of the keys of {@link SampleFilters#otherKey} that its
 * filter reports present. Run {@link #main} in the module's directory to write those that are
 * missing. What exists is never written again.
 */
final class GoldenFiles {

  /** The key of the keyed golden file. */
  static final Hasher KEYED =
      Hasher.keyed(HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f"));

  /** The name of the keyed golden file. */
  static final String KEYED_NAME = "bloom-keyed-separate";

  /** The same with the older check value. */
  static final String OLD_KEYED_NAME = "bloom-keyed";

  /** The secret of the golden file with a nonce. */
  static final String SECRET = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

  /** The name of the golden file with a nonce. */
  static final String NONCE_NAME = "bloom-nonce-separate";

  /** The same with the older check value. */
  static final String OLD_NONCE_NAME = "bloom-nonce";

  /** The hasher of the golden file with a nonce. */
  static final Hasher NONCE = nonce();

  /** The golden file with a description, which is of version 2. */
  static final String DESCRIBED_FILE = "bloom-described-v2.bloom";

  /** What that file says of itself; a later version keeps what it does not know. */
  static final FrameHeader.Description DESCRIPTION = description();

  private GoldenFiles() {}

  private static FrameHeader.Description description() {
    return FrameHeader.Description.NONE
        .with(FrameHeader.Description.KEY_TYPE, "text")
        .with(FrameHeader.Description.COLUMN, "e-mail,Straße")
        .with(FrameHeader.Description.EXPECTED_KEYS, 20L)
        .with(FrameHeader.Description.PROMISED_RATE, 0.01)
        .with(FrameHeader.Description.CREATED, 1_750_000_000L)
        .with(FrameHeader.Description.TOOL, "bloom 0.1.0")
        .with("not known", "kept")
        .with("nor this", -1L);
  }

  private static Hasher nonce() {
    try (Secret secret = Secret.of(HexFormat.of().parseHex(SECRET))) {
      return KeyedFilters.of(secret)
          .hasher(HexFormat.of().parseHex("f0e1d2c3b4a5968778695a4b3c2d1e0f"));
    }
  }

  /** Writes the golden files that are missing. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of("src", "test", "resources", "golden");
    for (FilterKind<?> kind : Filters.kinds()) {
      write(directory, kind.name(), SampleFilters.of(kind));
    }
    for (Map.Entry<String, Filter> sample : SampleFilters.otherLayouts().entrySet()) {
      write(directory, sample.getKey(), sample.getValue());
    }
    write(directory, KEYED_NAME, SampleFilters.of(Filters.kind("bloom"), KEYED));
    write(directory, NONCE_NAME, SampleFilters.of(Filters.kind("bloom"), NONCE));
    Path described = directory.resolve(DESCRIBED_FILE);
    if (!Files.exists(described)) {
      Filters.write((Storable) SampleFilters.of(Filters.kind("bloom")), DESCRIPTION, described);
    }
  }

  private static void write(Path directory, String name, Filter filter) throws IOException {
    Path file = directory.resolve(name + "-v1.bloom");
    if (!Files.exists(file)) {
      Files.write(file, SampleFilters.bytes(filter));
      Files.write(directory.resolve(name + "-v1.hits"), lines(filter));
    }
  }

  /** The bytes of a golden file. */
  static byte[] bytes(String name) throws IOException {
    return resource(name + "-v1.bloom");
  }

  /** The numbers of the other keys that the filter of a golden file reports present. */
  static List<Integer> hits(String name) throws IOException {
    return new String(resource(name + "-v1.hits"), UTF_8).lines().map(Integer::valueOf).toList();
  }

  private static List<String> lines(Filter filter) {
    return SampleFilters.hits(filter).stream().map(String::valueOf).toList();
  }

  /** The bytes of a file beside the golden ones of version 1. */
  static byte[] resource(String name) throws IOException {
    try (InputStream in = GoldenFiles.class.getResourceAsStream("/golden/" + name)) {
      if (in == null) {
        throw new FileNotFoundException("golden/" + name + " is missing; GoldenFiles writes it");
      }
      return in.readAllBytes();
    }
  }
}
