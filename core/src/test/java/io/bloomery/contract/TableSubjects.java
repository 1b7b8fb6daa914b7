package io.bloomery.contract;

import io.bloomery.Filters;
import io.bloomery.deletable.CuckooFilter;
import io.bloomery.deletable.CuckooFilter.Partner;
import io.bloomery.deletable.CuckooShape;
import io.bloomery.deletable.QuotientFilter;
import io.bloomery.deletable.QuotientShape;
import io.bloomery.hash.Hasher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The cuckoo and quotient filters that the contracts run over, and locked views. They have room for
 * four times the keys, since the contracts add keys again and again.
 */
final class TableSubjects {

  private TableSubjects() {}

  static List<Subject> all() {
    List<Subject> all = new ArrayList<>();
    for (int bits : new int[] {8, 12, 19}) {
      all.add(
          Subjects.addable(
              "cuckoo " + bits,
              CuckooFilter.KIND,
              hasher -> cuckoo(hasher, new CuckooShape(11_002, bits), Partner.DIFFERENCE),
              Map.of(),
              false));
    }
    all.add(
        Subjects.addable(
            "cuckoo xor",
            CuckooFilter.KIND,
            hasher -> cuckoo(hasher, new CuckooShape(1 << 14, 9), Partner.XOR),
            Map.of(),
            false));
    all.add(
        Subjects.addable(
            "quotient",
            QuotientFilter.KIND,
            hasher -> quotient(hasher, new QuotientShape(45_056, 7), false),
            Map.of("fingerprints", hasher -> quotient(hasher, new QuotientShape(45_056, 8), false)),
            false));
    all.add(
        Subjects.addable(
            "growing quotient",
            QuotientFilter.KIND,
            hasher -> quotient(hasher, new QuotientShape(1_024, 14), true),
            Map.of("fingerprints", hasher -> quotient(hasher, new QuotientShape(1_024, 15), true)),
            false));
    all.add(
        Subjects.addable(
            "locked cuckoo",
            null,
            hasher ->
                Filters.locked(cuckoo(hasher, new CuckooShape(11_002, 8), Partner.DIFFERENCE)),
            Map.of(),
            true));
    return all;
  }

  private static QuotientFilter quotient(Hasher hasher, QuotientShape shape, boolean growing) {
    return QuotientFilter.builder().hasher(hasher).shape(shape).growing(growing).build();
  }

  private static CuckooFilter cuckoo(Hasher hasher, CuckooShape shape, Partner partner) {
    return CuckooFilter.builder().hasher(hasher).shape(shape).partner(partner).build();
  }
}
