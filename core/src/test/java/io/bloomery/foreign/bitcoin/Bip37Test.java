package io.bloomery.foreign.bitcoin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.foreign.BitcoinSubjects;
import io.bloomery.foreign.EthereumFormat;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.bitcoin.Bip37Format.Update;
import io.bloomery.testkit.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bitcoin's wallet filters, by the vectors of its implementations. */
final class Bip37Test {

  private static final HexFormat HEX = HexFormat.of();
  private static final Map<?, ?> FACTS = (Map<?, ?>) Json.resource("/foreign/bitcoin/bip37.json");
  private static final Map<?, ?> MATCHING = (Map<?, ?>) FACTS.get("transaction_matching");
  private static final byte[] TRANSACTION = BitcoinSubjects.hex(MATCHING.get("tx"));
  private static final byte[] SPENDING = BitcoinSubjects.hex(MATCHING.get("spending_tx"));
  private static final String KEY =
      "046d11fee51b0e60666d5049a9101a72741df480b96ee26488a4d3466b95c9a40ac5eeef87e10a5cd336c19a84565f80fa6c547957b7700ff4dfbdefe76036c339";

  static List<Map<?, ?>> filters() {
    return BitcoinSubjects.rows(FACTS, "filters");
  }

  static List<Map<?, ?>> cases() {
    return BitcoinSubjects.rows(MATCHING, "cases");
  }

  @ParameterizedTest
  @MethodSource("filters")
  void theSameKeysGiveTheSameBytes(Map<?, ?> row) throws IOException {
    ForeignBloomFilter filter =
        Bip37Format.create(
            ((Double) row.get("elements")).longValue(),
            Math.min(1, (Double) row.get("fp_rate")),
            ((Double) row.get("tweak")).intValue(),
            Update.ALL);
    ((List<?>) row.get("items")).forEach(item -> filter.add(BitcoinSubjects.hex(item)));
    assertThat(HEX.formatHex(bytes(filter))).isEqualTo(row.get("serialized"));
    assertThat(Bip37Format.update(filter)).isEqualTo(Update.ALL);
  }

