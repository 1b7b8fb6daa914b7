package io.bloomery.net.match;

import io.bloomery.FilterFullException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/**
 * The prefixes of both versions of IP with their values. Updates wait for each other. What lookups
 * read, they change under the write lock; a lookup that was overtaken by such a change is repeated.
 */
final class Tables {

  private final StampedLock lock = new StampedLock();
  private final Values values = new Values();
  private final Family four;
  private final Family six;
  private final long maxBytes;

  Tables(PrefixOptions options) {
    four = new Family(32, options, lock);
    six = new Family(128, options, lock);
    maxBytes = options.maxBytes();
  }

  Family family(boolean isSix) {
    return isSix ? six : four;
  }

  @Nullable String value(boolean isSix, long high, long low) {
    Family family = family(isSix);
    long stamp = lock.tryOptimisticRead();
    if (stamp != 0) {
      String value = values.name(family.find(high, low));
      if (lock.validate(stamp)) {
        return value;
      }
    }
    stamp = lock.readLock();
    try {
      return values.name(family.find(high, low));
    } finally {
      lock.unlockRead(stamp);
    }
  }

  Optional<PrefixTable.Match> match(Address address) {
    long stamp = lock.readLock();
    try {
      int entry = family(address.six()).find(address.high(), address.low());
      String value = values.name(entry);
      return value == null
          ? Optional.empty()
          : Optional.of(new PrefixTable.Match(address.cut(Slots.length(entry)).toString(), value));
    } finally {
      lock.unlockRead(stamp);
    }
  }

  synchronized Optional<String> put(Address prefix, String value) {
    int entry = entry(prefix, value);
    try {
      return released(family(prefix.six()).put(prefix.high(), prefix.low(), entry));
    } catch (FilterFullException e) {
      values.release(Slots.id(entry));
      throw e;
    }
  }

  synchronized Optional<String> remove(Address prefix) {
    return released(family(prefix.six()).remove(prefix.high(), prefix.low(), prefix.length()));
  }

  private int entry(Address prefix, String value) {
    int id = values.use(value);
    long bytes = values.bytes();
    if (bytes > maxBytes) {
      values.release(id);
      throw new FilterFullException(
          "the values need %d bytes; maxBytes allows %d".formatted(bytes, maxBytes));
    }
    return prefix.length() << Slots.LENGTH_SHIFT | id;
  }

  /** The value of an entry that is no longer in the table. */
  private Optional<String> released(int entry) {
    String value = values.name(entry);
    if (entry != 0) {
      values.release(Slots.id(entry));
    }
    return Optional.ofNullable(value);
  }

  /** Notes a prefix before {@link #build}, unless it has a value and keeps it. */
  synchronized void note(Address prefix, String value, boolean keeps) {
    Family family = family(prefix.six());
    if (!keeps || family.get(prefix.high(), prefix.low(), prefix.length()) == 0) {
      released(family.note(prefix.high(), prefix.low(), entry(prefix, value)));
    }
  }

  /** Takes back what was noted of a prefix. */
  synchronized void forget(Address prefix) {
    released(family(prefix.six()).forget(prefix.high(), prefix.low(), prefix.length()));
  }

  /** Makes what lookups read of all that was noted. */
  synchronized void build() {
    four.build(false);
    six.build(false);
  }

  synchronized void write(OutputStream out) throws IOException {
    TableFile.write(out, four, six, values);
  }

  synchronized PrefixTable.Facts facts(boolean isSix) {
    return family(isSix).facts();
  }

  synchronized long bytes() {
    return four.bytes() + six.bytes() + values.bytes();
  }
}
