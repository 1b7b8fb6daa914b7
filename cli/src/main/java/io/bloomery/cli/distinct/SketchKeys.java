package io.bloomery.cli.distinct;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.foreign.KeyCoding;
import io.bloomery.foreign.TypedKeys;
import java.util.Arrays;
import java.util.function.Function;

/**
 * What DataSketches hashes for keys of each type: numbers as 8 bytes little-endian, those with a
 * fraction as {@code double} with one zero.
 */
final class SketchKeys implements KeyCoding {

  private static final byte[] MINUS_ZERO = {0, 0, 0, 0, 0, 0, 0, (byte) 0x80};

  @Override
  public TypedKeys assumed() {
    return Standard.LONG.assumed();
  }

  @Override
  public TypedKeys as(TypedKeys.Type type) {
    TypedKeys keys = Standard.LONG.as(type);
    if (type != TypedKeys.Type.DOUBLE && type != TypedKeys.Type.FLOAT) {
      return keys;
    }
    Function<String, byte[]> coder =
        text -> {
          byte[] utf8 = text.getBytes(UTF_8);
          byte[] bytes = keys.bytes(utf8, 0, utf8.length);
          return Arrays.equals(bytes, MINUS_ZERO) ? new byte[Long.BYTES] : bytes;
        };
    return TypedKeys.of(type.lowerCase(), coder);
  }
}
