package io.bloomery.security.revocation;

import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.file.AtomicFile;
import io.bloomery.frozen.FilterCascade;
import io.bloomery.security.revocation.RevocationOptions.Terms;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A signed list of the revoked keys of a universe, exact for each key of it: certificates, tokens,
 * licences, card numbers. The publisher builds it from the revoked keys and all others; whoever has
 * the publisher's public key can check keys without asking anyone.
 *
 * <p>{@link #isRevoked} is for callers who know that a key is in the universe; its answer for
 * others is meaningless. {@link #status} answers {@link Status#UNKNOWN} where that is not known.
 * Keys that were dropped from the universe, because they expired, are outside of it.
 *
 * <p>A list is read into memory as a whole: a signature says nothing about a mapped file that
 * changes later. The layout is in docs/apps/security.md.
 *
 * <p>Immutable; any number of threads may check.
 */
public final class RevocationList {

  /** What is known of a key. */
  public enum Status {
    /** In the universe and not revoked. */
    GOOD,
    /** In the universe and revoked. */
    REVOKED,
    /** Not known to be in the universe, or the list is no longer or not yet valid. */
    UNKNOWN
  }

  /** Why a list or an update is refused. */
  public enum Reason {
    /** The signature is not the publisher's, or something was changed. */
    SIGNATURE,
    /** Its time has not come. */
    NOT_YET_VALID,
    /** Its time is over. */
    EXPIRED,
    /** A newer list was seen. */
    OLDER,
    /** Another list with the same serial number was seen. */
    DIFFERENT,
    /** The lists of another publisher are remembered. */
    OTHER_PUBLISHER,
    /** The update is for another list. */
    DOES_NOT_FIT
  }

  /** A list or an update that is not to be trusted. */
  public static final class RefusedException extends IOException {

    private static final long serialVersionUID = 1;

    private final Reason reason;

    RefusedException(Reason reason, String message) {
      super(message);
      this.reason = reason;
    }

    /** Why it is refused. */
    public Reason reason() {
      return reason;
    }
  }

  /**
   * What a publisher made.
   *
   * @param list the whole list, for those who have none
   * @param update what turns the earlier list into this one; the whole list if that is not larger
   * @param isDelta whether the update needs the earlier list
   * @param reason why the update is what it is, for people
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Published(byte[] list, byte[] update, boolean isDelta, String reason) {}

  private final SignedList signed;
  private final RevocationOptions options;
  private final FilterCascade cascade;
  private final List<Changes> changes;

  private RevocationList(
      SignedList signed, RevocationOptions options, FilterCascade cascade, List<Changes> changes) {
    this.signed = signed;
    this.options = options;
    this.cascade = cascade;
    this.changes = changes;
  }

  /**
   * Builds and signs a list.
   *
   * @param terms number and times
   * @param revoked opens a stream of the revoked keys, the same each time; read several times and
   *     closed. Arrays may be used again for the next key
   * @param others opens a stream of all other keys of the universe
   * @param key the publisher's Ed25519 key
   * @return the list
   * @throws IllegalArgumentException if there are no keys, one is in both streams, or the key
   *     cannot sign by Ed25519
   */
  public static Published build(
      Terms terms,
      Supplier<? extends Stream<byte[]>> revoked,
      Supplier<? extends Stream<byte[]>> others,
      PrivateKey key) {
    return new Publisher(terms, revoked, others, key).whole("it is the first list");
  }

  /**
   * Builds and signs the list that follows this one. Both universes may differ.
   *
   * @param terms number and times; the number is above that of this list
   * @param revoked opens a stream of the keys that are revoked now, all of them
   * @param others opens a stream of all other keys of the universe
   * @param key the publisher's Ed25519 key
   * @return the list and the update, which is the whole list where a smaller one does not pay
   * @throws IllegalArgumentException as {@link #build}
   */
  public Published next(
      Terms terms,
      Supplier<? extends Stream<byte[]>> revoked,
      Supplier<? extends Stream<byte[]>> others,
      PrivateKey key) {
    return new Publisher(terms, revoked, others, key).after(this);
  }

  /**
   * Reads a list.
   *
   * @param file a list
   * @param options the publisher's key and what else is demanded
   * @return the list
   * @throws RefusedException if the list is not to be trusted
   * @throws IOException if it cannot be read, is no list, or too long
   */
  public static RevocationList open(Path file, RevocationOptions options) throws IOException {
    return read(SignedList.bytes(file, options.maxBytes()), options);
  }

  /**
   * Reads a list from memory.
   *
   * @param bytes a list
   * @param options the publisher's key and what else is demanded
   * @return the list
   * @throws RefusedException if the list is not to be trusted
   * @throws IOException if it is no list or too long, or the memory cannot be read or written
   */
  public static RevocationList read(byte[] bytes, RevocationOptions options) throws IOException {
    if (bytes.length > options.maxBytes()) {
      throw SignedList.tooLong("revocation list", bytes.length, options.maxBytes());
    }
    SignedList signed = SignedList.read(bytes.clone(), options.publicKey());
    signed.requireValid(options.clock());
    List<byte[]> parts = signed.parts();
    FilterCascade cascade =
        Filters.read(
            PackedFrame.unpack(parts.get(0), options.maxBytes()),
            ReadOptions.as(FilterCascade.class));
    List<Changes> changes = new ArrayList<>();
    for (byte[] part : parts.subList(1, parts.size())) {
      changes.add(Changes.read(part, options.maxBytes()));
    }
    Path memory = options.memory();
    if (memory != null) {
      NewestSeen.accept(memory, signed, options.publicKey());
    }
    return new RevocationList(signed, options, cascade, changes);
  }

  /**
   * The list that an update makes of this one. A whole list is read as such.
   *
   * @param update from {@link Published#update}
   * @return another list; this one stays as it is
   * @throws RefusedException if the update or the new list is not to be trusted, or does not fit
   * @throws IOException if it is no list or too long, or the memory cannot be read or written
   */
  public RevocationList update(byte[] update) throws IOException {
    return SignedList.isUpdate(update)
        ? read(signed.updated(update, options.maxBytes()), options)
        : read(signed.replacedBy(update), options);
  }

  /**
   * Saves the list, as signed by the publisher; an existing file is replaced at once.
   *
   * @param file the file
   * @throws IOException if it cannot be written
   */
  public void writeTo(Path file) throws IOException {
    AtomicFile.write(file, out -> out.write(signed.bytes()));
  }

  /**
   * Whether a key is revoked. The caller knows that the key is in the universe.
   *
   * @param key a key of the universe; for any other the answer is meaningless
   * @return true if it is revoked
   * @throws IllegalStateException if the list is not valid now
   */
  public boolean isRevoked(byte[] key) {
    if (!isValid()) {
      throw new IllegalStateException("the list is not valid now: " + terms());
    }
    return answer(hash(key));
  }

  /**
   * What is known of a key by the universe of the options; without one, nothing.
   *
   * @param key any key
   * @return {@link Status#UNKNOWN} unless the universe has the key
   */
  public Status status(byte[] key) {
    Predicate<byte[]> universe = options.universe();
    return universe == null || !universe.test(key) || !isValid() ? Status.UNKNOWN : known(key);
  }

  /**
   * What is known of a key that was issued at a given time, if the universe has all keys that were
   * issued before the list was; the universe of the options, if there is one, has to agree.
   *
   * @param key any key
   * @param issued when it was issued
   * @return {@link Status#UNKNOWN} if the list is not newer
   */
  public Status status(byte[] key, Instant issued) {
    Predicate<byte[]> universe = options.universe();
    boolean isKnown = issued.isBefore(terms().issued()) && isValid();
    return isKnown && (universe == null || universe.test(key)) ? known(key) : Status.UNKNOWN;
  }

  private Status known(byte[] key) {
    return answer(hash(key)) ? Status.REVOKED : Status.GOOD;
  }

  private boolean isValid() {
    return options.isInTime(terms());
  }

  long hash(byte[] key) {
    return cascade.hasher().hash(key);
  }

  boolean answer(long hash) {
    boolean answer = cascade.mightContainHash(hash);
    for (Changes change : changes) {
      answer ^= change.contains(hash);
    }
    return answer;
  }

  SignedList signed() {
    return signed;
  }

  /** Number and times of the list. */
  public Terms terms() {
    return signed.terms();
  }

  /** How many keys the universe had. */
  public long universe() {
    return signed.universe();
  }

  /** How many of them are revoked. */
  public long revoked() {
    return signed.revoked();
  }

  /** How many updates were applied to the cascade. */
  public int updates() {
    return changes.size();
  }

  /** The file: the list as signed. */
  public byte[] toBytes() {
    return signed.bytes().clone();
  }
}
