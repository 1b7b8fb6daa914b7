package io.bloomery.security.fair;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests of clients that overload a service, without a record of each client.
 *
 * <p>Each of L hashes puts a client into one of the N bins of a level. A bin counts the requests in
 * progress of its clients and has a probability of refusing, which rises with every request to a
 * full bin and falls with every request to an empty one. A request is refused with the least
 * probability of its client's bins, so that a client suffers only if it shares all its bins with
 * clients that overload the service. Those whose least probability has come to 1 are in the penalty
 * box.
 *
 * <p>After {@link FairOptions#rehashEvery} other bins are chosen by a new secret hash, so that
 * nobody shares the bins of an overloading client for long. In the warm-up before that the new bins
 * learn beside the old ones which clients these are.
 *
 * <pre>{@code
 * try (FairLimiter.Permit permit = limiter.enter(address)) {
 *   if (!permit.isGranted()) {
 *     return tooManyRequests();
 *   }
 *   return handle(request);
 * }
 * }</pre>
 *
 * <p>Thread-safe, by a lock.
 */
public final class FairLimiter {

  /** What became of a request. */
  public enum Decision {
    /** It may be handled. */
    GRANTED,
    /** Refused by chance, with the probability of its client's bins. */
    REFUSED,
    /** Refused, since all bins of its client have the most requests in progress. */
    FULL,
    /** Refused, since its client is in the penalty box, whose rate is used up. */
    PENALTY
  }

  /** The right to handle a request; closing it says that the request has been handled. */
  public final class Permit implements AutoCloseable {
    private final Decision decision;
    private final boolean isPenalized;
    private final int[][] entered;
    private final int[] generations;
    private boolean isOpen;

    private Permit(Decision decision, boolean isPenalized, int[][] entered, int[] generations) {
      this.decision = decision;
      this.isPenalized = isPenalized;
      this.entered = entered;
      this.generations = generations;
      this.isOpen = decision == Decision.GRANTED;
    }

    /**
     * Whether the request may be handled.
     *
     * @return false if it is refused
     */
    public boolean isGranted() {
      return decision == Decision.GRANTED;
    }

    /**
     * What became of the request.
     *
     * @return the decision
     */
    public Decision decision() {
      return decision;
    }

    /**
     * Whether the client is in the penalty box, of which a few requests are granted.
     *
     * @return whether all its bins refuse
     */
    public boolean isPenalized() {
      return isPenalized;
    }

    /** The request has been handled. Again, or for a refused one, it does nothing. */
    @Override
    public void close() {
      leave(this);
    }
  }

  private static final double NANOS = 1e9;

  private final FairOptions options;
  private final RandomGenerator random;
  private final Bins[] sets;
  private int current;
  private boolean isWarmingUp;
  private long begun;
  private double tokens;
  private long refilled;

  private FairLimiter(FairOptions options) {
    this.options = options;
    RandomGenerator given = options.random();
    this.random = given == null ? new SecureRandom() : given;
    this.sets = new Bins[] {new Bins(options, random), new Bins(options, random)};
    this.begun = options.nanoTime().getAsLong();
    this.refilled = begun;
    this.tokens = options.penaltyBurst();
  }

  /**
   * A limiter with empty bins.
   *
   * @param options its parameters
   * @return the limiter
   */
  public static FairLimiter create(FairOptions options) {
    return new FairLimiter(options);
  }

  /**
   * Decides about a request.
   *
   * @param client who sent it: an address, a network or an account
   * @return a permit, to be closed when the request has been handled
   */
  public synchronized Permit enter(CharSequence client) {
    long now = options.nanoTime().getAsLong();
    rehashIfDue(now);
    int[][] entered = new int[sets.length][];
    int[] generations = new int[sets.length];
    int[] own = sets[current].of(client);
    sets[current].adapt(own);
    entered[current] = own;
    generations[current] = sets[current].generation();
    double refusing = sets[current].leastRefusing(own);
    boolean isPenalized = refusing >= 1;
    if (isWarmingUp) {
      int next = current ^ 1;
      entered[next] = sets[next].of(client);
      generations[next] = sets[next].generation();
      if (isPenalized) {
        sets[next].raise(entered[next]);
      } else {
        sets[next].adapt(entered[next]);
      }
    }
    Decision decision = decide(own, refusing, now);
    if (decision == Decision.GRANTED) {
      for (int i = 0; i < sets.length; i++) {
        if (entered[i] != null) {
          sets[i].enter(entered[i]);
        }
      }
    }
    return new Permit(decision, isPenalized, entered, generations);
  }

  private Decision decide(int[] own, double refusing, long now) {
    if (sets[current].leastInProgress(own) >= options.maxInProgress()) {
      return Decision.FULL;
    }
    if (refusing >= 1) {
      return takeToken(now) ? Decision.GRANTED : Decision.PENALTY;
    }
    return random.nextDouble() < refusing ? Decision.REFUSED : Decision.GRANTED;
  }

  private boolean takeToken(long now) {
    double gained = (now - refilled) / NANOS * options.penaltyRate();
    tokens = Math.min(options.penaltyBurst(), tokens + gained);
    refilled = now;
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }

  private void rehashIfDue(long now) {
    long age = now - begun;
    if (age >= options.rehashEvery().toNanos()) {
      sets[current].renew(random);
      current ^= 1;
      begun = now;
      isWarmingUp = false;
    } else if (age >= options.rehashEvery().minus(options.warmUp()).toNanos()) {
      isWarmingUp = true;
    }
  }

  private synchronized void leave(Permit permit) {
    if (!permit.isOpen) {
      return;
    }
    permit.isOpen = false;
    for (int i = 0; i < sets.length; i++) {
      int @Nullable [] entered = permit.entered[i];
      if (entered != null && sets[i].generation() == permit.generations[i]) {
        sets[i].leave(entered);
      }
    }
  }
}
