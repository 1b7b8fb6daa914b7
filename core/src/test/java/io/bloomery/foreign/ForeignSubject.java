package io.bloomery.foreign;

import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

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
public record ForeignSubject(
    String name,
    ForeignFormat<?> format,
    byte[] bytes,
    List<byte[]> present,
    List<byte[]> absent,
    List<byte[]> matching,
    boolean recognised) {

  /** All subjects; every registered format has one. */
  public static Stream<ForeignSubject> all() {
    return Stream.of(GuavaSubjects.all(), RedisSubjects.all(), BitcoinSubjects.all())
        .flatMap(List::stream);
  }

  /** The bytes of a resource of the tests. */
  public static byte[] resource(String name) {
    try (InputStream in = ForeignSubject.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("no resource " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes of a resource that is packed with gzip. */
  public static byte[] unpacked(String name) {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(resource(name)))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a filter writes. */
  public static byte[] written(ForeignFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  /** Keys of all lengths from 1 to 40 bytes, of all byte values. */
  public static byte[] key(int i) {
    byte[] key = new byte[1 + i % 40];
    Seeds.random(i).nextBytes(key);
    return key;
  }

  @Override
  public String toString() {
    return name;
  }
}
