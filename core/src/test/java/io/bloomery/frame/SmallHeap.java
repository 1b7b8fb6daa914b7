package io.bloomery.frame;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.Filters;
import java.io.IOException;
import java.nio.file.Path;

/** A program that opens files and prints a line for each: what became of it. */
public final class SmallHeap {

  private SmallHeap() {}

  /** Arguments: files. */
  public static void main(String[] args) throws IOException {
    for (String name : args) {
      System.out.println(Path.of(name).getFileName() + ": " + open(Path.of(name)));
    }
  }

  private static String open(Path file) throws IOException {
    try {
      Filter filter = Filters.open(file);
      return "opened " + filter.sizeInBits();
    } catch (FilterFormatException e) {
      return "refused " + e.getMessage();
    } catch (OutOfMemoryError e) {
      return "died " + e;
    }
  }
}
