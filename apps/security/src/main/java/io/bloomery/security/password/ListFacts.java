package io.bloomery.security.password;

import io.bloomery.FrameHeader.Description;
import io.bloomery.HashedFilter;
import io.bloomery.security.password.PasswordList.Info;
import java.util.Optional;

/** What the file of a list says beyond its filter. */
final class ListFacts {

  private static final String DIGEST = "password digest";
  private static final String PASSWORDS = "passwords";
  private static final String ONE_CHANGE = "one change";
  private static final String COUNT_CLASSES = "count classes";

  private ListFacts() {}

  static Description of(PasswordOptions options, PasswordDigest digest, long passwords) {
    return Description.NONE
        .with(DIGEST, digest.label())
        .with(PASSWORDS, passwords)
        .with(ONE_CHANGE, options.oneChange() ? 1L : 0L)
        .with(COUNT_CLASSES, options.countClasses() ? 1L : 0L)
        .with(Description.PROMISED_RATE, options.rate());
  }

  /** The facts of a list; empty if it is another file. */
  static Optional<Info> read(Description facts, HashedFilter filter) {
    return facts
        .text(DIGEST)
        .filter(PasswordDigest::isLabel)
        .map(
            digest ->
                new Info(
                    digest,
                    number(facts, PASSWORDS),
                    filter.falsePositiveRate(),
                    number(facts, ONE_CHANGE) == 1,
                    number(facts, COUNT_CLASSES) == 1,
                    filter.sizeInBits()));
  }

  private static long number(Description facts, String name) {
    return facts.number(name).map(Number::longValue).orElse(0L);
  }
}
