package io.bloomery.deletable;

/**
 * What a deletable filter of few regions really is, without the assumption that regions are
 * independent: {@code keys} keys throw {@code probes} bits each, uniformly, into {@code regions}
 * regions of {@code width} bits. A region is clean if all bits thrown into it are distinct, and a
 * key can be removed if it has a bit in a clean region.
 */
record ExactDeletability(int keys, int probes, int regions, int width) {

  /** The expected share of regions that are not clean. */
  double collided() {
    int thrown = keys * probes;
    double inside = 1.0 / regions;
    double bit = inside / width;
    double clean = 0;
    double ways = 1; // for a number of bits in the region: binomial, and all different
    for (int bits = 0; bits <= Math.min(width, thrown); bits++) {
      clean += ways * Math.pow(1 - inside, thrown - bits);
      ways *= bit * (width - bits) * (thrown - bits) / (bits + 1);
    }
    return 1 - clean;
  }

  /**
   * The expected share of keys that can be removed: by inclusion and exclusion over the number of
   * regions that are clean and hold bits of the key.
   */
  double deletable() {
    double share = 0;
    double sets = -1;
    double[][] ways = {{1}};
    for (int chosen = 1; chosen <= Math.min(probes, regions); chosen++) {
      sets *= -(double) (regions - chosen + 1) / chosen;
      ways = withAnotherRegion(ways);
      share += sets * total(ways, 1 - (double) chosen / regions);
    }
    return share;
  }

  /** Ways of own and other bits in the chosen regions, without the choice of the throws. */
  private double[][] withAnotherRegion(double[][] ways) {
    int others = (keys - 1) * probes;
    double bit = 1.0 / regions / width;
    double[][] more = new double[probes + 1][others + 1];
    for (int own = 0; own < ways.length; own++) {
      for (int other = 0; other < ways[own].length; other++) {
        double first = ways[own][other];
        for (int a = 1; first > 0 && own + a <= probes; a++) {
          first *= bit * (width - a + 1) / a;
          double term = first;
          for (int b = 0; other + b <= others && a + b <= width; b++) {
            more[own + a][other + b] += term;
            term *= bit * (width - a - b) / (b + 1);
          }
        }
      }
    }
    return more;
  }

  private double total(double[][] ways, double outside) {
    int others = (keys - 1) * probes;
    double total = 0;
    double ownChoices = 1;
    for (int own = 0; own < ways.length; own++) {
      double choices = ownChoices;
      for (int other = 0; other < ways[own].length; other++) {
        if (ways[own][other] > 0) {
          total += ways[own][other] * choices * Math.pow(outside, probes - own + others - other);
        }
        choices *= others - other;
      }
      ownChoices *= probes - own;
    }
    return total;
  }
}
