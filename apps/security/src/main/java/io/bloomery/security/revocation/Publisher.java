package io.bloomery.security.revocation;

import io.bloomery.frozen.CascadeShape;
import io.bloomery.frozen.FilterCascade;
import io.bloomery.hash.Hasher;
import io.bloomery.security.revocation.RevocationList.Published;
import io.bloomery.security.revocation.RevocationOptions.Terms;
import io.bloomery.tools.report.Text;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Makes lists and updates. */
final class Publisher {

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Two different keys rarely have the same hash; with another seed they have not. */
  private static final int SEEDS = 2;

  private final Terms terms;
  private final Supplier<? extends Stream<byte[]>> revoked;
  private final Supplier<? extends Stream<byte[]>> others;
  private final PrivateKey key;

  Publisher(
      Terms terms,
      Supplier<? extends Stream<byte[]>> revoked,
      Supplier<? extends Stream<byte[]>> others,
      PrivateKey key) {
    this.terms = terms;
    this.revoked = revoked;
    this.others = others;
    this.key = key;
  }

  private static Supplier<LongStream> hashes(
      Supplier<? extends Stream<byte[]>> keys, ToLongFunction<byte[]> hash) {
    return () -> {
      Stream<byte[]> stream = keys.get();
      return stream.mapToLong(hash).onClose(stream::close);
    };
  }

  private static long count(Supplier<? extends Stream<byte[]>> keys) {
    try (Stream<byte[]> stream = keys.get()) {
      return stream.mapToLong(key -> 1).sum(); // count() does not open all sources
    }
  }

  /** A whole list. */
  Published whole(String reason) {
    FilterCascade cascade = cascade(SEEDS);
    CascadeShape shape = cascade.shape();
    long universe = shape.members() + shape.others();
    if (universe == 0) {
      throw new IllegalArgumentException("the universe has no keys");
    }
    SignedList list =
        SignedList.sign(
            terms, universe, shape.members(), List.of(PackedFrame.of(cascade.toBytes())), key);
    return new Published(list.bytes(), list.bytes(), false, reason);
  }

  private FilterCascade cascade(int seeds) {
    Hasher hasher = Hasher.xxh3(RANDOM.nextLong());
    try {
      return FilterCascade.builder()
          .hasher(hasher)
          .buildOfHashes(hashes(revoked, hasher::hash), hashes(others, hasher::hash));
    } catch (IllegalArgumentException e) {
      if (seeds > 1) {
        return cascade(seeds - 1);
      }
      throw new IllegalArgumentException("a key is revoked and also among the others", e);
    }
  }

  /** An update, or a whole list where that is better. */
  Published after(RevocationList before) {
    Terms earlier = before.terms();
    if (terms.serial() <= earlier.serial()) {
      throw new IllegalArgumentException(
          "serial = "
              + terms.serial()
              + " is not above that of the earlier list, "
              + earlier.serial());
    }
    if (before.signed().parts().size() == SignedList.MAX_PARTS) {
      return whole("the earlier list has " + (SignedList.MAX_PARTS - 1) + " updates");
    }
    long members = count(revoked);
    long rest = count(others);
    Changes changes =
        Changes.of(
            before::answer,
            hashes(revoked, before::hash),
            hashes(others, before::hash),
            members + rest);
    if (changes == null) {
      return whole("two keys have the same hash, or one is revoked and also among the others");
    }
    List<byte[]> parts = new ArrayList<>(before.signed().parts());
    parts.add(changes.toBytes());
    SignedList list = SignedList.sign(terms, members + rest, members, parts, key);
    byte[] update = list.update(earlier.serial());
    long wholeBytes =
        new CascadeShape(members, rest, CascadeShape.SMALLEST_LAYER).sizeInBits() / Byte.SIZE;
    if (update.length >= wholeBytes) {
      return whole(
          "the update for %s would take %d bytes, the list %d"
              .formatted(Text.count(changes.count(), "changed key"), update.length, wholeBytes));
    }
    if (list.bytes().length > 2 * wholeBytes && list.bytes().length > 1 << 16) {
      return whole("the earlier list has grown by updates to more than twice its size");
    }
    return new Published(
        list.bytes(),
        update,
        true,
        Text.count(changes.count(), "answer") + " of the earlier list changed");
  }
}
