package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.foreign.bitcoin.Bip158Filter;
import io.bloomery.foreign.bitcoin.Bip37Format;
import io.bloomery.foreign.gnutella.GnutellaTables;
import io.bloomery.foreign.mozilla.MozillaCascadeFilter;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.testkit.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Files of Bitcoin, Ethereum, Squid, Gnutella, Mozilla and DCSO. */
public final class BitcoinSubjects {

  private static final HexFormat HEX = HexFormat.of();

  private BitcoinSubjects() {}

  public static List<ForeignSubject> all() {
    List<ForeignSubject> subjects = new ArrayList<>();
    subjects.add(cascade("domains-v1-murmur.mlbf"));
    subjects.add(cascade("domains-v2-murmur.mlbf"));
    subjects.add(cascade("domains-v2-sha256-salt.mlbf"));
    subjects.add(rustCascade());
    subjects.addAll(bip37());
    subjects.addAll(bip158());
    subjects.addAll(ethereum());
    subjects.add(squid());
    subjects.add(dcso());
    subjects.addAll(GnutellaTables.subjects());
    return subjects;
  }

  /** Exact for both lists, so none of the second is found. */
  private static ForeignSubject cascade(String file) {
    return new ForeignSubject(
        file,
        MozillaCascadeFilter.FORMAT,
        ForeignSubject.resource("/cascade/" + file),
        lines("/cascade/domains-in.txt.gz"),
        lines("/cascade/words-out.txt.gz"),
        List.of(),
        true);
  }

  private static ForeignSubject rustCascade() {
    return new ForeignSubject(
        "test_v2_sha256l32_salt_mlbf",
        MozillaCascadeFilter.FORMAT,
        ForeignSubject.resource("/cascade/test_v2_sha256l32_salt_mlbf"),
        List.of("this".getBytes(UTF_8), "that".getBytes(UTF_8)),
        List.of("other".getBytes(UTF_8)),
        List.of(),
        true);
  }

  private static List<byte[]> lines(String file) {
    return unzipped(file).lines().map(line -> line.getBytes(UTF_8)).toList();
  }

  private static String unzipped(String file) {
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(ForeignSubject.resource(file)))) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The filters of the vectors; one of them has no bits and matches everything. */
  private static List<ForeignSubject> bip37() {
    List<ForeignSubject> subjects = new ArrayList<>();
    for (Map<?, ?> row : rows(Json.resource("/foreign/bitcoin/bip37.json"), "filters")) {
      subjects.add(
          new ForeignSubject(
              "bip37 " + row.get("name"),
              Bip37Format.FORMAT,
              HEX.parseHex((String) row.get("serialized")),
              hexes(row.get("items")),
              hexes(row.get("absent")),
              List.of(),
              true));
    }
    return subjects;
  }

  /** Filters of testnet blocks; keys are the scripts of the outputs that the block spends. */
  private static List<ForeignSubject> bip158() {
    List<ForeignSubject> subjects = new ArrayList<>();
    for (Object entry : (List<?>) Json.resource("/vectors/bip158-testnet-19.json")) {
      List<?> row = (List<?>) entry;
      if (row.size() > 3 && !((List<?>) row.get(3)).isEmpty()) {
        byte[] filter = HEX.parseHex((String) row.get(5));
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.write(0);
        message.writeBytes(reversed((String) row.get(1)));
        message.write(filter.length);
        message.writeBytes(filter);
        subjects.add(
            new ForeignSubject(
                "bip158 block " + ((Double) row.get(0)).longValue(),
                Bip158Filter.FORMAT,
                message.toByteArray(),
                hexes(row.get(3)),
                IntStream.range(0, 2000).mapToObj(GuavaSubjects::text).toList(),
                List.of(),
                true));
      }
    }
    return subjects;
  }

  /** Receipts with logs; the keys of one are asked of the others by the rule of the bits. */
  private static List<ForeignSubject> ethereum() {
    List<ForeignSubject> subjects = new ArrayList<>();
    for (Map<?, ?> row : rows(Json.resource("/foreign/ethereum/logs-bloom.json"), "receipts")) {
      List<byte[]> keys = logKeys(row);
      if (!keys.isEmpty()) {
        subjects.add(
            new ForeignSubject(
                "ethereum " + row.get("transactionHash"),
                EthereumFormat.FORMAT,
                hex(row.get("logsBloom")),
                keys,
                IntStream.range(0, 2000).mapToObj(GuavaSubjects::text).toList(),
                List.of(),
                true));
      }
    }
    return subjects;
  }

  /** Addresses and topics of a receipt. */
  public static List<byte[]> logKeys(Map<?, ?> receipt) {
    List<byte[]> keys = new ArrayList<>();
    for (Map<?, ?> log : rows(receipt, "logs")) {
      keys.add(hex(log.get("address")));
      ((List<?>) log.get("topics")).forEach(topic -> keys.add(hex(topic)));
    }
    return keys;
  }

  private static ForeignSubject squid() {
    SquidFilter asked = squidDigest();
    List<byte[]> absent =
        unzipped("/foreign/squid/absent-a.tsv.gz")
            .lines()
            .skip(1)
            .map(line -> line.split("\t", -1)[1].getBytes(UTF_8))
            .toList();
    return new ForeignSubject(
        "squid/store_digest-a.bin",
        SquidFilter.FORMAT,
        ForeignSubject.resource("/foreign/squid/store_digest-a.bin"),
        squidEntries().stream().map(entry -> entry[1].getBytes(UTF_8)).toList(),
        absent,
        absent.stream().filter(asked::mightContain).toList(),
        true);
  }

  /** The filter of the tests of DCSO's tool. */
  private static ForeignSubject dcso() {
    return new ForeignSubject(
        "dcso/test.bloom",
        ForeignFormats.named("dcso"),
        ForeignSubject.resource("/foreign/dcso/test.bloom"),
        Stream.of("foo", "bar", "baz").map(key -> key.getBytes(UTF_8)).toList(),
        Stream.concat(
                Stream.of("qux".getBytes(UTF_8), "zap".getBytes(UTF_8)),
                IntStream.range(0, 2000).mapToObj(GuavaSubjects::text))
            .toList(),
        List.of(),
        true);
  }

  public static SquidFilter squidDigest() {
    try {
      return SquidFilter.FORMAT.read(ForeignSubject.resource("/foreign/squid/store_digest-a.bin"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Method, URL and store key of what the cache held. */
  public static List<String[]> squidEntries() {
    return new String(ForeignSubject.resource("/foreign/squid/cached-a.tsv"), UTF_8)
        .lines()
        .skip(1)
        .map(line -> line.split("\t", -1))
        .toList();
  }

  public static List<Map<?, ?>> rows(Object object, String name) {
    List<Map<?, ?>> rows = new ArrayList<>();
    ((List<?>) ((Map<?, ?>) object).get(name)).forEach(row -> rows.add((Map<?, ?>) row));
    return rows;
  }

  private static List<byte[]> hexes(Object list) {
    return ((List<?>) list).stream().map(BitcoinSubjects::hex).toList();
  }

  public static byte[] hex(Object text) {
    String digits = (String) text;
    return HEX.parseHex(digits.startsWith("0x") ? digits.substring(2) : digits);
  }

  /** The bytes of a hash that is shown with the last byte first. */
  public static byte[] reversed(String hex) {
    byte[] shown = HEX.parseHex(hex);
    byte[] bytes = new byte[shown.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = shown[shown.length - 1 - i];
    }
    return bytes;
  }
}
