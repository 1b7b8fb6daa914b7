package io.bloomery.net.classify;

import io.bloomery.Writers;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.net.classify.PacketClassifier.Rule;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Some of the rules: the combinations of classes that match any, in a table behind a filter. */
final class Subset {

  private final Hasher hasher;
  private final Field[] fields = new Field[Field.FIELDS];
  private final Map<List<Integer>, List<Integer>> table = new HashMap<>();
  private final BlockedBloomFilter filter;
  private final ByteBuffer key = ByteBuffer.allocate(Field.FIELDS * Integer.BYTES);
  private final Integer[] classes = new Integer[Field.FIELDS];

  Subset(List<Rule> rules, List<Integer> numbers, double rate, Hasher hasher) {
    this.hasher = hasher;
    List<Rule> own = numbers.stream().map(rules::get).toList();
    for (int i = 0; i < Field.FIELDS; i++) {
      fields[i] = new Field(own, i);
    }
    for (int number : numbers) {
      add(rules.get(number), number, 0);
    }
    filter =
        BlockedBloomFilter.create(
            BlockShape.forKeys(Math.max(1, table.size()), rate), hasher, Writers.ONE);
    for (List<Integer> combination : table.keySet()) {
      combination.toArray(classes);
      filter.addHash(hash());
    }
  }

  /** Adds all combinations of a rule from a field on. */
  private void add(Rule rule, int number, int field) {
    if (field == Field.FIELDS) {
      table.computeIfAbsent(List.of(classes), any -> new ArrayList<>(1)).add(number);
      return;
    }
    for (int each : fields[field].classes(rule.from(field), rule.to(field))) {
      classes[field] = each;
      add(rule, number, field + 1);
    }
  }

  /** An upper bound of the entries for rules, without making them. */
  static double entries(List<Rule> rules) {
    Field[] all = new Field[Field.FIELDS];
    for (int i = 0; i < Field.FIELDS; i++) {
      all[i] = new Field(rules, i);
    }
    double sum = 0;
    for (Rule rule : rules) {
      double product = 1;
      for (int i = 0; i < Field.FIELDS; i++) {
        product *= all[i].intervals(rule.from(i), rule.to(i));
      }
      sum += product;
    }
    return sum;
  }

  private long hash() {
    key.clear();
    for (int each : classes) {
      key.putInt(each);
    }
    return hasher.hash(key.array(), 0, key.position());
  }

  /** Whether the filter lets field values pass to the table. */
  boolean mayMatch(long[] values) {
    for (int i = 0; i < Field.FIELDS; i++) {
      classes[i] = fields[i].of(values[i]);
    }
    return filter.mightContainHash(hash());
  }

  /** The rules for the values that were asked for last; null if there are none. */
  @Nullable List<Integer> matches() {
    return table.get(List.of(classes));
  }

  /** The classes of the values that were asked for last, for tests. */
  List<Integer> combination() {
    return List.of(classes);
  }

  int size() {
    return table.size();
  }

  long filterBits() {
    return filter.sizeInBits();
  }

  double falsePositiveRate() {
    return filter.falsePositiveRate();
  }
}
