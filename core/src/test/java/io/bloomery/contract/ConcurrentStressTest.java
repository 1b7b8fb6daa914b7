package io.bloomery.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.FrequencyFilter;
import io.bloomery.HashedFilter;
import io.bloomery.RemovableFilter;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Race;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind that claims to be lock-free, under four writers and a reader: no add is lost, every
 * add that returned is found, also in copies, counts add up, and where the order of adds does not
 * matter the bytes are those of one thread.
 */
final class ConcurrentStressTest {

  private static final Duration TOTAL = Duration.ofMinutes(5);
  private static final int WRITERS = 4;
  private static final int OWN = 1_500;
  private static final long[] SHARED = Keys.members(200, WRITERS);
  private static final List<long[]> OWNS =
      IntStream.range(0, WRITERS).mapToObj(writer -> Keys.members(OWN, writer)).toList();

  private static final List<Subject> ALL = Subjects.lockFree();
  private static final Set<Subject> REMOVING = lockFree(Subjects.reversible());
  private static final Set<Subject> COPYABLE = lockFree(Subjects.copyable());
  private static final Set<Subject> NEVER_LOW = lockFree(Subjects.neverLow());

  /** Lock-free classes that no contract of hashed filters covers, and the test that does. */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "AttenuatedBloomFilter", // LookupThreadsTest has all of the lookup family
          "CombinatorialBloomFilter",
          "CompactApproximator",
          "FilterBank",
          "LatticeApproximator",
          "MutableBloomierMap",
          "SpatialBloomFilter",
          "BlockDigest", // DigestThreadsTest
          "DistanceSensitiveFilter", // DistanceSensitiveFilterTest
          "DirectBitSet", // DirectBitSetTest
          "DyadicFilter", // DyadicFilterTest
          "CountedBits"); // a part of AdaptiveBloomFilter and SpaceCodeFilter

  private static final Pattern CLAIM =
      Pattern.compile("Threads: [^.]*(lock-free|without a lock)|atomic and lock-free; once a set");

  private static Set<Subject> lockFree(List<Subject> subjects) {
    return subjects.stream().filter(Subject::lockFree).collect(Collectors.toSet());
  }

  static List<Subject> all() {
    return ALL;
  }

  /** One filter and what its writers have done so far. */
  private static final class Run {
    private final AddableFilter filter;
    private final boolean removes;
    private final AtomicIntegerArray added = new AtomicIntegerArray(WRITERS);
    private final AtomicInteger running = new AtomicInteger(WRITERS);

    Run(Subject subject) {
      filter = subject.empty(AddableFilter.class);
      removes = REMOVING.contains(subject);
    }

    /** Adds the shared keys and the writer's own; of these every second is removed again. */
    void write(int writer) {
      try {
        addAll(writer);
      } finally {
        running.decrementAndGet();
      }
    }

    private void addAll(int writer) {
      long[] own = OWNS.get(writer);
      for (int i = 0; i < OWN; i++) {
        filter.addHash(own[i]);
        if (removes && i % 2 == 1) {
          ((RemovableFilter) filter).removeHash(own[i]);
        }
        added.set(writer, i + 1);
        if (i % 8 == 0 && i / 8 < SHARED.length) {
          filter.addHash(SHARED[i / 8]);
        }
      }
      for (int i = (OWN + 7) / 8; i < SHARED.length; i++) {
        filter.addHash(SHARED[i]);
      }
    }

    /** Looks for the keys of all adds that returned, in the filter or in copies, until the end. */
    void read(boolean copies) {
      boolean last;
      do {
        last = running.get() == 0;
        int[] until = new int[WRITERS];
        for (int writer = 0; writer < WRITERS; writer++) {
          until[writer] = added.get(writer);
        }
        HashedFilter seen = copies ? Subjects.copy(filter) : filter;
        for (int writer = 0; writer < WRITERS; writer++) {
          requireKept(seen, writer, until[writer]);
        }
      } while (!last);
    }

    private void requireKept(HashedFilter seen, int writer, int until) {
      long[] own = OWNS.get(writer);
      for (int i = 0; i < until; i += removes ? 2 : 1) {
        if (!seen.mightContainHash(own[i])) {
          throw new AssertionError("key %d of writer %d is missing".formatted(i, writer));
        }
      }
    }

    void requireAll() {
      for (int writer = 0; writer < WRITERS; writer++) {
        requireKept(filter, writer, OWN);
      }
      assertThat(Subject.hits(filter, SHARED)).isEqualTo(SHARED.length);
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void someRounds(Subject subject) {
    stress(subject, 2, Duration.ZERO);
  }

  @ParameterizedTest
  @MethodSource("all")
  @Tag("long")
  void fiveMinutesInTotal(Subject subject, TestReporter report) {
    int rounds = stress(subject, 1, TOTAL.dividedBy(ALL.size()));
    String compared = bytesOfOneThread(subject) == null ? "" : ", bytes compared";
    report.publishEntry(subject.name(), rounds + " rounds" + compared);
  }

  private static int stress(Subject subject, int least, Duration duration) {
    byte[] alone = bytesOfOneThread(subject);
    boolean copyable = COPYABLE.contains(subject);
    long end = System.nanoTime() + duration.toNanos();
    int rounds = 0;
    while (rounds < least || System.nanoTime() < end) {
      Run run = new Run(subject);
      boolean copies = copyable && rounds % 2 == 1;
      Race.run(
          WRITERS + 1,
          thread -> {
            if (thread < WRITERS) {
              run.write(thread);
            } else {
              run.read(copies);
            }
          });
      run.requireAll();
      requireCounts(subject, run);
      if (alone != null) {
        assertThat(SampleFilters.bytes(run.filter)).as("round %d", rounds).isEqualTo(alone);
      }
      rounds++;
    }
    return rounds;
  }

  /** Every writer added each shared key once; some kinds may count too low, as they say. */
  private static void requireCounts(Subject subject, Run run) {
    if (run.filter instanceof FrequencyFilter counts && NEVER_LOW.contains(subject)) {
      for (long hash : SHARED) {
        assertThat(counts.countHash(hash)).isGreaterThanOrEqualTo(WRITERS);
      }
    }
  }

  /** The bytes after all writers, one after the other; null if they depend on order or time. */
  private static byte[] bytesOfOneThread(Subject subject) {
    FilterKind<?> kind = subject.kind();
    if (kind == null || kind.type().getPackageName().endsWith(".window")) {
      return null;
    }
    Run forth = new Run(subject);
    Run back = new Run(subject);
    if (!(forth.filter instanceof Storable)) {
      return null;
    }
    for (int writer = 0; writer < WRITERS; writer++) {
      forth.write(writer);
      back.write(WRITERS - 1 - writer);
    }
    byte[] bytes = SampleFilters.bytes(forth.filter);
    return Arrays.equals(bytes, SampleFilters.bytes(back.filter)) ? bytes : null;
  }

  @Test
  void everyClaimIsUnderStress() throws IOException {
    Set<String> stressed =
        ALL.stream()
            .map(subject -> subject.of().getClass().getSimpleName())
            .collect(Collectors.toCollection(TreeSet::new));
    stressed.addAll(ELSEWHERE);
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java/io/bloomery"))) {
      Set<String> claims =
          sources
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.toString().contains("internal"))
              .filter(ConcurrentStressTest::claims)
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(claims).hasSizeGreaterThan(25).isSubsetOf(stressed).containsAll(ELSEWHERE);
    }
  }

  private static boolean claims(Path source) {
    try {
      return CLAIM.matcher(Files.readString(source).replaceAll("\\s+\\*?\\s*", " ")).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
