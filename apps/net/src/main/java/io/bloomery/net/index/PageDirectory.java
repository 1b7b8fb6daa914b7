package io.bloomery.net.index;

import io.bloomery.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of pages, named by their numbers, the oldest first. */
final class PageDirectory {

  private static final Pattern NAME = Pattern.compile("[0-9]{12}\\.page");

  private final Path directory;

  PageDirectory(Path directory) {
    this.directory = directory;
  }

  /** The files at present. */
  List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> NAME.matcher(String.valueOf(file.getFileName())).matches())
          .sorted()
          .toList();
    }
  }

  /** Adds a page; before, deletes the oldest until there is room for it. Returns how many. */
  int add(byte[] page, long budget) throws IOException {
    List<Path> files = new ArrayList<>(files());
    long next = files.isEmpty() ? 1 : number(files.get(files.size() - 1)) + 1;
    long total = page.length;
    for (Path file : files) {
      total += Files.size(file);
    }
    int deleted = 0;
    while (total > budget && deleted < files.size()) {
      total -= Files.size(files.get(deleted));
      Files.delete(files.get(deleted));
      deleted++;
    }
    AtomicFile.write(directory.resolve("%012d.page".formatted(next)), out -> out.write(page));
    return deleted;
  }

  private static long number(Path file) {
    return Long.parseLong(file.getFileName().toString().substring(0, 12));
  }
}
