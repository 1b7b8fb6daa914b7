package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.Filter;
import io.bloomery.file.AtomicFile;
import io.bloomery.hash.Funnel;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A filter of another system. It hashes keys as that system does, so it gives the same answers for
 * the same bytes and can be saved in that system's own format. It cannot be converted to another
 * kind: bits are meaningful only with their hash function.
 *
 * <p>A key is the byte string that the other system hashes. Text is its UTF-8 bytes; a {@code long}
 * is encoded as that system encodes a 64-bit integer, 8 bytes little-endian unless the format says
 * otherwise.
 */
public interface ForeignFilter extends Filter {

  /**
   * The format that it was read from and is written to.
   *
   * @return a registered format
   */
  ForeignFormat<?> format();

  /**
   * What is hashed for keys of each type, and which type the keys have if the file or its format
   * says so.
   *
   * @return that of the format, unless the file states the type of its keys
   */
  default KeyCoding keyCoding() {
    return format().keyCoding();
  }

  /**
   * The fields of its header: names as words, values as numbers or strings.
   *
   * @return an unmodifiable map in the order of the header
   */
  Map<String, Object> fields();

  /**
   * A copy in another format that hashes keys in the same way and gives the same answer for every
   * key.
   *
   * @param other the other format
   * @return empty if that format has no such filter
   */
  default Optional<ForeignFilter> as(ForeignFormat<?> other) {
    return Optional.empty();
  }

  /**
   * Writes it in its own format.
   *
   * @param out the stream; neither flushed nor closed
   * @throws IOException if writing fails
   */
  void writeTo(OutputStream out) throws IOException;

  /**
   * The length of its file.
   *
   * @return bytes that {@link #writeTo(OutputStream)} writes
   */
  long storedBytes();

  /**
   * Saves it in its own format; the file is replaced as a whole or left as it was.
   *
   * @param file the file to make or replace
   * @throws IOException if writing fails
   */
  default void writeTo(Path file) throws IOException {
    AtomicFile.write(file, this::writeTo);
  }

  @Override
  default boolean mightContain(CharSequence key) {
    return mightContain(Objects.requireNonNull(key, "key").toString().getBytes(UTF_8));
  }

  @Override
  default boolean mightContain(byte[] key) {
    return mightContain(Objects.requireNonNull(key, "key"), 0, key.length);
  }

  /** {@inheritDoc} */
  @Override
  default boolean mightContain(long key) {
    return mightContain(littleEndian(key));
  }

  @Override
  default <T> boolean mightContain(T key, Funnel<? super T> funnel) {
    return mightContain(Funnel.Fields.bytesOf(key, funnel));
  }

  /**
   * The bytes of an integer, lowest first.
   *
   * @param key the integer
   * @return 8 bytes
   */
  static byte[] littleEndian(long key) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array();
  }
}
