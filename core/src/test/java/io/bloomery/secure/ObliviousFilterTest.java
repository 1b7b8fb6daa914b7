package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.math.BigInteger;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Oblivious queries: correct answers, honest servers, and nothing for anyone else.
 *
 * <p>Measured here, of X4 (oblivious (RFC 9497)): all 5 vectors of the RFC for P-256, one word and
 * two; a wrong key is detected; two requests for one word differ, and both give the server's own
 * value; 100 members found in one exchange, 600 others at the rate of the filter (5 σ). A wrong
 * key, a swapped element and a bent proof are refused; so are the identity, coordinates beyond the
 * field and points off the curve. 33 bytes to ask, 97 back; 1.6 ms of processor time for the
 * client, 1.3 for the server ({@code bench/run '^oblivious'}).
 */
final class ObliviousFilterTest {

  private static final int WORDS = 100;
  private static final int OTHERS = 600;
  private static final double RATE = 0.1;
  private static final String A = "client a";

  private static final ObliviousKey KEY = key(1);
  private static final ObliviousFilter.Server SERVER = ObliviousFilter.Server.create(KEY, 10_000);
  private static final ObliviousFilter FILTER = SERVER.filter(words("word", WORDS), RATE);
  private static final ObliviousFilter.Client CLIENT = ObliviousFilter.Client.of(FILTER);

  private static ObliviousKey key(int seed) {
    byte[] bytes = new byte[32];
    Seeds.random(seed).nextBytes(bytes);
    return ObliviousKey.derive(bytes, new byte[0]);
  }

  private static List<String> words(String kind, int n) {
    return IntStream.range(0, n).mapToObj(i -> kind + " " + Seeds.of(i)).toList();
  }

  private static List<byte[]> bytes(List<String> words) {
    return words.stream().map(word -> word.getBytes(UTF_8)).toList();
  }

  /** Every member is found, also one by one; outsiders as often as in a plain filter of values. */
  @Test
  void answersAreThoseOfAPlainFilter() {
    BloomFilter plain = BloomFilter.create(FILTER.shape(), FILTER.hasher());
    words("word", WORDS).forEach(word -> plain.add(SERVER.value(word.getBytes(UTF_8))));

    ObliviousFilter.Query all = CLIENT.ask(bytes(words("word", WORDS)));
    assertThat(all.answers(SERVER.evaluate(A, all.request()))).containsOnly(true);
    ObliviousFilter.Query one = CLIENT.ask(words("word", 1).get(0));
    assertThat(one.mightContain(SERVER.evaluate(A, one.request()))).isTrue();

    List<String> others = words("other", WORDS);
    ObliviousFilter.Query absent = CLIENT.ask(bytes(others));
    boolean[] answers = absent.answers(SERVER.evaluate(A, absent.request()));
    for (int i = 0; i < WORDS; i++) {
      byte[] value = SERVER.value(others.get(i).getBytes(UTF_8));
      assertThat(answers[i]).isEqualTo(plain.mightContain(value));
    }
    assertThat(FILTER.falsePositiveRate()).isEqualTo(plain.falsePositiveRate());
    int hits = 0;
    for (byte[] word : bytes(words("outsider", OTHERS))) {
      hits += FILTER.mightContain(SERVER.value(word)) ? 1 : 0;
    }
    Rates.assertRate(hits, OTHERS, FILTER.falsePositiveRate(), 5);
  }

  /** What the client computes with the server's help is what the server computes alone. */
  @Test
  void theServerSeesOtherElementsEachTimeAndTheValueIsTheSame() {
    byte[] word = "word".getBytes(UTF_8);
    ObliviousFilter.Query first = CLIENT.ask(word);
    ObliviousFilter.Query second = CLIENT.ask("word");
    assertThat(first.request()).isNotEqualTo(second.request());
    assertThat(first.request()).hasSize(33).isEqualTo(first.request());
    byte[] value = first.values(SERVER.evaluate(A, first.request())).get(0);
    assertThat(value)
        .hasSize(32)
        .isEqualTo(second.values(SERVER.evaluate(A, second.request())).get(0))
        .isEqualTo(SERVER.value(word));
  }

