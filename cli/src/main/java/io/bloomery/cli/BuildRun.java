package io.bloomery.cli;

import io.bloomery.AddableFilter;
import io.bloomery.hash.Hasher;
import java.nio.file.Path;

/** The work of {@code bloom build}: reads keys once and puts them in a filter of the right size. */
final class BuildRun {

  /** Makes an empty filter. */
  @FunctionalInterface
  interface Maker {
    /** For a number of different keys. */
    Kinds.Fresh filterFor(long keys, Hasher hasher);
  }

  /**
   * What came of it.
   *
   * @param fresh the filter, no longer empty
   * @param sizedFor for how many keys it was made
   * @param keys how many keys were read
   * @param distinct how many of them are different, -1 if nobody counted
   * @param skipped how many empty lines were left out
   * @param nanos how long it took
   */
  record Result(
      Kinds.Fresh fresh, long sizedFor, long keys, long distinct, long skipped, long nanos) {}

  private final Maker maker;
  private final Hasher hasher;
  private final boolean keepEmpty;
  private final long start = System.nanoTime();

  /** Builds what {@code maker} makes. */
  BuildRun(Maker maker, Hasher hasher, boolean keepEmpty) {
    this.maker = maker;
    this.hasher = hasher;
    this.keepEmpty = keepEmpty;
  }

  /** Counts the different keys, then makes the filter for as many. */
  Result counting(KeyInput input, Progress progress) {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    try (HashStore store = new HashStore(HashStore.defaultCapacity(), temporary)) {
      Lines lines = read(input, progress, store);
      progress.phase("counting");
      long distinct = store.distinct();
      Kinds.Fresh fresh = maker.filterFor(distinct, hasher);
      progress.phase("adding");
      store.forEach(fresh.filter()::addHashes);
      return result(fresh, distinct, lines, distinct);
    }
  }

  /** Adds keys as they come to a filter that was made for {@code keys} of them. */
  Result streaming(KeyInput input, Progress progress, long keys) {
    Kinds.Fresh fresh = maker.filterFor(keys, hasher);
    AddableFilter filter = fresh.filter();
    Lines lines = read(input, progress, filter::addHashes);
    return result(fresh, keys, lines, -1);
  }

  private Lines read(KeyInput input, Progress progress, HashBatch.Target target) {
    HashBatch batch = new HashBatch(hasher, target);
    Lines lines = new Lines(keepEmpty, batch);
    input.read(lines, progress);
    batch.flush();
    return lines;
  }

  private Result result(Kinds.Fresh fresh, long sizedFor, Lines lines, long distinct) {
    return new Result(
        fresh, sizedFor, lines.keys(), distinct, lines.skipped(), System.nanoTime() - start);
  }
}
