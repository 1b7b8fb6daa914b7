package io.bloomery.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.AddableFilter;
import io.bloomery.Filters;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.frozen.FuseShape;
import io.bloomery.frozen.XorFilter;
import io.bloomery.frozen.XorShape;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.membership.SplitBlockBloomFilter;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reader in Python, written from the documentation alone, answers as we do. */
final class PythonReaderTest {

  private static final Path READER = Path.of("..", "docs", "bloomread.py");
  private static final int ADDED = 500;
  private static final List<byte[]> KEYS = keys();

  @TempDir private Path directory;

  @BeforeAll
  static void python() throws IOException, InterruptedException {
    assertThat(READER).exists();
    boolean found;
    try {
      found = new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      found = false;
    }
    assumeTrue(found, "python3 is not installed: docs/bloomread.py was not run");
  }

  /** Keys without line ends, of all lengths that the hash function tells apart. */
  private static List<byte[]> keys() {
    SplittableRandom draw = Seeds.random(11);
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 3 * ADDED; i++) {
      int length = i < 400 ? i : i % 97 == 0 ? 1_000 + i : draw.nextInt(4, 40);
      byte[] key = new byte[length];
      draw.nextBytes(key);
      for (int at = 0; at < length; at++) {
        key[at] = key[at] == '\n' ? 0 : key[at];
      }
      keys.add(key);
    }
    return keys;
  }

  private static <F extends AddableFilter> F filled(F filter) {
    KEYS.subList(0, ADDED).forEach(filter::add);
    return filter;
  }

  private static long[] hashes(Hasher hasher) {
    return KEYS.subList(0, ADDED).stream().mapToLong(hasher::hash).toArray();
  }

  @Test
  void bloomInAllSchemes() throws Exception {
    for (IndexScheme scheme : IndexScheme.values()) {
      long bits = scheme.wireId() % 2 == 0 ? 7_000 : 7_007;
      BloomShape shape = BloomShape.of(bits, 7, scheme);
      compare(filled(BloomFilter.create(shape, Hasher.xxh3(scheme.wireId()))));
    }
  }

  @Test
  void blockedInAllShapes() throws Exception {
    for (int blockBits = 64; blockBits <= 512; blockBits *= 2) {
      for (int words = blockBits == 64 ? 1 : 2; words <= blockBits / 64; words *= 2) {
        BlockShape shape = new BlockShape(6_400 / blockBits, blockBits, words, 4 * words);
        compare(filled(BlockedBloomFilter.create(shape)));
      }
    }
  }

  @Test
  void splitBlock() throws Exception {
    compare(filled(SplitBlockBloomFilter.create(ADDED, 0.05)));
  }

  @Test
  void fuseAndXor() throws Exception {
    Hasher seeded = Hasher.xxh3(-3);
    for (int width : new int[] {3, 32}) {
      compare(FuseFilter.ofHashes(hashes(seeded), FuseShape.forFingerprints(1, width, 3), seeded));
      compare(FuseFilter.ofHashes(hashes(seeded), FuseShape.forFingerprints(1, width, 4), seeded));
      compare(XorFilter.ofHashes(hashes(seeded), XorShape.forFingerprints(1, width), seeded));
    }
  }

  @Test
  void keyed() throws Exception {
    String key = "00112233445566778899aabbccddeeff";
    Hasher hasher = Hasher.keyed(HexFormat.of().parseHex(key));
    BloomFilter filter = filled(BloomFilter.create(BloomShape.forKeys(ADDED, 0.05), hasher));
    Path file = directory.resolve("keyed.bloom");
    filter.writeTo(file);
    compare(filter, file, key);
    assertThat(run(file, new byte[0], key.replace('f', 'e')).err).contains("secret key");
    assertThat(run(file, new byte[0]).err).contains("secret key");
  }

  @Test
  void descriptions() throws Exception {
    BloomFilter filter = filled(BloomFilter.create(ADDED, 0.01));
    Path file = directory.resolve("described.bloom");
    Filters.write(filter, GoldenFiles.DESCRIPTION, file);
    compare(filter, file);
    Run run = run(Path.of("--describe"), file);
    assertThat(run.err).isEmpty();
    assertThat(new String(run.out, UTF_8))
        .isEqualTo(
            """
            key type\t"text"
            column\t"e-mail,Stra\\u00dfe"
            expected keys\t20
            promised rate\t0.01
            created\t1750000000
            tool\t"bloom 0.1.0"
            not known\t"kept"
            nor this\t-1
            """);
    byte[] bytes = Files.readAllBytes(file);
    int end = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(12) - 4;
    bytes[end - 8 - 8 - 2] = 3; // the type of the last fact
    Files.write(file, FrameBuilder.reseal(bytes));
    assertThat(run(file, new byte[0]).code).isEqualTo(1);
  }

  @Test
  void damageIsFound() throws Exception {
    Path file = directory.resolve("damaged.bloom");
    filled(BloomFilter.create(20_000, 0.00001)).writeTo(file);
    byte[] sound = Files.readAllBytes(file);
    assertThat(sound.length).isGreaterThan(60_000);
    SplittableRandom draw = Seeds.random(12);
    for (int trial = 0; trial < 6; trial++) {
      byte[] bytes = sound.clone();
      int at = trial % 2 == 0 ? draw.nextInt(120) : draw.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 << draw.nextInt(8));
      Files.write(file, bytes);
      assertThat(run(file, new byte[0]).code).as("byte %d", at).isEqualTo(1);
    }
    Files.write(file, Arrays.copyOf(sound, sound.length - 1));
    assertThat(run(file, new byte[0]).code).isEqualTo(1);
  }

  private <F extends HashedFilter & Storable> void compare(F filter) throws Exception {
    Path file = directory.resolve("filter.bloom");
    filter.writeTo(file);
    compare(filter, file);
  }

  private static void compare(HashedFilter filter, Path file, String... key) throws Exception {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    StringBuilder expected = new StringBuilder();
    for (byte[] line : KEYS) {
      lines.write(line);
      lines.write('\n');
      expected.append(filter.mightContain(line) ? 'p' : 'c');
    }
    Run run = run(file, lines.toByteArray(), key);
    assertThat(run.err).isEmpty();
    assertThat(run.code).isZero();
    StringBuilder found = new StringBuilder();
    boolean first = true;
    for (byte b : run.out) {
      if (first) {
        found.append((char) b);
      }
      first = b == '\n';
    }
    assertThat(found).as(filter.toString()).hasToString(expected.toString());
    assertThat(expected.substring(0, ADDED)).doesNotContain("c");
    assertThat(expected.substring(ADDED)).contains("c");
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Run(int code, byte[] out, String err) {}

  private static Run run(Path option, Path file) throws Exception {
    return run(List.of(option.toString(), file.toString()), file, new byte[0]);
  }

  private static Run run(Path file, byte[] input, String... key) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(file.toString()));
    arguments.addAll(Arrays.asList(key));
    return run(arguments, file, input);
  }

  /** Input and output are files, so that neither side waits for the other. */
  private static Run run(List<String> arguments, Path file, byte[] input) throws Exception {
    List<String> command = new ArrayList<>(List.of("python3", "-B", READER.toString()));
    command.addAll(arguments);
    Path in = Files.write(file.resolveSibling("in"), input);
    Path out = file.resolveSibling("out");
    Path err = file.resolveSibling("err");
    Process process =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return new Run(process.exitValue(), Files.readAllBytes(out), Files.readString(err));
  }
}
