package io.bloomery.foreign.hadoop;

import io.bloomery.foreign.hash.Lookup3;
import io.bloomery.foreign.hash.Murmur2;

/** The hash functions of Hadoop's filters. */
public enum HadoopHash {
  /** Jenkins' lookup3. */
  JENKINS(0),
  /** MurmurHash2, whose last bytes Hadoop takes in an order and with signs of its own. */
  MURMUR(1);

  private final int wireId;

  HadoopHash(int wireId) {
    this.wireId = wireId;
  }

  /** The number in files. */
  int wireId() {
    return wireId;
  }

  /** 32 bits of a byte string. */
  int hash(byte[] bytes, int offset, int length, int seed) {
    return this == JENKINS
        ? Lookup3.hash32(bytes, offset, length, seed)
        : Murmur2.hadoopHash32(bytes, offset, length, seed);
  }
}
