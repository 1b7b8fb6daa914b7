package io.bloomery.net.match;

import io.bloomery.FilterFullException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The distinct values of prefixes, numbered from 1; numbers of values without a prefix return. */
final class Values {

  private static final int BYTES_PER_VALUE = 120; // the text, its place in the map and its count

  private final Map<String, Integer> ids = new HashMap<>();
  private final Deque<Integer> free = new ArrayDeque<>();
  private volatile @Nullable String[] names = new String[16];
  private int[] uses = new int[16];
  private int last;
  private long characters;

  /** The value of an entry, null of 0; of an entry that is being replaced it may be any. */
  @Nullable String name(int entry) {
    @Nullable String[] now = names;
    int id = Slots.id(entry);
    return id < now.length ? now[id] : null;
  }

  /** The number of a value, which has one more prefix. */
  int use(String value) {
    Integer known = ids.get(value);
    if (known != null) {
      uses[known]++;
      return known;
    }
    if (free.isEmpty() && last == Slots.MAX_ID) {
      throw new FilterFullException(
          "there are " + Slots.MAX_ID + " different values; a table holds no more");
    }
    int id = free.isEmpty() ? ++last : free.pop();
    if (id == uses.length) {
      uses = Arrays.copyOf(uses, 2 * id);
      names = Arrays.copyOf(names, 2 * id);
    }
    names[id] = value;
    uses[id] = 1;
    ids.put(value, id);
    characters += value.length();
    return id;
  }

  /** A value has one prefix less. */
  void release(int id) {
    if (--uses[id] == 0) {
      String value = names[id];
      ids.remove(value);
      names[id] = null;
      free.push(id);
      characters -= value == null ? 0 : value.length();
    }
  }

  int count() {
    return ids.size();
  }

  /** The highest number that was given. */
  int highest() {
    return last;
  }

  long bytes() {
    return (long) ids.size() * BYTES_PER_VALUE + characters;
  }
}
