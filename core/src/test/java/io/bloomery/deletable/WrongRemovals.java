package io.bloomery.deletable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * What happens when keys that were never added are removed from a filter that cannot tell apart the
 * keys of one class, of which there are {@code classes}: an outsider removes a member of its class
 * as long as there is one, so of <i>a</i> members and <i>b</i> outsiders in a class min(a, b) are
 * removed, and the members are lost if b ≥ a. Members and outsiders per class are Poisson
 * distributed, and classes are as good as independent.
 */
record WrongRemovals(double classes, int members, int outsiders) {

  /** Classes of more keys are not met. */
  private static final int MOST = 30;

  void assertRemoved(long removed) {
    double mean = 0;
    double squares = 0;
    for (int j = 1; j < MOST; j++) {
      double both = atLeast(members / classes, j) * atLeast(outsiders / classes, j);
      mean += both;
      squares += (2 * j - 1) * both;
    }
    assertNear(removed, mean, squares);
  }

  void assertLost(long lost) {
    double mean = 0;
    double squares = 0;
    for (int a = 1; a < MOST; a++) {
      double all = exactly(members / classes, a) * atLeast(outsiders / classes, a);
      mean += a * all;
      squares += a * a * all;
    }
    assertNear(lost, mean, squares);
  }

  private void assertNear(long found, double mean, double squares) {
    double deviation = Math.sqrt(classes * (squares - mean * mean));
    assertThat((double) found).isCloseTo(classes * mean, within(5 * deviation));
  }

  private static double atLeast(double load, int count) {
    double sum = 0;
    for (int i = count; i < count + MOST; i++) {
      sum += exactly(load, i);
    }
    return sum;
  }

  private static double exactly(double load, int count) {
    double probability = Math.exp(-load);
    for (int i = 1; i <= count; i++) {
      probability *= load / i;
    }
    return probability;
  }
}
