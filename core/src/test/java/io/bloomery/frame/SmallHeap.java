package io.bloomery.frame;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import io.bloomery.foreign.registry.ForeignFormats;
import java.io.IOException;
import java.nio.file.Path;

/** A program that opens files and prints a line for each: what became of it. */
public final class SmallHeap {

  private SmallHeap() {}

  /** Arguments: pairs of a file and the name of its format, which is empty if the file tells. */
  public static void main(String[] args) throws IOException {
    for (int i = 0; i < args.length; i += 2) {
      Path file = Path.of(args[i]);
      System.out.println(file.getFileName() + ": " + open(file, args[i + 1]));
    }
  }

  private static String open(Path file, String format) throws IOException {
    try {
      Filter filter = format.isEmpty() ? Filters.open(file) : ForeignFormats.open(file, format);
      return "opened " + filter.sizeInBits();
    } catch (FilterFormatException e) {
      return "refused " + e.getMessage();
    } catch (OutOfMemoryError e) {
      return "died " + e;
    }
  }
}
