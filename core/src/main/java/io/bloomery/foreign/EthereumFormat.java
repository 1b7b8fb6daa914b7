package io.bloomery.foreign;

import io.bloomery.foreign.bytes.FileLayout;
import io.bloomery.foreign.bytes.ForeignBytes;
import io.bloomery.foreign.hash.Keccak;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * The logs bloom of Ethereum's receipts and block headers: 2048 bits, highest byte first. A key is
 * the 20 bytes of a contract's address or the 32 bytes of a topic; the first three pairs of bytes
 * of its Keccak-256 give a bit each. A block's filter is the merge of its receipts'.
 *
 * <p>Wood 2014, "Ethereum: A Secure Decentralised Generalised Transaction Ledger", sec. 4.3.1.
 */
public final class EthereumFormat {

  public static final ForeignFormat<ForeignBloomFilter> FORMAT =
      ForeignFormat.of(
              "ethereum-bloom",
              "Ethereum logs bloom",
              ForeignBloomFilter.class,
              new FileLayout<>(
                  FileLayout.Evidence.LENGTH,
                  in -> in.needExactly(256, "the bits"),
                  EthereumFormat::read))
          .withKeys(KeyCoding.Standard.HEX);

  private static final int BYTES = 256;
  private static final int BITS = 2048;
  private static final int WORDS = 32;

  private EthereumFormat() {}

  /**
   * An empty filter.
   *
   * @return the filter of a receipt without logs
   */
  public static ForeignBloomFilter create() {
    return new ForeignBloomFilter(Scheme.INSTANCE, BITS, new long[WORDS]);
  }

  private static ForeignBloomFilter read(ForeignBytes in) throws IOException {
    in.order(ByteOrder.BIG_ENDIAN).needExactly(BYTES, "the bits");
    return new ForeignBloomFilter(Scheme.INSTANCE, BITS, reversed(in.words(WORDS, "the bits")));
  }

  private static long[] reversed(long[] words) {
    long[] reversed = new long[WORDS];
    for (int i = 0; i < WORDS; i++) {
      reversed[i] = words[WORDS - 1 - i];
    }
    return reversed;
  }

  private enum Scheme implements ForeignBloomFilter.Scheme {
    INSTANCE;

    @Override
    public ForeignFormat<ForeignBloomFilter> format() {
      return FORMAT;
    }

    @Override
    public int hashesPerKey() {
      return 3;
    }

    @Override
    public void indexes(byte[] bytes, int offset, int length, long bits, long[] out) {
      byte[] hash = Keccak.hash256(bytes, offset, length);
      for (int i = 0; i < out.length; i++) {
        out[i] = (((hash[2 * i] & 0xFF) << 8) | (hash[2 * i + 1] & 0xFF)) % bits;
      }
    }

    @Override
    public Map<String, Object> fields() {
      return Map.of("hash", "Keccak-256");
    }

    @Override
    public long storedBytes(long bits, long[] words) {
      return BYTES;
    }

    @Override
    public void write(long bits, long[] words, OutputStream out) throws IOException {
      new ForeignBytes.Output(out, ByteOrder.BIG_ENDIAN).words(reversed(words)).flush();
    }
  }
}
