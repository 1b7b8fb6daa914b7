package io.bloomery.security.known;

import io.bloomery.FrameHeader.Description;
import io.bloomery.security.known.KnownOptions.Digest;
import java.util.Arrays;
import java.util.Optional;

/**
 * What the file of a set says beyond its filter.
 *
 * @param digest by which files are known
 * @param files how many files or digests it was built of, including repeated ones
 * @param places whether it knows names and sizes
 * @param rate the rate that was asked for
 */
record SetFacts(Digest digest, long files, boolean places, double rate) {

  private static final String DIGEST = "file digest";
  private static final String FILES = "files";
  private static final String PLACES = "names and sizes";
  private static final String SEAL = "seal";

  /** The description of a file without a seal. */
  Description description() {
    return Description.NONE
        .with(DIGEST, digest.label())
        .with(FILES, files)
        .with(PLACES, places ? 1L : 0L)
        .with(Description.PROMISED_RATE, rate);
  }

  /** The description of a sealed file. */
  Description sealed(String seal) {
    return description().with(SEAL, seal);
  }

  /** The seal of a file; empty if it has none. */
  static Optional<String> seal(Description facts) {
    return facts.text(SEAL);
  }

  /** The facts of a set; empty if it is another file. */
  static Optional<SetFacts> read(Description facts) {
    return facts
        .text(DIGEST)
        .flatMap(
            label ->
                Arrays.stream(Digest.values()).filter(d -> d.label().equals(label)).findFirst())
        .map(
            digest ->
                new SetFacts(
                    digest,
                    number(facts, FILES).longValue(),
                    number(facts, PLACES).longValue() == 1,
                    number(facts, Description.PROMISED_RATE).doubleValue()));
  }

  private static Number number(Description facts, String name) {
    return facts.number(name).orElse(0L);
  }
}
