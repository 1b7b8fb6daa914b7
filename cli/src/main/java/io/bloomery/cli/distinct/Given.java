package io.bloomery.cli.distinct;

import io.bloomery.tools.distinct.HllSketch;
import io.bloomery.tools.distinct.SketchFile;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.name.Octets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the command is given, told apart by content.
 *
 * @param sketches what was counted before
 * @param groups files with sketches of groups
 * @param keys files of keys
 */
record Given(List<HllSketch> sketches, List<Path> groups, List<String> keys) {

  /** Looks at each file and reads the sketches; what is not a plain file is keys. */
  static Given of(List<String> names) {
    List<HllSketch> sketches = new ArrayList<>();
    List<Path> groups = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (String name : names) {
      Path file = Octets.path(name);
      SketchFile stored = name.equals(KeyInput.STANDARD_INPUT) ? null : SketchFile.read(file);
      if (stored != null) {
        sketches.add(stored.sketch());
      } else if (!name.equals(KeyInput.STANDARD_INPUT) && GroupFile.is(file)) {
        groups.add(file);
      } else {
        keys.add(name);
      }
    }
    return new Given(sketches, groups, keys);
  }

  /** Whether something was counted before. */
  boolean hasStored() {
    return !sketches.isEmpty() || !groups.isEmpty();
  }

  /** Whether there are keys to read, if only from standard input. */
  boolean hasKeys() {
    return !keys.isEmpty() || !hasStored();
  }
}
