package io.bloomery.foreign;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;

/**
 * The readers under bytes that a fuzzer makes, guided by coverage. Stored inputs are given to all
 * readers in the ordinary run. To search for new ones in one reader, or in all without the
 * property:
 *
 * <pre>JAZZER_FUZZ=1 mvn -B test -pl core -Dtest=ReaderFuzzTest -Dbloomery.reader=guava</pre>
 *
 * A finding is stored below {@code src/test/resources}; keep it there. {@link HostileBytesTest}
 * needs no fuzzer.
 */
class ReaderFuzzTest {

  private static final List<HostileReader> READERS =
      HostileReader.all().stream()
          .filter(
              reader -> reader.name().equals(System.getProperty("bloomery.reader", reader.name())))
          .toList();

  static {
    READERS.forEach(HostileReader::warmUp);
  }

  @FuzzTest(maxDuration = "5m")
  void bytes(byte[] data) {
    for (HostileReader reader : READERS) {
      reader.check(data.clone());
      reader.check(reader.seal().apply(data.clone()));
    }
  }
}
