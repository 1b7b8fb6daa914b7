package io.bloomery.tools.problem;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Suggestions for an unknown name. */
public final class Suggestion {

  private static final int MOST_LISTED = 3;

  private Suggestion() {}

  /** A question such as {@code "; did you mean check?"}, or an empty text if no name is similar. */
  public static String hint(String typed, Iterable<String> names) {
    List<String> near = near(typed, names);
    return near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
  }

  /** Reports that there is no such name, and lists similar names, or all if none is similar. */
  public static String unknown(String what, String typed, Iterable<String> names) {
    String hint = hint(typed, names);
    return hint.isEmpty()
        ? "%s %s is not one of: %s".formatted(what, typed, String.join(", ", names))
        : "%s %s is unknown%s".formatted(what, typed, hint);
  }

  /**
   * The names at the least distance, if that is at most a third of what was typed; otherwise those
   * that begin with it.
   */
  private static List<String> near(String typed, Iterable<String> names) {
    String wanted = bare(typed);
    List<String> near = new ArrayList<>();
    int most = Math.max(1, wanted.length() / 3);
    int least = most + 1;
    for (String name : names) {
      String known = bare(name);
      int distance = distance(wanted, known);
      if (distance > most) {
        distance = known.startsWith(wanted) ? most + 1 : Integer.MAX_VALUE;
      }
      if (wanted.length() < 2 || known.length() < 2 || distance > least) {
        continue;
      }
      if (distance < least) {
        near.clear();
        least = distance;
      }
      near.add(name);
    }
    return near.subList(0, Math.min(MOST_LISTED, near.size()));
  }

  private static String bare(String name) {
    return name.replaceFirst("^-+", "").replaceFirst("=.*", "").toLowerCase(Locale.ROOT);
  }

  /** How many characters to insert, delete, replace or swap with their neighbour. */
  private static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, a, b, i, j);
      }
    }
    return cost[a.length()][b.length()];
  }

  private static int cheapest(int[][] cost, String a, String b, int i, int j) {
    boolean same = a.charAt(i - 1) == b.charAt(j - 1);
    int least = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
    least = Math.min(least, cost[i - 1][j - 1] + (same ? 0 : 1));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
  }
}
