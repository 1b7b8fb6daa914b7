package io.bloomery.format;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file that another system wrote, for the contract of all formats.
 *
 * @param name what it is
 * @param format its format
 * @param bytes the file
 * @param present keys that were added
 * @param absent keys that were not added
 * @param matching those of {@code absent} that the other system nevertheless answers with "maybe"
 * @param recognised whether its bytes alone say which format it is
 */
@SuppressWarnings("ArrayRecordComponent") // subjects are never compared
record ForeignSubject(
    String name,
    ForeignFormat<?> format,
    byte[] bytes,
    List<byte[]> present,
    List<byte[]> absent,
    List<byte[]> matching,
    boolean recognised) {

  /** All subjects; every registered format has one. */
  static Stream<ForeignSubject> all() {
    return Stream.of(GuavaSubjects.all(), RedisSubjects.all(), BitcoinSubjects.all())
        .flatMap(List::stream);
  }

  /** The bytes of a resource of the tests. */
  static byte[] resource(String name) {
    try (InputStream in = ForeignSubject.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("no resource " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
