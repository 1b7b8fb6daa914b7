package io.bloomery.security.version;

import io.bloomery.membership.BloomFilter;
import io.bloomery.tools.name.Octets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds which releases of libraries are inside a jar, though they were shaded and relocated.
 *
 * <p>The classes of the jar go into a Bloom filter, by their content without the names of packages;
 * then those of each release are looked up. A release is ranked by its cover, the share of what the
 * jar has of the library that the release explains, and then, if some release is there as a whole,
 * by the share of its own classes that are there.
 *
 * <p>Immutable; any number of threads may ask.
 */
public final class ReleaseFinder {

  /**
   * A release that was looked for.
   *
   * @param jar its file
   * @param library the library, as the jar or its name says
   * @param release the release, as the jar or its name says; empty if neither does
   * @param classes how many different classes it has
   * @param found how many of them were found
   * @param least how many of them are there at least, with 95 % confidence
   * @param most how many of them are there at most, with 95 % confidence
   * @param ofLibrary how many classes of all releases of the library were found
   * @param rank 1 for the best of its library
   * @param isTied whether other releases have the same rank, since the jar does not tell them apart
   */
  public record Match(
      Path jar,
      String library,
      String release,
      int classes,
      int found,
      int least,
      int most,
      int ofLibrary,
      int rank,
      boolean isTied) {

    /**
     * The share of its classes that were found.
     *
     * @return 0 … 1; 1 for a release without classes
     */
    public double share() {
      return classes == 0 ? 1 : (double) found / classes;
    }

    /**
     * The share of what was found of the library that this release explains.
     *
     * @return 0 … 1; 0 if nothing was found
     */
    public double cover() {
      return ofLibrary == 0 ? 0 : (double) found / ofLibrary;
    }
  }

  private final BloomFilter filter;
  private final int classes;
  private final int broken;
  private final ReleaseOptions options;

  private ReleaseFinder(BloomFilter filter, int classes, int broken, ReleaseOptions options) {
    this.filter = filter;
    this.classes = classes;
    this.broken = broken;
    this.options = options;
  }

  /**
   * Reads a jar, with the jars within it.
   *
   * @param jar the jar
   * @param options how it is read
   * @return what finds releases in it
   * @throws IOException if it cannot be read, is not a jar, has no class, or unpacks to more than a
   *     hundred times its size and 256 MiB
   */
  public static ReleaseFinder of(Path jar, ReleaseOptions options) throws IOException {
    JarClasses read = JarClasses.read(jar, options);
    if (read.hashes().isEmpty()) {
      throw new IOException(Octets.name(jar) + ": has no class that can be read");
    }
    BloomFilter filter = BloomFilter.create(read.hashes().size(), options.rate());
    read.hashes().forEach(filter::addHash);
    return new ReleaseFinder(filter, read.hashes().size(), read.broken(), options);
  }

  /**
   * How many different classes the jar has.
   *
   * @return at least 1
   */
  public int classes() {
    return classes;
  }

  /**
   * How many classes of the jar, or jars within it, could not be read.
   *
   * @return 0 or more
   */
  public int brokenClasses() {
    return broken;
  }

  /**
   * The probability that a class that is not in the jar is taken for one of it.
   *
   * @return that of the filter as it is filled
   */
  public double falsePositiveRate() {
    return filter.falsePositiveRate();
  }

  /**
   * Ranks releases.
   *
   * @param among jars of releases, of one library or several
   * @param each is called with each jar after it was read
   * @return all of them: by library, the one that is there to the greatest share first; then by
   *     rank
   * @throws IOException if one cannot be read, is not a jar, or has no class
   */
  public List<Match> rank(List<Path> among, Consumer<Path> each) throws IOException {
    Map<String, List<Candidate>> libraries = new LinkedHashMap<>();
    for (Path jar : among) {
      JarClasses read = JarClasses.read(jar, options);
      if (read.hashes().isEmpty()) {
        throw new IOException(Octets.name(jar) + ": has no class that can be read");
      }
      Set<Long> found = new HashSet<>();
      for (long hash : read.hashes()) {
        if (filter.mightContainHash(hash)) {
          found.add(hash);
        }
      }
      libraries
          .computeIfAbsent(read.library(), library -> new ArrayList<>())
          .add(new Candidate(jar, read.library(), read.release(), read.hashes().size(), found));
      each.accept(jar);
    }
    List<List<Match>> ranked = new ArrayList<>();
    for (List<Candidate> library : libraries.values()) {
      ranked.add(Ranking.of(library, filter.falsePositiveRate()));
    }
    ranked.sort(
        Comparator.comparingDouble((List<Match> library) -> library.get(0).share()).reversed());
    return ranked.stream().flatMap(List::stream).toList();
  }

  /**
   * A release that was looked up.
   *
   * @param found the hashes of its classes that were found
   */
  record Candidate(Path jar, String library, String release, int classes, Set<Long> found) {}
}
