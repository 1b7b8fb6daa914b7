package io.bloomery.net.scan;

import io.bloomery.net.message.WebMessages;
import io.bloomery.net.stream.TcpStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds strings and names in datagrams, and in streams across their segments. */
final class ContentScan {

  /** The place of a name. */
  static final long NO_PLACE = Long.MIN_VALUE;

  /** What the end of a stream's content so far may be the beginning of. */
  static final class State {
    private int carry; // bytes that a string may begin with
    private int run; // of a name
    @Nullable WebMessages web;
    @Nullable Variants variants;
  }

  private final ByteStrings strings;
  private final int[] stringIndicators;
  private final Names names;
  private final int[] nameIndicators;
  private byte[] joined = new byte[1 << 12];
  private int[] found = new int[16];
  private long[] places = new long[16];
  private int foundCount;

  ContentScan(ByteStrings strings, int[] stringIndicators, Names names, int[] nameIndicators) {
    this.strings = strings;
    this.stringIndicators = stringIndicators;
    this.names = names;
    this.nameIndicators = nameIndicators;
  }

  /** How many hits the last call had. */
  int found() {
    return foundCount;
  }

  /** The indicator of a hit. */
  int indicator(int index) {
    return found[index];
  }

  /** Where it begins, from the first byte of the content on; {@link #NO_PLACE} for a name. */
  long place(int index) {
    return places[index];
  }

  /** Scans content that is complete. */
  void whole(byte[] content, int from, int length) {
    foundCount = 0;
    names.clear();
    strings.scan(content, from, from + length, from + length, from);
    takeStrings(from);
    if (!names.isEmpty()) {
      names.scan(content, from, from + length);
      takeNames();
    }
  }

  /** Scans the next bytes of a stream. */
  void next(TcpStream<State> stream, byte[] content, int from, int length) {
    foundCount = 0;
    names.clear();
    State state = stream.state();
    if (strings.longest() > 0) {
      nextStrings(stream, state, content, from, length);
    }
    if (!names.isEmpty()) {
      nextNames(stream, state, content, from, length);
      takeNames();
    }
  }

  private void nextStrings(
      TcpStream<State> stream, State state, byte[] content, int from, int length) {
    int carry = state.carry;
    int ahead = Math.min(length, strings.longest() - 1);
    if (carry > 0) {
      int total = join(stream, carry, content, from, ahead);
      boolean isAll = ahead == length;
      state.carry = strings.scan(joined, 0, isAll ? total : carry, total, carry);
      takeStrings(carry);
      if (isAll) {
        return;
      }
    }
    state.carry = strings.scan(content, from, from + length, from + length, from);
    takeStrings(from);
  }

  private void nextNames(
      TcpStream<State> stream, State state, byte[] content, int from, int length) {
    int ahead = 0;
    while (ahead < length && Names.isInNames(content[from + ahead])) {
      ahead++;
    }
    int kept = Math.min(state.run, Names.MOST + 1);
    if (ahead == length) {
      state.run = Math.min(stream.historyLength(), kept) + length;
      return;
    }
    if (kept + ahead > 0) {
      int total = join(stream, kept, content, from, Math.min(ahead, 2 * Names.MOST));
      names.run(joined, 0, total);
    }
    int end = from + length;
    while (Names.isInNames(content[end - 1])) {
      end--;
    }
    state.run = from + length - end;
    names.scan(content, from + ahead, end);
  }

  /** Looks up the name at the end of what came so far: nothing follows, or something is missing. */
  void end(TcpStream<State> stream) {
    foundCount = 0;
    names.clear();
    State state = stream.state();
    if (state.run > 0) {
      names.run(joined, 0, join(stream, Math.min(state.run, Names.MOST + 1), joined, 0, 0));
      takeNames();
    }
    state.run = 0;
    state.carry = 0;
  }

  /** The last bytes of a stream and some that follow; returns how many there are. */
  private int join(TcpStream<State> stream, int last, byte[] content, int from, int ahead) {
    int kept = Math.min(last, stream.historyLength());
    if (kept + ahead > joined.length) {
      joined = new byte[(kept + ahead) * 2];
    }
    System.arraycopy(stream.history(), stream.historyLength() - kept, joined, 0, kept);
    System.arraycopy(content, from, joined, kept, ahead);
    return kept + ahead;
  }

  private void takeStrings(int origin) {
    for (int i = 0; i < strings.found(); i++) {
      take(stringIndicators[strings.number(i)], strings.place(i) - origin);
    }
  }

  private void takeNames() {
    for (int i = 0; i < names.found(); i++) {
      take(nameIndicators[names.number(i)], NO_PLACE);
    }
  }

  private void take(int indicator, long place) {
    if (foundCount == found.length) {
      found = Arrays.copyOf(found, foundCount * 2);
      places = Arrays.copyOf(places, foundCount * 2);
    }
    found[foundCount] = indicator;
    places[foundCount] = place;
    foundCount++;
  }
}
