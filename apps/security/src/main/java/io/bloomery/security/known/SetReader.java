package io.bloomery.security.known;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.FrameHeader;
import io.bloomery.HashedFilter;
import io.bloomery.ReadOptions;
import io.bloomery.Storable;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.secure.KeyedFilters;
import io.bloomery.secure.Secret;
import io.bloomery.security.known.KnownFiles.Info;
import io.bloomery.security.known.KnownOptions.Digest;
import io.bloomery.tools.name.Octets;
import java.io.IOException;
import java.nio.file.Path;

/**
 * An opened set.
 *
 * @param filter its filter
 * @param info what it says about itself
 */
record SetReader(Filter filter, Info info) {

  /** Opens a set of Bloomery or of DCSO's format. */
  static SetReader open(Path file, KnownOptions options) throws IOException {
    return Filters.isNative(file) ? openNative(file, options) : openDcso(file, options);
  }

  private static SetReader openNative(Path file, KnownOptions options) throws IOException {
    FrameHeader header = Filters.header(file);
    SetFacts facts =
        SetFacts.read(header.description())
            .orElseThrow(() -> new IOException(Octets.name(file) + ": not a set of known files"));
    Digest asked = options.digest();
    if (asked != null && asked != facts.digest()) {
      throw new IOException(
          "%s: knows files by %s, not by %s"
              .formatted(Octets.name(file), facts.digest().label(), asked.label()));
    }
    Secret secret = options.secret();
    if (secret == null && header.isKeyed()) {
      throw new IOException(Octets.name(file) + ": was built under a secret, which is needed");
    }
    if (secret != null && !header.isKeyed()) {
      throw new IOException(Octets.name(file) + ": was built without a secret");
    }
    HashedFilter filter =
        secret == null
            ? Filters.map(file, ReadOptions.as(HashedFilter.class).verified())
            : openSealed(file, facts, header, secret);
    Info info =
        new Info(
            facts.digest(),
            facts.files(),
            filter.falsePositiveRate(),
            facts.places(),
            secret != null,
            filter.sizeInBits());
    return new SetReader(filter, info);
  }

  /** Reads a filter into the heap, so that it is what was verified. */
  private static HashedFilter openSealed(
      Path file, SetFacts facts, FrameHeader header, Secret secret) throws IOException {
    ReadOptions<HashedFilter> options =
        ReadOptions.as(HashedFilter.class).withHashers(KeyedFilters.of(secret));
    HashedFilter filter = Filters.open(file, options);
    String seal = SetFacts.seal(header.description()).orElse("");
    if (!Seal.equal(seal, Seal.of(secret, facts, (Storable) filter))) {
      throw new FilterFormatException(file.toString(), 0, "was not written under this secret");
    }
    return filter;
  }

  private static SetReader openDcso(Path file, KnownOptions options) throws IOException {
    if (options.secret() != null) {
      throw new IOException(Octets.name(file) + ": was built without a secret");
    }
    Filter filter;
    try {
      filter = ForeignFormats.open(file, SetBuilder.DCSO);
    } catch (FilterFormatException e) {
      throw new IOException(
          "%s: not a set of known files, nor in DCSO's format: %s"
              .formatted(Octets.name(file), e.getMessage()),
          e);
    }
    Digest digest = options.digest() == null ? Digest.SHA1 : options.digest();
    return new SetReader(
        filter, new Info(digest, 0, filter.falsePositiveRate(), false, false, filter.sizeInBits()));
  }
}
