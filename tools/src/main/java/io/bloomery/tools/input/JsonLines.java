package io.bloomery.tools.input;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the keys of the lines of one block. The only class that knows the parser. */
final class JsonLines {

  /** The length of a record is limited elsewhere; values are never converted to numbers. */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private static final byte[] TRUE = "true".getBytes(US_ASCII);
  private static final byte[] FALSE = "false".getBytes(US_ASCII);
  private static final int EXCERPT = 100;

  private final Block block;
  private final JsonPath paths;
  private final List<String> places;
  private final Bytes[] parts;
  private final int keyParts; // those before that of the group
  private final KeyRow row;
  private final String[] complaints; // what is wrong with each part; empty: nothing

  JsonLines(Block block, JsonPath paths, List<String> places, boolean grouped) {
    this.block = block;
    this.paths = paths;
    this.places = places;
    this.row = new KeyRow(block.form());
    this.complaints = new String[places.size()];
    this.parts = new Bytes[places.size()];
    this.keyParts = grouped ? parts.length - 1 : parts.length;
    Arrays.setAll(parts, any -> new Bytes());
  }

  void split() {
    int start = 0;
    while (start < block.length()) {
      int end = RowLayout.lineEnd(block.bytes(), start, block.length());
      int next = end < 0 ? block.length() : end;
      if (!isBlank(start, next)) {
        line(start, next);
      }
      start = next;
    }
  }

  private boolean isBlank(int start, int end) {
    byte[] bytes = block.bytes();
    int at = start;
    while (at < end
        && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n')) {
      at++;
    }
    return at == end;
  }

  private void line(int start, int end) {
    String complaint = find(start, end);
    if (!complaint.isEmpty()) {
      block.addBad(start, end, () -> block.place(start) + " " + complaint);
      return;
    }
    int record = block.count();
    if (keyParts == 1) {
      block.addAside(start, end, parts[0].array(), parts[0].length());
    } else {
      addRow(start, end);
    }
    if (keyParts < parts.length && block.count() > record) {
      Bytes group = parts[keyParts];
      int from = block.putAside(group.array(), group.length());
      block.group(record, from, from + group.length());
    }
  }

  /** Finds the parts of the key in a line and returns what is wrong with it; empty: nothing. */
  private String find(int start, int end) {
    clear(paths);
    try (JsonParser parser = FACTORY.createParser(block.bytes(), start, end - start)) {
      parser.nextToken();
      value(parser, paths);
      if (parser.nextToken() != null) {
        return "is not JSON: it goes on after its value";
      }
    } catch (JsonProcessingException e) {
      String why = e.getOriginalMessage().lines().findFirst().orElse("");
      return "is not JSON: " + why.substring(0, Math.min(why.length(), EXCERPT));
    } catch (IOException e) {
      return "is not JSON: " + e.getMessage(); // such as a string that is not UTF-8
    }
    for (String complaint : complaints) {
      if (!complaint.isEmpty()) {
        return complaint;
      }
    }
    return "";
  }

  private void clear(JsonPath path) {
    for (int key : path.below()) {
      parts[key].clear();
      complaints[key] = "";
    }
  }

  /** Parses the current value up to its last token. */
  private void value(JsonParser parser, JsonPath path) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      return;
    }
    if (path.key() >= 0) {
      key(parser, token, path.key());
    }
    if (token == JsonToken.START_OBJECT && path.hasMembers()) {
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        JsonPath member = path.member(parser.currentName());
        parser.nextToken();
        further(parser, member);
      }
    } else if (token == JsonToken.START_ARRAY && path.hasElements()) {
      for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
        further(parser, path.element(i));
      }
    } else {
      parser.skipChildren();
    }
  }

  /** Where a name is repeated, its last value counts, as in jq. */
  private void further(JsonParser parser, @Nullable JsonPath path) throws IOException {
    if (path == null) {
      parser.skipChildren();
    } else {
      clear(path);
      value(parser, path);
    }
  }

  private void key(JsonParser parser, JsonToken token, int part) throws IOException {
    switch (token) {
      case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          text(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength(), part);
      case VALUE_TRUE -> parts[part].key(TRUE, 0, TRUE.length);
      case VALUE_FALSE -> parts[part].key(FALSE, 0, FALSE.length);
      case VALUE_NULL -> {}
      default ->
          complaints[part] =
              "has %s at %s, which cannot be a key"
                  .formatted(
                      token == JsonToken.START_ARRAY ? "an array" : "an object", shown(part));
    }
  }

  private String shown(int part) {
    return places.get(part);
  }

  /** Appends characters in UTF-8. */
  private void text(char[] chars, int offset, int length, int part) {
    Bytes key = parts[part];
    int end = offset + length;
    for (int i = offset; i < end; i++) {
      char c = chars[i];
      if (c < 0x80) {
        key.add(c);
      } else if (c < 0x800) {
        key.add(0xC0 | (c >> 6));
        key.add(0x80 | (c & 0x3F));
      } else if (!Character.isSurrogate(c)) {
        key.add(0xE0 | (c >> 12));
        key.add(0x80 | ((c >> 6) & 0x3F));
        key.add(0x80 | (c & 0x3F));
      } else if (Character.isHighSurrogate(c)
          && i + 1 < end
          && Character.isLowSurrogate(chars[i + 1])) {
        int point = Character.toCodePoint(c, chars[++i]);
        key.add(0xF0 | (point >> 18));
        key.add(0x80 | ((point >> 12) & 0x3F));
        key.add(0x80 | ((point >> 6) & 0x3F));
        key.add(0x80 | (point & 0x3F));
      } else {
        complaints[part] = "has half a character at " + shown(part) + ": an unpaired surrogate";
        return;
      }
    }
  }

  private void addRow(int start, int end) {
    row.clear();
    try {
      for (int i = 0; i < keyParts; i++) {
        row.add(parts[i].array(), 0, parts[i].length());
      }
    } catch (IllegalArgumentException e) {
      block.addBad(start, end, () -> block.place(start) + ": " + e.getMessage());
      return;
    }
    row.addTo(block, start, end);
  }
}
