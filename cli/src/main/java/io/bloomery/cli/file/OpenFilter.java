package io.bloomery.cli.file;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.FrameHeader.Description;
import io.bloomery.Storable;
import io.bloomery.foreign.ForeignFilter;
import io.bloomery.tools.file.Saving;
import java.nio.file.Path;

/**
 * An opened filter.
 *
 * @param path its file
 * @param filter the filter
 * @param description what its file records about its keys; empty for a file of another system
 */
public record OpenFilter(Path path, Filter filter, Description description) {

  /** Writes the filter with the description from its file. */
  public Saving.Writer writer() {
    if (filter instanceof ForeignFilter foreign) {
      return foreign::writeTo;
    }
    return target -> Filters.write((Storable) filter, description, target);
  }
}
