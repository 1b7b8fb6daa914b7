import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.MappedFilter;
import io.bloomery.Storable;
import io.bloomery.membership.BlockedBloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Opens all filters of a directory and writes those that need no key again, into another. */
public final class Shrunk {

  private Shrunk() {}

  public static void main(String[] args) throws IOException {
    Path to = Files.createDirectories(Path.of(args[1]));
    List<Path> files;
    try (Stream<Path> all = Files.list(Path.of(args[0]))) {
      files = all.filter(file -> file.toString().endsWith(".bloom")).sorted().toList();
    }
    for (Path file : files) {
      try {
        Filter filter = Filters.open(file);
        ((Storable) filter).writeTo(to.resolve(file.getFileName()));
        MappedFilter.map(file).close();
        System.out.println(file.getFileName() + ": written");
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }
    BlockedBloomFilter made = BlockedBloomFilter.create(1_000, 0.01);
    made.add("a");
    made.writeTo(to.resolve("made.bloom"));
    System.out.println(made.mightContain("a"));
  }
}
