package io.bloomery.foreign.hash;

/**
 * Keccak with 256 bits of output, 1088 bits at a time (Bertoni, Daemen, Peeters and Van Assche
 * 2011). Ethereum's hash is the one of the submission, which differs from SHA3-256 in the first
 * byte of the padding.
 */
public final class Keccak {

  private static final int RATE = 136;
  private static final int LANES = 25;
  private static final int ROUNDS = 24;
  private static final int ETHEREUM = 0x01;

  private static final long[] ROUND_CONSTANTS = roundConstants();

  /** Lanes in the order in which rho and pi visit them, and how far each is turned. */
  private static final int[] PI = new int[LANES - 1];

  private static final int[] RHO = new int[LANES - 1];

  static {
    int x = 1;
    int y = 0;
    for (int i = 0; i < LANES - 1; i++) {
      RHO[i] = (i + 1) * (i + 2) / 2 % Long.SIZE;
      int nextY = (2 * x + 3 * y) % 5;
      x = y;
      y = nextY;
      PI[i] = x + 5 * y;
    }
  }

  private Keccak() {}

  /** Bit 2^j - 1 of a round's constant is the next bit of a shift register of 8 bits. */
  private static long[] roundConstants() {
    long[] constants = new long[ROUNDS];
    int register = 1;
    for (int round = 0; round < ROUNDS; round++) {
      for (int j = 0; j <= 6; j++) {
        if ((register & 1) == 1) {
          constants[round] |= 1L << ((1 << j) - 1);
        }
        register = (register << 1) ^ ((register >>> 7) * 0x171);
      }
    }
    return constants;
  }

  /** Keccak-256 as Ethereum uses it. */
  public static byte[] hash256(byte[] bytes, int offset, int length) {
    return hash256(bytes, offset, length, ETHEREUM);
  }

  /** The hash with this first byte of padding; 6 is SHA3-256. */
  static byte[] hash256(byte[] bytes, int offset, int length, int padding) {
    long[] state = new long[LANES];
    int at = 0;
    for (int i = 0; i < length; i++) {
      state[at >>> 3] ^= (bytes[offset + i] & 0xFFL) << (8 * (at & 7));
      if (++at == RATE) {
        permute(state);
        at = 0;
      }
    }
    state[at >>> 3] ^= (long) padding << (8 * (at & 7));
    state[RATE / 8 - 1] ^= Long.MIN_VALUE;
    permute(state);
    byte[] hash = new byte[32];
    for (int i = 0; i < hash.length; i++) {
      hash[i] = (byte) (state[i >>> 3] >>> (8 * (i & 7)));
    }
    return hash;
  }

  private static void permute(long[] state) {
    long[] row = new long[5];
    for (long constant : ROUND_CONSTANTS) {
      for (int x = 0; x < 5; x++) {
        row[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20];
      }
      for (int x = 0; x < 5; x++) {
        long mixed = row[(x + 4) % 5] ^ Long.rotateLeft(row[(x + 1) % 5], 1);
        for (int y = 0; y < LANES; y += 5) {
          state[x + y] ^= mixed;
        }
      }
      long lane = state[1];
      for (int i = 0; i < PI.length; i++) {
        long next = state[PI[i]];
        state[PI[i]] = Long.rotateLeft(lane, RHO[i]);
        lane = next;
      }
      for (int y = 0; y < LANES; y += 5) {
        System.arraycopy(state, y, row, 0, 5);
        for (int x = 0; x < 5; x++) {
          state[x + y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
        }
      }
      state[0] ^= constant;
    }
  }
}
