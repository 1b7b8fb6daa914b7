package io.bloomery.secure;

import static io.bloomery.secure.SecureIndexSamples.correlation;
import static io.bloomery.secure.SecureIndexSamples.draw;
import static io.bloomery.secure.SecureIndexSamples.ones;
import static io.bloomery.secure.SecureIndexSamples.secret;
import static io.bloomery.secure.SecureIndexSamples.words;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.SampleFilters;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.BloomMath;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measured here, of X2 (secure index (Goh's Z-IDX)): 200 documents: all 2,015 hits found, others at
 * 0.0070 (expected 0.0074); documents of equal words overlap within 5 σ of unrelated ones, and so
 * does a document with its replacement; filters of 0, 1, 10, 50, 99 and 100 words are equally full
 * within 5 σ.
 */
final class SecureIndexTest {

  private static final SecureIndexShape SHAPE = SecureIndexShape.forWords(100, 0.01);

  @TempDir private Path directory;

  private final Secret secret = secret(1);

  @AfterEach
  void close() {
    secret.close();
  }

  private SecureIndex index(SecureIndexShape shape, int seed) {
    return SecureIndex.create(shape, secret, Seeds.random(seed));
  }

  /** The acceptance check of catalogue entry X2. */
  @Test
  void allHitsAreFoundIn200DocumentsAndOthersAtTheRate() {
    SecureIndex index = index(SHAPE, 2);
    SplittableRandom random = Seeds.random(3);
    List<String> vocabulary = words("word-", 1_000);
    Map<String, Set<String>> documents = new LinkedHashMap<>();
    long found = 0;
    long falselyFound = 0;
    long trials = 0;
    double squares = 0;
    try (IndexKeys keys = index.keys(secret)) {
      for (int i = 0; i < 200; i++) {
        List<String> own = draw(vocabulary, random.nextInt(101), random);
        documents.put("document-" + i, new HashSet<>(own));
        index.add(keys, "document-" + i, own);
      }
      List<String> asked = draw(vocabulary, 200, random);
      long[] trialsOf = new long[200];
      for (String word : asked) {
        List<String> answer = index.search(keys.trapdoor(word));
        List<String> right =
            documents.keySet().stream().filter(name -> documents.get(name).contains(word)).toList();
        assertThat(answer).containsAll(right).doesNotHaveDuplicates();
        found += right.size();
        falselyFound += answer.size() - right.size();
        for (int i = 0; i < 200; i++) {
          trialsOf[i] += documents.get("document-" + i).contains(word) ? 0 : 1;
        }
      }
      for (long each : trialsOf) {
        trials += each;
        squares += (double) each * each;
      }
    }
    double rate = SHAPE.falsePositiveRate();
    assertThat(rate).isLessThanOrEqualTo(0.01);
    assertThat(found).isGreaterThan(1_000);
    // Words of one document meet the same fill, which varies from document to document.
    double fills = rate * Rates.rateDeviation((double) SHAPE.bits(), 100, SHAPE.hashesPerWord());
    double deviation = Math.sqrt(trials * rate * (1 - rate) + fills * fills * squares);
    assertThat((double) falselyFound).isCloseTo(trials * rate, within(5 * deviation));
  }

  @Test
  void equalWordsSetUnrelatedBitsInDifferentDocuments() {
    SecureIndex index = index(SHAPE, 4);
    List<String> words = words("w", 100); // as many as possible, so that nothing is blinded
    try (IndexKeys keys = index.keys(secret)) {
      for (int i = 0; i < 20; i++) {
        index.add(keys, "d" + i, words);
      }
    }
    double sum = 0;
    for (int i = 1; i < 20; i++) {
      double z = correlation(index.filter("d" + (i - 1)), index.filter("d" + i), SHAPE.bits());
      assertThat(Math.abs(z)).isLessThan(5);
      sum += z;
    }
    assertThat(Math.abs(sum) / Math.sqrt(19)).isLessThan(5);
  }

  @Test
  void aReplacedDocumentHasNothingInCommonWithTheOldOne() {
    SecureIndex index = index(SHAPE, 5);
    List<String> words = words("w", 100);
    try (IndexKeys keys = index.keys(secret)) {
      index.add(keys, "d", words);
      long[] before = index.filter("d");
      index.replace(keys, "d", words);
      assertThat(Math.abs(correlation(before, index.filter("d"), SHAPE.bits()))).isLessThan(5);
      assertThat(index.search(keys.trapdoor("w7"))).containsExactly("d");
    }
  }

  @Test
  void allFiltersAreEquallyFullHoweverFewWordsTheyHave() {
    SecureIndex index = index(SHAPE, 6);
    double mean = 1 - BloomMath.zeroBitProbability(SHAPE.bits(), 100, SHAPE.hashesPerWord());
    double deviation = BloomMath.fillStandardDeviation(SHAPE.bits(), 100, SHAPE.hashesPerWord());
    try (IndexKeys keys = index.keys(secret)) {
      for (int v : new int[] {0, 1, 10, 50, 99, 100}) {
        double sum = 0;
        for (int i = 0; i < 10; i++) {
          index.replace(keys, "d", words(i + "-", v));
          double fill = (double) ones(index.filter("d")) / SHAPE.bits();
          assertThat(fill).as(v + " words").isCloseTo(mean, within(5 * deviation));
          sum += fill;
        }
        assertThat(sum / 10)
            .as(v + " words")
            .isCloseTo(mean, within(5 * deviation / Math.sqrt(10)));
      }
    }
  }

  @Test
  void documentsAreAddedReplacedAndRemoved() {
    SecureIndex index = index(new SecureIndexShape(4_000, 8, 50), 7);
    try (IndexKeys keys = index.keys(secret)) {
      for (String name : List.of("a", "b", "c", "d")) {
        index.add(keys, name, List.of(name + "1", name + "2", "all", "all"));
      }
      assertThat(index.documents()).containsExactly("a", "b", "c", "d");
      assertThat(index.search(keys.trapdoor("all"))).containsExactly("a", "b", "c", "d");
      assertThatThrownBy(() -> index.add(keys, "a", List.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("\"a\" already");
      assertThat(index.remove("b")).isTrue();
      assertThat(index.remove("b")).isFalse();
      assertThat(index.contains("b")).isFalse();
      assertThat(index.documents()).containsExactlyInAnyOrder("a", "c", "d");
      assertThat(index.search(keys.trapdoor("d2"))).containsExactly("d");
      assertThat(index.search(keys.trapdoor("b1"))).isEmpty();
      index.replace(keys, "c", List.of("new"));
      index.replace(keys, "e", List.of("new"));
      assertThat(index.search(keys.trapdoor("c1"))).isEmpty();
      assertThat(index.search(keys.trapdoor("new"))).containsExactly("c", "e");
      index.add(keys, "", List.of(""));
      assertThat(index.search(keys.trapdoor(""))).containsExactly("");
      SecureIndex copy = index.copy();
      assertThat(index.remove("a")).isTrue();
      assertThat(copy.search(keys.trapdoor("a1"))).containsExactly("a");
      assertThat(index.sizeInBits()).isEqualTo(4 * 4_000);
    }
  }

  @Test
  void wrongKeysAreRefused() {
    SecureIndex index = index(SHAPE, 8);
    SecureIndex sibling = index(SHAPE, 9);
    try (Secret other = secret(2);
        IndexKeys keys = index.keys(secret);
        IndexKeys siblings = sibling.keys(secret)) {
      index.add(keys, "d", List.of("w"));
      assertThatThrownBy(() -> index.keys(other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("wrong key");
      assertThatThrownBy(() -> index.add(siblings, "e", List.of("w")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("wrong key");
      assertThatThrownBy(() -> index.search(siblings.trapdoor("w")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("wrong key");
      assertThat(index.mightContain(siblings.trapdoor("w").toBytes())).isFalse();
      assertThat(index.documents()).containsExactly("d");
    }
  }

  @Test
  void closedKeysAndSecretsAreOfNoUse() {
    SecureIndex index = index(SHAPE, 10);
    IndexKeys keys = index.keys(secret);
    keys.close();
    assertThatThrownBy(() -> keys.trapdoor("w"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the keys are closed");
    assertThatThrownBy(() -> index.add(keys, "d", List.of("w")))
        .isInstanceOf(IllegalStateException.class);
    secret.close();
    assertThatThrownBy(() -> index.keys(secret))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the secret is closed");
  }

  @Test
  void theServerNeedsNoSecret() throws IOException {
    Path file = directory.resolve("index.bloom");
    SecureIndex index = index(SHAPE, 11);
    byte[] sent;
    try (IndexKeys keys = index.keys(secret)) {
      for (int i = 0; i < 30; i++) {
        index.add(keys, "d" + i, words("w" + i % 3 + "-", 20));
      }
      sent = keys.trapdoor("w1-4").toBytes();
    }
    index.writeTo(file);
    IndexKeys.Trapdoor trapdoor = IndexKeys.Trapdoor.of(sent);
    List<String> expected = index.search(trapdoor);
    for (Filter again : List.of(Filters.open(file), Filters.map(file))) {
      SecureIndex server = (SecureIndex) again;
      assertThat(server.search(trapdoor)).isEqualTo(expected).contains("d1", "d28");
      assertThat(server.mightContain(sent)).isTrue();
      assertThat(server.shape()).isEqualTo(SHAPE);
      assertThat(server.falsePositiveRate()).isEqualTo(index.falsePositiveRate());
      assertThat(server.toString()).isEqualTo(index.toString());
    }
    SecureIndex opened = (SecureIndex) Filters.open(file);
    assertThat(opened.contains("d1")).isTrue();
    assertThat(opened.remove("d1")).isTrue();
    assertThat(opened.documents()).hasSize(29);
    assertThat(opened.search(trapdoor)).doesNotContain("d1").contains("d28");
    SecureIndex mapped = (SecureIndex) Filters.map(file);
    try (IndexKeys keys = mapped.keys(secret)) {
      assertThatThrownBy(() -> mapped.add(keys, "e", List.of()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("read-only");
      assertThatThrownBy(() -> mapped.remove("d0")).isInstanceOf(IllegalStateException.class);
      SecureIndex copy = mapped.copy();
      copy.add(keys, "e", List.of("x"));
      assertThat(copy.search(keys.trapdoor("x"))).contains("e");
    }
  }

  /** Not the secret, no key, no word; nor are they shown. */
  @Test
  void filesAndTextsHoldNoSecret() {
    SecureIndex index = index(SHAPE, 12);
    String shown;
    try (IndexKeys keys = index.keys(secret)) {
      index.add(keys, "d", List.of("a-word-in-the-document"));
      String file = new String(SampleFilters.bytes(index), ISO_8859_1);
      byte[] bytes = secret.toBytes();
      assertThat(file).contains("d").doesNotContain("a-word", new String(bytes, ISO_8859_1));
      byte[] code = keys.trapdoor("a-word-in-the-document").code(0);
      assertThat(file).doesNotContain(new String(code, ISO_8859_1));
      shown = secret + " " + keys + " " + keys.trapdoor("w") + " " + index;
    }
    assertThat(shown)
        .isEqualTo(
            "Secret[32 bytes] IndexKeys[%d keys] IndexKeys.Trapdoor[%d codes] SecureIndex[%s, 1 documents]"
                .formatted(SHAPE.hashesPerWord(), SHAPE.hashesPerWord(), SHAPE));
  }

  @Test
  void argumentsOutsideTheirRangeAreRefused() {
    SecureIndex index = index(new SecureIndexShape(64, 2, 3), 13);
    try (IndexKeys keys = index.keys(secret)) {
      index.add(keys, "three", List.of("a", "b", "c", "a"));
      assertThatThrownBy(() -> index.add(keys, "four", List.of("a", "b", "c", "d")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("\"four\" has more than the 3 words of a document");
    }
    assertThat(index.documents()).containsExactly("three");
    assertThatThrownBy(() -> IndexKeys.Trapdoor.of(new byte[47]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bytes.length = 47 is not 16 + 32 · r for r = 1 … 255");
    assertThatThrownBy(() -> SecureIndexShape.forWords(0, 0.1))
        .hasMessage("maxWords = 0 is outside the allowed range 1 … 134217728");
    assertThatThrownBy(() -> new SecureIndexShape(0, 1, 1)).hasMessageContaining("bits = 0");
    assertThatThrownBy(() -> new SecureIndexShape(9, 0, 1)).hasMessageContaining("hashesPerWord");
    assertThatThrownBy(() -> new SecureIndexShape(9, 1, 0)).hasMessageContaining("maxWords = 0");
    assertThatThrownBy(() -> Secret.of(new byte[15]))
        .hasMessage("bytes.length = 15 is outside the allowed range 16 … 64");
  }

  /** Each thread adds documents of its own and finds those that it added. */
  @Test
  void threadsAddAndSearch() throws Exception {
    SecureIndex index = SecureIndex.create(new SecureIndexShape(2_000, 8, 20), secret);
    try (IndexKeys keys = index.keys(secret)) {
      Race.run(
          4,
          thread -> {
            for (int i = 0; i < 25; i++) {
              String name = thread + "-" + i;
              index.add(keys, name, List.of("w" + name, "all"));
              assertThat(index.search(keys.trapdoor("w" + name))).contains(name);
              if (i % 5 == 4) {
                index.remove(name);
              }
            }
          });
      assertThat(index.search(keys.trapdoor("all")))
          .hasSize(80)
          .hasSameElementsAs(index.documents());
    }
  }

  /** Files whose check value does not depend on the shape open and answer as before. */
  @Test
  void anIndexWithTheOlderCheckIsReadAndSearched() throws IOException {
    try (InputStream file = Filters.class.getResourceAsStream("/golden/secure-index-old-v1.bloom");
        Secret secret = SecureIndexSamples.goldenSecret()) {
      SecureIndex index = (SecureIndex) Filters.read(Objects.requireNonNull(file, "golden file"));
      try (IndexKeys keys = index.keys(secret)) {
        assertThat(index.search(keys.trapdoor("key-5"))).contains("ζ.txt");
        index.add(keys, "new", List.of("added"));
        assertThat(index.search(keys.trapdoor("added"))).contains("new");
      }
    }
  }

  /** Whoever holds the index and changes its shape does not get the owner's trapdoors. */
  @Test
  void anIndexOfAnotherShapeRefusesTheSecret() throws IOException {
    try (Secret secret = SecureIndexSamples.goldenSecret()) {
      byte[] sound = SampleFilters.bytes(SecureIndexSamples.golden());
      for (Map.Entry<String, Long> change :
          Map.of("hashes per word", 1L, "max words", 9L, "bits", 191L).entrySet()) {
        SecureIndex forged = forged(sound, change.getKey(), change.getValue());
        assertThatThrownBy(() -> forged.keys(secret))
            .as(change.getKey())
            .hasMessageContaining("or its shape was changed");
      }
    }
  }

  /** The index with another number in a field of its header, and the right checksum. */
  private static SecureIndex forged(byte[] sound, String field, long value) throws IOException {
    byte[] bytes = sound.clone();
    ByteBuffer frame = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int name = new String(bytes, ISO_8859_1).indexOf(field);
    frame.putLong(name + field.length(), value);
    int end = frame.getInt(12) - Integer.BYTES;
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, end);
    frame.putInt(end, (int) checksum.getValue());
    return (SecureIndex) Filters.read(new ByteArrayInputStream(bytes));
  }
}