  @Test
  void aServerWithAnotherKeyIsDetected() {
    ObliviousFilter.Server cheat = ObliviousFilter.Server.create(key(2), 100);
    ObliviousFilter.Query query = CLIENT.ask("word");
    byte[] wrong = cheat.evaluate(A, query.request());
    assertThatThrownBy(() -> query.mightContain(wrong))
        .isInstanceOf(MessageException.class)
        .hasMessage("the proof does not verify: the server did not use the key of this filter");
    // An honest answer of one word in a batch, with the proof of another.
    byte[] honest = SERVER.evaluate(A, query.request());
    byte[] mixed = honest.clone();
    System.arraycopy(wrong, 33, mixed, 33, 64);
    assertThatThrownBy(() -> query.mightContain(mixed)).hasMessageContaining("proof");
    for (int at : new int[] {33, 64, 65, 96}) {
      byte[] bent = honest.clone();
      bent[at] ^= 1;
      assertThatThrownBy(() -> query.mightContain(bent)).isInstanceOf(MessageException.class);
    }
    query.mightContain(honest);
    assertThatThrownBy(() -> query.mightContain(honest))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the query is finished; start a new one");
  }

  /** One bad element among good ones invalidates the common proof. */
  @Test
  void oneWrongElementOfABatchIsDetected() {
    ObliviousFilter.Query query = CLIENT.ask(bytes(words("word", 5)));
    byte[] response = SERVER.evaluate(A, query.request());
    byte[] swapped = response.clone();
    System.arraycopy(response, 0, swapped, 33, 33);
    System.arraycopy(response, 33, swapped, 0, 33);
    assertThatThrownBy(() -> query.answers(swapped)).hasMessageContaining("proof");
    assertThatThrownBy(() -> query.mightContain(response))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the query has 5 words, not one");
    assertThat(query.answers(response)).containsOnly(true);
  }

