package io.bloomery.internal.frame;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What {@link io.bloomery.Filters} can open. A service: the list names classes of all families, and
 * all families depend on the package of {@code Filters}.
 */
public interface Registry {

  /** All kinds, in the order of their numbers; unmodifiable. */
  List<FilterKind<?>> kinds();

  /**
   * Reads a file of another system in the only format that fits its content, within {@code budget}
   * bytes.
   */
  Filter openForeign(Path file, long budget) throws IOException;
}
