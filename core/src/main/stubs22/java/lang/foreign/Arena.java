package java.lang.foreign;

/** What {@code src/main/java22} uses of it, for a JDK that does not have it. In no jar. */
public interface Arena extends AutoCloseable {
  static Arena ofAuto() {
    throw new AssertionError();
  }

  static Arena ofShared() {
    throw new AssertionError();
  }

  MemorySegment allocate(long byteSize, long byteAlignment);

  MemorySegment.Scope scope();

  @Override
  void close();
}
