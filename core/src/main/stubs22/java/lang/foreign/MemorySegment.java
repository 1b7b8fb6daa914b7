package java.lang.foreign;

import java.nio.Buffer;

/** What {@code src/main/java22} uses of it, for a JDK that does not have it. In no jar. */
public interface MemorySegment {
  static MemorySegment ofBuffer(Buffer buffer) {
    throw new AssertionError();
  }

  static void copy(
      MemorySegment srcSegment,
      ValueLayout srcElementLayout,
      long srcOffset,
      MemorySegment dstSegment,
      ValueLayout dstElementLayout,
      long dstOffset,
      long elementCount) {
    throw new AssertionError();
  }

  long byteSize();

  MemorySegment asSlice(long offset, long newSize);

  long getAtIndex(ValueLayout.OfLong layout, long index);

  /** Whether a segment can be accessed. */
  interface Scope {
    boolean isAlive();
  }
}
