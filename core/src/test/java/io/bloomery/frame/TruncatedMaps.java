package io.bloomery.frame;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrameHeader;
import io.bloomery.SampleFilters;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that maps the sample of every kind, truncates the file under it and asks for its keys
 * again. Prints a line per kind: how many keys are still found, are refused by an exception, and
 * are lost. In a process of its own, since before Java 22 the error of a fault may arrive anywhere.
 */
public final class TruncatedMaps {

  private static final int KEYS = 20;

  /** Enough for the compiler to come into play. */
  private static final int ROUNDS = 400;

  private TruncatedMaps() {}

  /** Arguments: a directory, and to what a file is truncated: {@code nothing} or {@code word}. */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]).resolve("mapped.bloom");
    List<int[]> results = new ArrayList<>();
    for (FilterKind<?> kind : Filters.kinds()) {
      Files.write(file, SampleFilters.bytes(SampleFilters.of(kind)));
      int[] result = new int[3];
      results.add(result);
      FrameHeader header = Filters.header(file);
      Filter mapped = Filters.map(file);
      boolean[] before = new boolean[2 * KEYS];
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < before.length; i++) {
          before[i] = contains(mapped, i);
        }
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(args[1].equals("word") ? header.payloadOffset() + Long.BYTES : 0);
      }
      int[] next = {0};
      for (int calm = 0; calm < 2; ) {
        try {
          askAgain(mapped, before, next, result);
          settle();
          calm++;
        } catch (InternalError e) { // of a query before
          calm = 0;
        }
      }
      try {
        Files.delete(file);
      } catch (InternalError e) { // of a query before
        Files.deleteIfExists(file);
      }
    }
    settle();
    for (int i = 0; i < results.size(); i++) {
      int[] found = results.get(i);
      System.out.printf(
          "%s %d %d %d%n", Filters.kinds().get(i).name(), found[0], found[1], found[2]);
    }
  }

  private static void askAgain(Filter mapped, boolean[] before, int[] next, int[] result) {
    while (next[0] < before.length) {
      int i = next[0]++;
      if (before[i]) {
        result[again(mapped, i)]++;
      }
    }
  }

  /** 0: found, 1: an exception says that the file is damaged, 2: lost. */
  private static int again(Filter mapped, int key) {
    try {
      return contains(mapped, key) ? 0 : 2;
    } catch (RuntimeException | InternalError e) {
      return 1;
    }
  }

  private static boolean contains(Filter filter, int key) {
    return key < KEYS ? filter.mightContain("key-" + key) : filter.mightContain(7L * (key - KEYS));
  }

  /** Lets errors arrive that are still on their way. */
  private static void settle() {
    for (int calm = 0; calm < 3; ) {
      try {
        System.gc();
        calm++;
      } catch (InternalError e) {
        calm = 0;
      }
    }
  }
}
