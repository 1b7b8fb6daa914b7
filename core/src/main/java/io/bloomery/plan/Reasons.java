package io.bloomery.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The sentences that explain the order of plans, with the decisive figures. */
final class Reasons {

  /** Smaller differences are ignored. */
  private static final double NOTABLE = 1.05;

  private final Needs needs;
  private final Plan best;
  private final Optional<Plan> next;

  /** Explains ranked plans. */
  Reasons(Needs needs, List<Plan> ranked) {
    this.needs = needs;
    this.best = ranked.get(0);
    List<Plan> others = ranked.stream().filter(plan -> plan.kind() != best.kind()).toList();
    this.next =
        others.stream()
            .filter(this::isTemptation)
            .findFirst()
            .or(() -> others.stream().findFirst());
  }

  /**
   * The plan with its reason: the best plan compared with the next kind, any other with the best.
   */
  Plan explained(Plan plan) {
    StringBuilder sentence = new StringBuilder(plan.variant().why());
    (plan.equals(best) ? next : Optional.of(best))
        .ifPresent(other -> sentence.append("; ").append(comparison(plan, other)));
    plan.variant().limits(needs).forEach(limit -> sentence.append("; but ").append(limit));
    if (plan.keyed()) {
      sentence.append("; hashed with a secret key, without which no one can ").append(harm());
    }
    if (plan.variant().isHashed() && needs.has(Need.SKEWED_POPULARITY)) {
      sentence.append(popularity(plan));
    }
    return plan.because(sentence.append('.').toString());
  }

  /** What a secret key prevents. */
  private String harm() {
    if (!needs.has(Need.PRIVATE)) {
      return "choose keys against it";
    }
    return needs.has(Need.HOSTILE_INPUT) ? "query it or choose keys against it" : "query it";
  }

  private String popularity(Plan plan) {
    if (!plan.variant().meets().contains(Need.SKEWED_POPULARITY)) {
      return "; it treats popular and rare keys alike";
    }
    return needs
        .popularity()
        .map(known -> "; the rate is that of a query by " + known)
        .orElse("; the rate is that of a query by Zipf's law, for want of weights");
  }

  /** Whether a plan beats the best plan in some respect. */
  private boolean isTemptation(Plan plan) {
    return plan.shape().sizeInBits() < best.shape().sizeInBits()
        || NOTABLE * plan.queryNanos() < best.queryNanos()
        || NOTABLE * plan.predictedRate() < best.predictedRate();
  }

  private String comparison(Plan plan, Plan other) {
    List<String> parts = new ArrayList<>();
    double memory = plan.bitsPerKey() / other.bitsPerKey();
    if (memory < 0.995 || memory > 1.005) {
      parts.add(
          "%s bits/key against %s".formatted(bits(plan.bitsPerKey()), bits(other.bitsPerKey())));
    }
    double error = (plan.predictedRate() + 1e-300) / (other.predictedRate() + 1e-300);
    if (needs.rate().isEmpty() ? isNotable(error) : error < 0.5 || error > 2) {
      parts.add(
          "a rate of %s against %s"
              .formatted(rate(plan.predictedRate()), rate(other.predictedRate())));
    }
    double time = plan.queryNanos() / other.queryNanos();
    parts.add(speed(time) + other.name());
    if (plan.equals(best) && memory >= 1 && error >= 1 && time >= 1 && plan.cost() < other.cost()) {
      parts.add("and quicker to build");
    }
    return String.join(", ", parts);
  }

  private static boolean isNotable(double ratio) {
    return ratio > NOTABLE || ratio < 1 / NOTABLE;
  }

  private static String speed(double ratio) {
    if (!isNotable(ratio)) {
      return "as fast as ";
    }
    return ratio > 1 ? times(ratio) + " slower than " : times(1 / ratio) + " faster than ";
  }

  private static String times(double ratio) {
    return String.format(
        Locale.ROOT, ratio < 1.1 ? "%.2f×" : ratio < 10 ? "%.1f×" : "%.0f×", ratio);
  }

  private static String bits(double bits) {
    return String.format(Locale.ROOT, bits < 1000 ? "%.2f" : "%,.0f", bits);
  }

  private static String rate(double rate) {
    if (rate == 0) {
      return "0";
    }
    return rate < 1e-5
        ? String.format(Locale.ROOT, "%.1e", rate)
        : String.format(Locale.ROOT, "%.2g %%", 100 * rate);
  }
}
