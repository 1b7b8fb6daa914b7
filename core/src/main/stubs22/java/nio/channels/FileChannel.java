package java.nio.channels;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What {@code src/main/java22} uses of it, for a JDK that does not have it. In no jar. */
public abstract class FileChannel {

  /** How a file is mapped. */
  public static class MapMode {
    public static final MapMode READ_ONLY = null;
  }

  public MemorySegment map(MapMode mode, long offset, long size, Arena arena) throws IOException {
    throw new AssertionError();
  }
}
