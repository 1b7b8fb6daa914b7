package io.bloomery.security.version;

import io.bloomery.security.version.ReleaseFinder.Candidate;
import io.bloomery.security.version.ReleaseFinder.Match;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Orders the releases of one library. What is in the jar of the library, the union of what was
 * found of all releases, is explained best by the release that has most of it. Of several that have
 * as much, one that is there as a whole is better than one of which classes are missing; if none is
 * whole, only a part of the library is in the jar, missing classes say nothing, and they are tied.
 */
final class Ranking {

  private Ranking() {}

  static List<Match> of(List<Candidate> library, double f) {
    Set<Long> union = new HashSet<>();
    library.forEach(candidate -> union.addAll(candidate.found()));
    List<Match> matches = new ArrayList<>();
    for (Candidate each : library) {
      int found = each.found().size();
      matches.add(
          new Match(
              each.jar(),
              each.library(),
              each.release(),
              each.classes(),
              found,
              Count.least(found, each.classes(), f),
              Count.most(found, each.classes(), f),
              union.size(),
              0,
              false));
    }
    matches.sort(
        Comparator.comparingInt(Match::found)
            .reversed()
            .thenComparing(Comparator.comparingDouble(Match::share).reversed()));
    List<Match> ranked = new ArrayList<>();
    int rank = 0;
    for (int i = 0; i < matches.size(); i++) {
      Match match = matches.get(i);
      boolean afterEqual = i > 0 && areEqual(matches.get(i - 1), match);
      boolean beforeEqual = i + 1 < matches.size() && areEqual(match, matches.get(i + 1));
      rank = afterEqual ? rank : i + 1;
      ranked.add(
          new Match(
              match.jar(),
              match.library(),
              match.release(),
              match.classes(),
              match.found(),
              match.least(),
              match.most(),
              match.ofLibrary(),
              rank,
              afterEqual || beforeEqual));
    }
    return ranked;
  }

  /** Whether the jar does not tell a release from the next one. */
  private static boolean areEqual(Match better, Match worse) {
    boolean coverMayBeEqual = worse.most() >= better.least();
    boolean isWhole = better.most() == better.classes();
    boolean worseIsWhole = worse.most() == worse.classes();
    return coverMayBeEqual && isWhole == worseIsWhole;
  }
}
