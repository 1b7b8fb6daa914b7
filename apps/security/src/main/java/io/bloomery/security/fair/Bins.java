package io.bloomery.security.fair;

import io.bloomery.hash.Hasher;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** One set of bins under one hash; not thread-safe. */
final class Bins {

  private final FairOptions options;
  private final int[] inProgress;
  private final double[] refusing;
  private Hasher hasher;
  private int generation;

  Bins(FairOptions options, RandomGenerator random) {
    this.options = options;
    this.inProgress = new int[options.levels() * options.bins()];
    this.refusing = new double[inProgress.length];
    this.hasher = newHasher(random);
  }

  private static Hasher newHasher(RandomGenerator random) {
    byte[] key = new byte[16];
    random.nextBytes(key);
    return Hasher.keyed(key);
  }

  /** Empties the bins and takes another hash. */
  void renew(RandomGenerator random) {
    Arrays.fill(inProgress, 0);
    Arrays.fill(refusing, 0);
    hasher = newHasher(random);
    generation++;
  }

  /** Which hash is in use; permits of others are not counted here. */
  int generation() {
    return generation;
  }

  /** The bins of a client, one per level. */
  int[] of(CharSequence client) {
    long hash = hasher.hash(client);
    int[] found = new int[options.levels()];
    for (int level = 0; level < found.length; level++) {
      long draw = hasher.hash(hash + level);
      found[level] = level * options.bins() + (int) (((draw >>> 32) * options.bins()) >>> 32);
    }
    return found;
  }

  /** Adapts the probabilities of bins that are empty or full. */
  void adapt(int[] bins) {
    for (int bin : bins) {
      if (inProgress[bin] == 0) {
        refusing[bin] = Math.max(0, refusing[bin] - options.decrement());
      } else if (inProgress[bin] >= options.binSize()) {
        refusing[bin] = Math.min(1, refusing[bin] + options.increment());
      }
    }
  }

  /** Raises the probabilities, as for requests to full bins. */
  void raise(int[] bins) {
    for (int bin : bins) {
      refusing[bin] = Math.min(1, refusing[bin] + options.increment());
    }
  }

  double leastRefusing(int[] bins) {
    double least = 1;
    for (int bin : bins) {
      least = Math.min(least, refusing[bin]);
    }
    return least;
  }

  int leastInProgress(int[] bins) {
    int least = Integer.MAX_VALUE;
    for (int bin : bins) {
      least = Math.min(least, inProgress[bin]);
    }
    return least;
  }

  void enter(int[] bins) {
    for (int bin : bins) {
      inProgress[bin]++;
    }
  }

  void leave(int[] bins) {
    for (int bin : bins) {
      inProgress[bin]--;
    }
  }
}