  private static byte[] bytes(ForeignFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  /** The bytes of the first vector with another tweak, as Bitcoin Core's tests have them. */
  @Test
  void theTweakChangesTheBits() throws IOException {
    ForeignBloomFilter filter = Bip37Format.create(3, 0.01, (int) 2147483649L, Update.ALL);
    for (Object item : (List<?>) filters().get(0).get("items")) {
      filter.add(BitcoinSubjects.hex(item));
    }
    assertThat(HEX.formatHex(bytes(filter))).isEqualTo("03ce4299050000000100008001");
    assertThat(filter.fields()).containsEntry("tweak", 2147483649L);
  }

  /**
   * Bitcoin divides bits by keys in whole numbers: of 10.3 bits per key 10 count, which are 6
   * functions (6.93), where 10.3 would be 7 (7.14).
   */
  @Test
  void onlyWholeBitsPerKeyMakeFunctions() {
    ForeignBloomFilter filter = Bip37Format.create(1_000, 0.0071, 0, Update.NONE);
    assertThat(filter.sizeInBits()).isEqualTo(8 * 1_287);
    assertThat(filter.hashesPerKey()).isEqualTo(6);
    assertThat(Bip37Format.create(1_000, 0.0041, 0, Update.NONE).hashesPerKey()).isEqualTo(7);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void transactionsMatchAsTheyShould(Map<?, ?> row) throws IOException {
    ForeignBloomFilter filter = Bip37Format.create(10, 1e-6, 0, Update.ALL);
    byte[] item =
        row.get("kind").equals("raw")
            ? BitcoinSubjects.hex(row.get("item"))
            : BitcoinSubjects.reversed((String) row.get("item"));
    if (row.get("kind").equals("outpoint")) {
      item = outpoint(item, ((Double) row.get("index")).intValue());
    }
    filter.add(item);
    assertThat(Bip37Format.isRelevantAndUpdate(filter, TRANSACTION))
        .isEqualTo(row.get("matches_tx"));
    if (row.containsKey("then_matches_spending_tx")) {
      assertThat(Bip37Format.isRelevantAndUpdate(filter, SPENDING)).isTrue();
    }
  }

  private static byte[] outpoint(byte[] id, int index) {
    return ByteBuffer.allocate(36).order(ByteOrder.LITTLE_ENDIAN).put(id).putInt(index).array();
  }

  /** The address of the first output: what the flags say decides whether the spender matches. */
  @ParameterizedTest
  @EnumSource
  void flagsDecideWhatIsAdded(Update update) throws IOException {
    ForeignBloomFilter filter = Bip37Format.create(10, 1e-6, 0, update);
    filter.add(HEX.parseHex("04943fdd508053c75000106d3bc6e2754dbcff19"));
    byte[] before = bytes(filter);
    assertThat(Bip37Format.isRelevantAndUpdate(filter, TRANSACTION)).isTrue();
    byte[] id = BitcoinTransaction.parse(TRANSACTION).id();
    assertThat(filter.mightContain(outpoint(id, 0))).isEqualTo(update == Update.ALL);
    assertThat(Arrays.equals(bytes(filter), before)).isEqualTo(update != Update.ALL);
    assertThat(filter.mightContain(outpoint(id, 1))).isFalse();
  }

  /** Outputs to one key, to 1 of 2 keys, and scripts that only look like these. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "+41 KEY ac",
        "+51 41 KEY 21 02SHORT 52 ae",
        "-52 41 KEY 51 ae",
        "-51 41 KEY 52 ae",
        "-51 41 KEY ae",
        "-00 41 KEY 51 ae",
        "-41 KEY 75 ac",
        "-41 KEY",
        "-4c 41 KEY ac",
        "-76 41 KEY ac"
      })
  void outputsToKeys(String text) throws IOException {
    String script =
        text.substring(1).replace("KEY", KEY).replace("SHORT", "11".repeat(32)).replace(" ", "");
    byte[] transaction = paying(HEX.parseHex(script));
    ForeignBloomFilter filter = Bip37Format.create(10, 1e-6, 7, Update.P2PUBKEY_ONLY);
    filter.add(HEX.parseHex(KEY));
    assertThat(Bip37Format.isRelevantAndUpdate(filter, transaction)).isTrue();
    byte[] id = BitcoinTransaction.parse(transaction).id();
    assertThat(filter.mightContain(outpoint(id, 0))).isEqualTo(text.startsWith("+"));
  }

  /** A transaction with one input, whose script is empty, and one output. */
  private static byte[] paying(byte[] script) {
    return ByteBuffer.allocate(60 + script.length)
        .put(0, (byte) 1)
        .put(4, (byte) 1)
        .put(55, (byte) script.length)
        .put(46, (byte) 1)
        .position(56)
        .put(script)
        .array();
  }

  /** The id of a transaction does not depend on its witnesses. */
  @Test
  void witnessesDoNotChangeTheId() throws IOException {
    byte[] plain = paying(new byte[] {0x51});
    byte[] witness = new byte[plain.length + 2 + 4];
    System.arraycopy(plain, 0, witness, 0, 4);
    witness[5] = 1;
    System.arraycopy(plain, 4, witness, 6, plain.length - 8);
    System.arraycopy(new byte[] {1, 2, 9, 9}, 0, witness, plain.length - 2, 4);
    assertThat(BitcoinTransaction.parse(witness).id())
        .isEqualTo(BitcoinTransaction.parse(plain).id());
    assertThat(BitcoinTransaction.parse(SPENDING).inputs().get(0).outpoint())
        .isEqualTo(outpoint(BitcoinTransaction.parse(TRANSACTION).id(), 0));
  }

  @Test
  void whatIsNoTransactionIsRefused() {
    ForeignBloomFilter filter = Bip37Format.create(10, 1e-6, 0, Update.ALL);
    for (int length = 0; length < TRANSACTION.length; length++) {
      byte[] cut = Arrays.copyOf(TRANSACTION, length);
      assertThatThrownBy(() -> Bip37Format.isRelevantAndUpdate(filter, cut))
          .isInstanceOf(FilterFormatException.class);
    }
    byte[] longer = Arrays.copyOf(TRANSACTION, TRANSACTION.length + 1);
    assertThatThrownBy(() -> Bip37Format.isRelevantAndUpdate(filter, longer))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("the lock time: 4 bytes are expected, 5 are left");
    assertThat(filter.bitsSet()).isZero();
    assertThatThrownBy(() -> Bip37Format.isRelevantAndUpdate(EthereumFormat.create(), SPENDING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ethereum-bloom");
  }

  @Test
  void limits() throws IOException {
    assertThat(Update.values()).extracting(Update::wireId).containsExactly(0, 1, 2);
    ForeignBloomFilter largest = Bip37Format.create(1_000_000, 1e-9, 0, Update.NONE);
    assertThat(largest.sizeInBits()).isEqualTo(36_000 * 8);
    assertThat(Bip37Format.create(1, 1e-300, 0, Update.NONE).hashesPerKey()).isEqualTo(50);
    assertThat(bytes(largest)).hasSize(36_000 + 12);
    assertThatThrownBy(() -> Bip37Format.create(0, 0.1, 0, Update.NONE))
        .hasMessageContaining("expectedKeys = 0");
    assertThatThrownBy(() -> Bip37Format.create(1, 1.1, 0, Update.NONE))
        .hasMessageContaining("falsePositiveRate = 1.1");
    ForeignFormat.Maker maker = Bip37Format.FORMAT.maker().orElseThrow();
    assertThat(maker.create(1000, 0.01).mightContain("a")).isFalse();
    assertThatThrownBy(() -> maker.create(100_000, 0.001))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more than 36000 bytes");
    refused("00" + "33000000" + "00000000" + "00", "50");
    refused("00" + "32000000" + "00000000" + "03", "flags");
    refused("fda18c" + "00".repeat(36_001 + 9), "36000");
    refused("fd0100" + "00".repeat(10), "shortest");
    refused("ff0100000000000000" + "00".repeat(10), "2^32");
  }

  private static void refused(String hex, String what) {
    assertThatThrownBy(() -> Bip37Format.FORMAT.read(HEX.parseHex(hex)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(what);
  }

  /** A filter without bits matches everything, whatever its number of functions. */
  @Test
  void noBits() throws IOException {
    byte[] file = HEX.parseHex("00" + "05000000" + "00000000" + "01");
    ForeignBloomFilter filter = Bip37Format.FORMAT.read(file);
    assertThat(filter.mightContain("anything".getBytes(UTF_8))).isTrue();
    assertThat(filter.add("anything")).isFalse();
    assertThat(filter.falsePositiveRate()).isEqualTo(1);
    assertThat(Bip37Format.isRelevantAndUpdate(filter, TRANSACTION)).isTrue();
    assertThat(bytes(filter)).isEqualTo(file);
  }
}
