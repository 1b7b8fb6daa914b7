package io.bloomery.security.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.security.fair.FairLimiter.Decision;
import io.bloomery.security.fair.FairLimiter.Permit;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FairLimiterTest {

  private static final int RESPONSIVE = 50;

  private long nanos;

  private FairOptions simulated(long seed) {
    return FairOptions.DEFAULT.with(() -> nanos, Seeds.random(seed));
  }

  /** The survey's example, and figures computed for the defaults of Linux. */
  @ParameterizedTest
  @CsvSource({
    "2, 23, 10, .129, .0005",
    "8, 16, 5, 3.3e-5, .05e-5",
    "8, 16, 10, .0026, .00005",
    "8, 16, 20, .076, .0005"
  })
  void publishedMisclassification(int levels, int bins, int overloading, double rate, double half) {
    assertThat(FairOptions.DEFAULT.withBins(levels, bins).misclassification(overloading))
        .isCloseTo(rate, within(half));
  }

  /**
   * M clients push the probabilities of all their bins to 1; of others, those that share each bin
   * with one of them are in the penalty box. One other client per limiter, since those of one
   * limiter share its bins.
   */
  @Test
  void innocentClientsArePenalizedAtThePredictedRate() {
    FairOptions plain = simulated(1);
    FairOptions options =
        new FairOptions(
            2,
            23,
            1,
            1_000,
            1,
            1e-3,
            plain.rehashEvery(),
            plain.warmUp(),
            0,
            0,
            plain.nanoTime(),
            plain.random());
    int trials = Effort.of(80_000);
    int penalized = 0;
    for (int trial = 0; trial < trials; trial++) {
      FairLimiter limiter = FairLimiter.create(options);
      for (int client = 0; client < 10; client++) {
        // Permits are never closed: the bins stay full.
        assertThat(limiter.enter("bad " + client).decision()).isNotEqualTo(Decision.FULL);
        assertThat(limiter.enter("bad " + client).isPenalized()).isTrue();
      }
      penalized += limiter.enter("good").isPenalized() ? 1 : 0;
    }
    Rates.assertRate(penalized, trials, options.misclassification(10), 5);
  }

  /** A client of the simulation. */
  private static final class Client {
    final String name;
    final boolean isResponsive;
    double perSecond;
    long handled;
    long penalized;

    Client(String name, boolean isResponsive, double perSecond) {
      this.name = name;
      this.isResponsive = isResponsive;
      this.perSecond = perSecond;
    }
  }

  private record Waiting(Client client, Permit permit) {}

  /**
   * A server that handles 200 requests per second in their order, clients that send more after each
   * success and half as much after a refusal, and some that send 1,000 per second whatever happens.
   */
  private List<Client> simulate(FairLimiter limiter, int unresponsive, double seconds, long seed) {
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < RESPONSIVE; i++) {
      clients.add(new Client("good " + i, true, 5));
    }
    for (int i = 0; i < unresponsive; i++) {
      clients.add(new Client("bad " + i, false, 1_000));
    }
    SplittableRandom random = Seeds.random(seed);
    Deque<Waiting> queue = new ArrayDeque<>();
    long step = 5_000_000; // one request is handled in each step
    long end = nanos + (long) (seconds * 1e9);
    for (; nanos < end; nanos += step) {
      Waiting first = queue.poll();
      if (first != null) {
        first.permit().close();
        first.client().handled++;
      }
      for (Client client : clients) {
        int requests = (int) (client.perSecond * step / 1e9 + random.nextDouble());
        for (int request = 0; request < requests; request++) {
          Permit permit = limiter.enter(client.name);
          client.penalized += permit.isPenalized() ? 1 : 0;
          if (permit.isGranted()) {
            queue.add(new Waiting(client, permit));
          }
          if (client.isResponsive) {
            client.perSecond =
                permit.isGranted() ? client.perSecond + .5 : Math.max(1, client.perSecond / 2);
          }
        }
      }
    }
    return clients;
  }

  @Test
  void clientsThatDoNotGiveWayAreHeldToThePenaltyRate() {
    FairLimiter limiter = FairLimiter.create(simulated(2));
    simulate(limiter, 4, 60, 3); // until the probabilities have risen
    double seconds = 120;
    List<Client> clients = simulate(limiter, 4, seconds, 4);
    int unpunished = 0;
    long bad = 0;
    for (Client client : clients) {
      if (client.isResponsive) {
        unpunished += client.penalized == 0 ? 1 : 0;
      } else {
        bad += client.handled;
        assertThat(client.handled / seconds)
            .isLessThanOrEqualTo(2 * FairOptions.DEFAULT.penaltyRate());
      }
    }
    assertThat(bad).isPositive();
    assertThat(unpunished).isGreaterThanOrEqualTo(RESPONSIVE * 9 / 10);
  }

  /** A good client that shares its bins with bad ones is free after the next hash. */
  @Test
  void aNewHashFreesPunishedClients() {
    FairOptions options = simulated(5).withBins(1, 2);
    FairLimiter limiter = FairLimiter.create(options);
    int freed = 0;
    int punished = 0;
    for (int round = 0; round < 40; round++) {
      List<Permit> held = new ArrayList<>();
      for (int request = 0; request < 3_000; request++) {
        held.add(limiter.enter("bad"));
      }
      boolean wasPunished = limiter.enter("good").isPenalized();
      nanos += options.rehashEvery().toNanos();
      boolean isPunished = limiter.enter("good").isPenalized();
      held.forEach(Permit::close);
      punished += wasPunished ? 1 : 0;
      freed += wasPunished && !isPunished ? 1 : 0;
    }
    assertThat(punished).isPositive();
    assertThat(freed).isEqualTo(punished); // nobody is in the new bins without a warm-up
  }

  /** In the warm-up the new bins learn who overloads the service. */
  @Test
  void clientsThatDoNotGiveWayStayPenalizedAfterANewHash() {
    FairOptions options = simulated(6).withPenalty(0, 0);
    FairLimiter limiter = FairLimiter.create(options);
    Runnable flood =
        () -> {
          for (int request = 0; request < 3_000; request++) {
            limiter.enter("bad");
          }
        };
    flood.run();
    assertThat(limiter.enter("bad").isPenalized()).isTrue();
    nanos += options.rehashEvery().minus(options.warmUp()).toNanos();
    flood.run();
    nanos += options.warmUp().toNanos();
    int granted = 0;
    for (int request = 0; request < 100; request++) {
      granted += limiter.enter("bad").isGranted() ? 1 : 0;
    }
    assertThat(granted).isLessThanOrEqualTo(2); // each with probability 1/6,000, and no token
  }

  @Test
  void permitsAreReturnedOnce() {
    FairLimiter limiter = FairLimiter.create(simulated(7));
    int most = FairOptions.DEFAULT.maxInProgress();
    List<Permit> held = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      held.add(limiter.enter("a"));
    }
    assertThat(limiter.enter("a").decision()).isEqualTo(Decision.FULL);
    held.get(0).close();
    held.get(0).close();
    assertThat(limiter.enter("a").isGranted()).isTrue();
    assertThat(limiter.enter("a").decision()).isEqualTo(Decision.FULL);
  }

  @Test
  void threadsLeaveAllBinsEmpty() {
    FairLimiter limiter = FairLimiter.create(FairOptions.DEFAULT);
    Race.run(
        4,
        thread -> {
          for (int i = 0; i < 20_000; i++) {
            limiter.enter("client " + (i & 7)).close();
          }
        });
    for (int i = 0; i < FairOptions.DEFAULT.maxInProgress(); i++) {
      assertThat(limiter.enter("client 1").decision()).isNotEqualTo(Decision.FULL);
    }
  }

  @Test
  void parametersAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FairOptions.DEFAULT.withBins(0, 16))
        .withMessageContaining("levels");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FairOptions.DEFAULT.withBins(8, 1))
        .withMessageContaining("bins");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FairOptions.DEFAULT.withPenalty(Double.NaN, 1))
        .withMessageContaining("penaltyRate");
  }
}
