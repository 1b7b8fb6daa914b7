package io.bloomery.cli.count;

import io.bloomery.FrequencyFilter;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.KeyTable;

/** How often each key occurred. */
interface Counts {

  /** Counts a key once more and returns its count. */
  long add(byte[] bytes, int offset, int length, long hash);

  /** The count of a key. */
  long count(byte[] bytes, int offset, int length, long hash);

  /** A count with its certainty: {@code 5}, {@code at most 5} or {@code about 5}. */
  default String text(long count) {
    return Long.toString(count);
  }

  /** Approximate counts, from a filter. */
  record ByFilter(FrequencyFilter filter) implements Counts {
    @Override
    public long add(byte[] bytes, int offset, int length, long hash) {
      filter.addHash(hash, 1);
      return filter.countHash(hash);
    }

    @Override
    public long count(byte[] bytes, int offset, int length, long hash) {
      return filter.countHash(hash);
    }

    /** A count of 0 is certain; the maximum count stands for any higher one. */
    @Override
    public String text(long count) {
      if (count == 0) {
        return "0";
      }
      boolean bound = filter.isUpperBound() && count < filter.maxCount();
      return (bound ? "at most " : "about ") + count;
    }
  }

  /** Exact counts of all keys, as long as they fit in memory. */
  record OfAll(KeyTable table, long memory) implements Counts {
    @Override
    public long add(byte[] bytes, int offset, int length, long hash) {
      int known = table.size();
      int index = table.add(bytes, offset, length, hash);
      if (index == known && table.bytes() > memory) {
        throw new Problem(
            "%s take more than %s; raise --memory-limit, or leave out --exact"
                .formatted(Text.count(table.size(), "distinct key"), Text.bytes(memory)));
      }
      table.value(index, table.value(index) + 1);
      return table.value(index);
    }

    @Override
    public long count(byte[] bytes, int offset, int length, long hash) {
      int index = table.find(bytes, offset, length, hash);
      return index < 0 ? 0 : table.value(index);
    }
  }

  /** Exact counts of the keys that are already in a table; others are not counted. */
  record OfSome(KeyTable table) implements Counts {
    @Override
    public long add(byte[] bytes, int offset, int length, long hash) {
      int index = table.find(bytes, offset, length, hash);
      if (index < 0) {
        return 0;
      }
      table.value(index, table.value(index) + 1);
      return table.value(index);
    }

    @Override
    public long count(byte[] bytes, int offset, int length, long hash) {
      int index = table.find(bytes, offset, length, hash);
      return index < 0 ? 0 : table.value(index);
    }
  }
}
