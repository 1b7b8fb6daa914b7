package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.foreign.hadoop.HadoopDynamicFilter;
import io.bloomery.foreign.hadoop.HadoopFormat;
import io.bloomery.foreign.redis.RedisBloomFilter;
import io.bloomery.foreign.redis.RedisCuckooFilter;
import io.bloomery.testkit.Json;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Formats that are only read, because they hold a file of another format. */
final class Envelopes {

  private static final int CHECKSUM = 8;

  private Envelopes() {}

  /** Files that other systems wrote, by the subject whose filter is in them. */
  static Map<ForeignFormat<?>, List<Sample>> all() {
    return Map.of(
        RedisBloomFilter.DUMP,
        List.of(dump("bf-default-insert-500"), dump("bf-scaling-100-0.001-x2-to-1500")),
        RedisCuckooFilter.DUMP,
        List.of(dump("cf-1000-b2"), dump("cf-512-b4-expanding")),
        HadoopFormat.HUDI,
        List.of(hudi("simple_10000_000001_murmur"), hudi("simple_5000_000001_jenkins")),
        HadoopDynamicFilter.HUDI,
        List.of(hudi("dynamic_200_000001_murmur_1000")));
  }

  /** A file, and the subject that has the same filter. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Sample(String subject, byte[] bytes) {}

  private static Sample dump(String name) {
    Map<?, ?> facts = (Map<?, ?>) Json.resource("/foreign/redis/" + name + ".json");
    return new Sample(name, Base64.getDecoder().decode((String) facts.get("dump_base64")));
  }

  private static Sample hudi(String name) {
    String file = new String(ForeignSubject.resource("/foreign/hudi/" + name + ".bf.data"), UTF_8);
    String text = file.substring(file.indexOf("*/") + 2).strip();
    return new Sample("hudi/" + name, text.getBytes(US_ASCII));
  }

  /** Makes the checksum of a dump right again: CRC-64 of Jones, bit by bit. */
  static byte[] sealed(byte[] dump) {
    if (dump.length < CHECKSUM) {
      return dump;
    }
    long crc = 0;
    for (int i = 0; i < dump.length - CHECKSUM; i++) {
      crc ^= dump[i] & 0xFF;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = crc >>> 1 ^ ((crc & 1) == 0 ? 0 : Long.reverse(0xAD93D23594C935A9L));
      }
    }
    byte[] sealed = dump.clone();
    ByteBuffer.wrap(sealed).order(ByteOrder.LITTLE_ENDIAN).putLong(dump.length - CHECKSUM, crc);
    return sealed;
  }
}
