package io.bloomery.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Files of Bitcoin, Ethereum, Squid, Gnutella and Mozilla. */
final class BitcoinSubjects {

  private BitcoinSubjects() {}

  static List<ForeignSubject> all() {
    return List.of(
        cascade("domains-v1-murmur.mlbf"),
        cascade("domains-v2-murmur.mlbf"),
        cascade("domains-v2-sha256-salt.mlbf"));
  }

  /** Exact for both lists, so none of the second is found. */
  private static ForeignSubject cascade(String file) {
    return new ForeignSubject(
        file,
        MozillaCascade.FORMAT,
        ForeignSubject.resource("/cascade/" + file),
        lines("/cascade/domains-in.txt.gz"),
        lines("/cascade/words-out.txt.gz"),
        List.of(),
        true);
  }

  private static List<byte[]> lines(String file) {
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(ForeignSubject.resource(file)))) {
      return new String(in.readAllBytes(), UTF_8).lines().map(l -> l.getBytes(UTF_8)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
