package java.lang.foreign;

import java.nio.ByteOrder;

/** What {@code src/main/java22} uses of it, for a JDK that does not have it. In no jar. */
public interface ValueLayout {
  OfLong JAVA_LONG_UNALIGNED = null;

  /** A number of 64 bits. */
  interface OfLong extends ValueLayout {
    OfLong withOrder(ByteOrder order);
  }
}
