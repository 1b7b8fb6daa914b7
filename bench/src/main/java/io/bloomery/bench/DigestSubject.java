package io.bloomery.bench;

import io.bloomery.similarity.HierarchicalDigest;
import io.bloomery.similarity.HierarchicalDigestShape;

/** A digest of payloads with blocks of 32 bytes; one level makes the block digest. */
final class DigestSubject extends ObjectSubject<byte[]> {

  private static final int BLOCK_BYTES = 32;
  private static final int EXCERPT_AT = 777;
  private static final int EXCERPT_BYTES = 100;

  private final int levels;
  private final boolean contentKeys;
  private HierarchicalDigest digest;

  DigestSubject(int levels, boolean contentKeys) {
    this.levels = levels;
    this.contentKeys = contentKeys;
  }

  @Override
  void create(int keys, double rate) {
    digest =
        HierarchicalDigest.create(
            HierarchicalDigestShape.forPayloads(
                (long) keys * Keys.PAYLOAD_BYTES, rate, BLOCK_BYTES, contentKeys, levels));
  }

  @Override
  void add(byte[] payload) {
    digest.add(payload);
  }

  @Override
  boolean query(byte[] payload) {
    return digest.mightContain(payload, EXCERPT_AT, EXCERPT_BYTES);
  }

  @Override
  long sizeInBits() {
    return digest.sizeInBits();
  }
}
