package io.bloomery.tools.input;

import io.bloomery.tools.problem.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where in a value of JSON keys are, written as jq does: {@code .user.id}, {@code ."user id"},
 * {@code .tags[0]}, {@code .} for the value itself. Several places form a tree, of which this is a
 * node.
 */
final class JsonPath {

  private static final Pattern STEP =
      Pattern.compile(
          "\\.?(?:(?<name>[A-Za-z_][A-Za-z_0-9]*)|(?<quoted>\"(?:[^\"\\\\]|\\\\[\"\\\\])*\")"
              + "|\\[(?<index>[0-9]{1,9})]|\\[(?<member>\"(?:[^\"\\\\]|\\\\[\"\\\\])*\")])");

  private final Map<String, JsonPath> members = new HashMap<>();
  private final Map<Integer, JsonPath> elements = new HashMap<>();
  private final List<Integer> below = new ArrayList<>(); // which keys are here or further down
  private int key = -1;

  private JsonPath() {}

  /** The tree of these places, the first of which has key 0. */
  static JsonPath of(List<String> paths) {
    JsonPath root = new JsonPath();
    for (int i = 0; i < paths.size(); i++) {
      JsonPath end = root.add(paths.get(i), i);
      if (end.key >= 0) {
        throw new Problem("--json-key names a value twice: " + paths.get(i));
      }
      end.key = i;
    }
    return root;
  }

  private JsonPath add(String path, int number) {
    JsonPath node = this;
    node.below.add(number);
    if (path.equals(".")) {
      return node;
    }
    Matcher step = STEP.matcher(path);
    int at = 0;
    while (at < path.length() || at == 0) {
      boolean dotted = path.startsWith(".", at);
      boolean found = step.region(at, path.length()).lookingAt();
      boolean bracket = found && step.group("name") == null && step.group("quoted") == null;
      if (!found || (!dotted && (at == 0 || !bracket))) {
        throw new Problem(
            "--json-key %s: a place is written .user.id, .\"user id\" or .tags[0]".formatted(path));
      }
      node = node.next(step);
      node.below.add(number);
      at = step.end();
    }
    return node;
  }

  private JsonPath next(Matcher step) {
    String index = step.group("index");
    if (index != null) {
      return elements.computeIfAbsent(Integer.valueOf(index), any -> new JsonPath());
    }
    String name = step.group("name");
    String quoted = step.group("quoted") == null ? step.group("member") : step.group("quoted");
    return members.computeIfAbsent(name == null ? unquoted(quoted) : name, any -> new JsonPath());
  }

  private static String unquoted(String quoted) {
    return quoted.substring(1, quoted.length() - 1).replaceAll("\\\\(.)", "$1");
  }

  /** Which key is here, or -1. */
  int key() {
    return key;
  }

  /** Which keys are here or further down. */
  List<Integer> below() {
    return below;
  }

  /** Whether there is anything further down in an object. */
  boolean hasMembers() {
    return !members.isEmpty();
  }

  /** Whether there is anything further down in an array. */
  boolean hasElements() {
    return !elements.isEmpty();
  }

  /** The subtree under a name, or null. */
  @Nullable JsonPath member(String name) {
    return members.get(name);
  }

  /** The subtree at an array index, from 0, or null. */
  @Nullable JsonPath element(int index) {
    return elements.get(index);
  }
}