  private static List<byte[]> invalidElements() {
    BigInteger p = new BigInteger("ffffffff00000001" + "0".repeat(24) + "f".repeat(24), 16);
    List<byte[]> elements = new ArrayList<>();
    elements.add(new byte[33]); // the identity, padded
    elements.add(element(2, p)); // beyond the field
    elements.add(element(3, BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE)));
    elements.add(element(4, BigInteger.TEN));
    elements.add(element(0xFF, BigInteger.TEN));
    BigInteger b =
        new BigInteger("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", 16);
    for (int x = 1; elements.size() < 10; x++) {
      BigInteger at = BigInteger.valueOf(x);
      BigInteger square = at.pow(3).subtract(at.multiply(BigInteger.valueOf(3))).add(b).mod(p);
      if (!square.modPow(p.shiftRight(1), p).equals(BigInteger.ONE)) {
        elements.add(element(2 + x % 2, at)); // no point of the curve has this x
      }
    }
    return elements;
  }

  private static byte[] element(int first, BigInteger x) {
    byte[] bytes = x.toByteArray();
    byte[] element = new byte[33];
    int length = Math.min(32, bytes.length);
    System.arraycopy(bytes, bytes.length - length, element, 33 - length, length);
    element[0] = (byte) first;
    return element;
  }

  @Test
  void invalidPointsAreRefused() {
    long before = SERVER.remaining("hostile");
    ObliviousFilter.Query query = CLIENT.ask("word");
    byte[] response = SERVER.evaluate(A, query.request());
    for (byte[] element : invalidElements()) {
      assertRefused(() -> SERVER.evaluate("hostile", element));
      byte[] both = Arrays.copyOf(query.request(), 66);
      System.arraycopy(element, 0, both, 33, 33);
      assertRefused(() -> SERVER.evaluate("hostile", both));
      byte[] answer = response.clone();
      System.arraycopy(element, 0, answer, 0, 33);
      assertRefused(() -> query.mightContain(answer));
      if (element[0] == 2 || element[0] == 3) {
        ObliviousFilter bad = ObliviousFilter.ofHashes(FILTER.shape(), Hasher.xxh3(), element);
        assertRefused(() -> ObliviousFilter.Client.of(bad));
      } else {
        assertRefused(() -> ObliviousFilter.ofHashes(FILTER.shape(), Hasher.xxh3(), element));
      }
    }
    for (int length : new int[] {0, 1, 32, 34, 33 * (ObliviousFilter.Server.MAX_BATCH + 1)}) {
      assertRefused(() -> SERVER.evaluate("hostile", new byte[length]));
    }
    for (int length : new int[] {0, 33, 96, 98}) {
      assertRefused(() -> query.mightContain(Arrays.copyOf(response, length)));
    }
    byte[] large = response.clone();
    Arrays.fill(large, 33, 65, (byte) 0xFF); // a scalar beyond the order
    assertRefused(() -> query.mightContain(large));
    assertRefused(() -> ObliviousFilter.ofHashes(FILTER.shape(), Hasher.xxh3(), new byte[32]));
    assertThat(before - SERVER.remaining("hostile")).as("words of malformed elements").isPositive();
  }

  private static void assertRefused(Runnable call) {
    assertThatThrownBy(call::run).isInstanceOf(MessageException.class);
  }

  @Test
  void everyClientHasABudget() {
    ObliviousFilter.Server server = ObliviousFilter.Server.create(KEY, 3);
    byte[] one = CLIENT.ask("word").request();
    byte[] two = CLIENT.ask(bytes(words("word", 2))).request();
    server.evaluate("a", two);
    assertThat(server.remaining("a")).isEqualTo(1);
    assertThatThrownBy(() -> server.evaluate("a", two))
        .isInstanceOf(MessageException.QueryRefusedException.class)
        .hasMessage("client a has 1 of 3 evaluations left, and asks for 2");
    server.evaluate("a", one);
    assertThatThrownBy(() -> server.evaluate("a", one))
        .isInstanceOf(MessageException.QueryRefusedException.class);
    assertThat(server.remaining("a")).isZero();
    assertThat(server.remaining("b")).isEqualTo(3);
    server.renewBudgets();
    server.evaluate("a", one);
    assertThat(server.remaining("a")).isEqualTo(2);
    ObliviousFilter.Server closed = ObliviousFilter.Server.create(KEY, 0);
    assertThatThrownBy(() -> closed.evaluate("a", one))
        .isInstanceOf(MessageException.QueryRefusedException.class);
  }

  /** Finding out that an element is not in the group takes time, which has its price. */
  @Test
  void malformedElementsAreCountedAndNamesForgotten() throws ReflectiveOperationException {
    ObliviousFilter.Server server = ObliviousFilter.Server.create(KEY, 3);
    byte[] outside = new byte[33];
    Arrays.fill(outside, (byte) 0xFF); // beyond the field
    outside[0] = 2;
    for (int i = 0; i < 3; i++) {
      assertRefused(() -> server.evaluate("a", outside));
    }
    assertThatThrownBy(() -> server.evaluate("a", outside))
        .isInstanceOf(MessageException.QueryRefusedException.class);
    assertRefused(() -> server.evaluate("b", new byte[32]));
    assertThat(server.remaining("b")).as("a wrong length").isEqualTo(3);
    Field used = ObliviousFilter.Server.class.getDeclaredField("used");
    used.setAccessible(true);
    assertThat(used.get(server).toString()).doesNotContain("a=").containsPattern("-?[0-9]+=3");
  }

  @Test
  void isStoredWithThePublicKey(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("words.bloom");
    FILTER.writeTo(file);
    for (Filter again : List.of(Filters.open(file), Filters.map(file))) {
      ObliviousFilter opened = (ObliviousFilter) again;
      assertThat(opened.publicKey()).isEqualTo(KEY.publicKey());
      ObliviousFilter.Query query =
          ObliviousFilter.Client.of(opened, KEY.publicKey()).ask("word " + Seeds.of(3));
      assertThat(query.mightContain(SERVER.evaluate(A, query.request()))).isTrue();
    }
    assertThatThrownBy(() -> ObliviousFilter.Client.of(FILTER, key(2).publicKey()))
        .isInstanceOf(IncompatibleFiltersException.class);
  }

  @Test
  void keysAreKeptAndForgotten() {
    ObliviousKey key = ObliviousKey.generate();
    byte[] encoded = key.encoded();
    assertThat(ObliviousKey.of(encoded).publicKey()).isEqualTo(key.publicKey()).hasSize(33);
    assertThat(ObliviousKey.generate().encoded()).isNotEqualTo(encoded);
    String secret = HexFormat.of().formatHex(encoded);
    assertThat(key + " " + ObliviousFilter.Server.create(key, 1) + CLIENT + CLIENT.ask("hidden"))
        .doesNotContain(secret)
        .doesNotContain("hidden")
        .doesNotContain(new BigInteger(1, encoded).toString());
    key.close();
    assertThatThrownBy(key::encoded).hasMessage("the key is closed");
    assertThatThrownBy(
            () -> ObliviousFilter.Server.create(key, 1).evaluate(A, CLIENT.ask("x").request()))
        .isInstanceOf(IllegalStateException.class);
    for (byte[] bad : List.of(new byte[32], new byte[31], new byte[33])) {
      assertRefused(() -> ObliviousKey.of(bad));
    }
    byte[] order =
        HexFormat.of().parseHex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
    assertRefused(() -> ObliviousKey.of(order));
    order[31]--;
    assertThat(ObliviousKey.of(order).encoded()).isEqualTo(order);
    ObliviousFilter.Query query = CLIENT.ask("word");
    query.close();
    assertThatThrownBy(() -> query.mightContain(new byte[97])).hasMessageContaining("finished");
  }

  @Test
  void argumentsAreChecked() {
    byte[] longest = new byte[ObliviousFilter.Server.MAX_WORD_BYTES];
    assertThat(CLIENT.ask(longest).request()).hasSize(33);
    assertThatThrownBy(() -> CLIENT.ask(new byte[65536]))
        .hasMessage("word.length = 65536 is outside the allowed range 0 … 65535");
    assertThatThrownBy(() -> CLIENT.ask(List.<byte[]>of()))
        .hasMessage("words.size = 0 is outside the allowed range 1 … 1024");
    assertThatThrownBy(() -> ObliviousFilter.Server.create(KEY, -1))
        .hasMessageStartingWith("evaluationsPerClient = -1 is outside");
    assertThatThrownBy(() -> ObliviousKey.derive(new byte[31], new byte[0]))
        .hasMessageStartingWith("seed.length = 31 is outside");
    ObliviousFilter none = SERVER.filter(List.of(), BloomShape.of(64, 3), Hasher.xxh3());
    ObliviousFilter.Query query = ObliviousFilter.Client.of(none).ask("");
    assertThat(query.mightContain(SERVER.evaluate(A, query.request()))).isFalse();
  }

  /**
   * Without Bouncy Castle, filters can be read, and queries fail with a message that says what is
   * missing.
   */
  @Test
  void aMissingLibraryIsNamed() throws Exception {
    URL[] path = {home(Filters.class), home(com.dynatrace.hash4j.hashing.Hashing.class)};
    try (URLClassLoader alone = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
      Class<?> filters = alone.loadClass(ObliviousFilter.class.getName());
      assertThat(filters.getField("KIND").get(null)).hasToString("oblivious (79)");
      Class<?> keys = alone.loadClass(ObliviousKey.class.getName());
      assertThatThrownBy(() -> keys.getMethod("generate").invoke(null))
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessage(
              "Oblivious queries need Bouncy Castle 1.84 or newer: add the dependency"
                  + " org.bouncycastle:bcprov-jdk18on");
    }
  }

  private static URL home(Class<?> type) throws URISyntaxException, IOException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
        .toUri()
        .toURL();
  }
}
