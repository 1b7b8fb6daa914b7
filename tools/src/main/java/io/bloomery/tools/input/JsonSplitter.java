package io.bloomery.tools.input;

import java.util.List;
import java.util.stream.Stream;

/**
 * Keys that are values in lines of JSON, one value a line (JSON Lines). A key is the text of a
 * string, the digits of a number as they are written, {@code true} or {@code false}; it is empty if
 * the value is {@code null}, empty or not there. An object or array cannot be a key. Lines of white
 * space are not records.
 *
 * <p>A key of several values is a {@link KeyRow}.
 */
public final class JsonSplitter implements Splitter {

  private final LineSplitter lines = new LineSplitter();
  private final List<String> places;
  private final JsonPath paths;
  private final boolean grouped; // the last place is that of the group

  /** Takes the values at these places. */
  public JsonSplitter(List<String> places) {
    this(places, false);
  }

  private JsonSplitter(List<String> places, boolean grouped) {
    this.places = List.copyOf(places);
    this.paths = JsonPath.of(places);
    this.grouped = grouped;
  }

  /** The same, with the group of each line, which is the value at another place. */
  public JsonSplitter withGroup(String place) {
    return new JsonSplitter(Stream.concat(places.stream(), Stream.of(place)).toList(), true);
  }

  /** Fails if one of these is not a place. */
  public static void check(List<String> places) {
    JsonPath.of(places);
  }

  @Override
  public void startInput() {
    lines.startInput();
  }

  @Override
  public int lastEnd(Block block, int from) {
    return lines.lastEnd(block, from);
  }

  @Override
  public void begin(Block block) {
    lines.begin(block);
  }

  @Override
  public void split(Block block) {
    new JsonLines(block, paths, places, grouped).split();
  }

  @Override
  public boolean areRows(Block block) {
    return places.size() > (grouped ? 2 : 1);
  }

  @Override
  public byte[] recordEnd() {
    return lines.recordEnd();
  }

  @Override
  public boolean isRow() {
    return true;
  }
}
