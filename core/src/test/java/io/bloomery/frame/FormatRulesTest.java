package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.Storable;
import io.bloomery.Variant;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The lists of kinds in docs/format.md are those of the code. */
final class FormatRulesTest {

  private static final Pattern NUMBER = Pattern.compile("\\d+");

  /**
   * Kinds whose rule no cleared bit of a sample breaks: smaller shares, weights and counts are
   * sound too, a bucket with fewer fingerprints may be, and the sample of kind 64 has no hosts.
   */
  private static final List<Integer> NOT_BROKEN_BY_CLEARING = List.of(61, 64, 67, 70, 85);

  /**
   * A set bit means something, so that a reader that refuses the file without it does so by a rule
   * of the kind (step 8) and not because the bit is spare (step 7).
   */
  @Test
  void kindsWithARuleAboutTheirWordsAreListed() throws IOException {
    TreeSet<Integer> ruled = new TreeSet<>(NOT_BROKEN_BY_CLEARING);
    for (Filter sample : samples()) {
      if (refusesAClearedBit(sample)) {
        ruled.add(((Storable) sample).kind().id());
      }
    }
    assertThat(listed()).containsExactlyElementsOf(ruled);
  }

  @Test
  void kindsThatHashNothingAreListed() throws IOException {
    assertThat(numbers(between("0 none, for kinds ", " only")))
        .containsExactlyElementsOf(
            Filters.kinds().stream()
                .filter(kind -> !kind.isHashed())
                .map(FilterKind::id)
                .sorted()
                .toList());
  }

  @Test
  void kindsWhoseBytesDependOnTheOrderOfAddsAreListed() throws IOException {
    assertThat(numbers(between("bytes depend on the order of the adds for kinds ", ".")))
        .containsExactlyElementsOf(
            Filters.kinds().stream()
                .filter(kind -> kind.variants().stream().anyMatch(Variant::orderMatters))
                .map(FilterKind::id)
                .sorted()
                .toList());
  }

  /** The first column of the table of rules. */
  private static SortedSet<Integer> listed() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("..", "docs", "format.md"));
    return lines.stream()
        .skip(lines.indexOf("### Rules about words") + 1L)
        .dropWhile(line -> !line.startsWith("| kinds "))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .flatMap(line -> numbers(line.substring(0, line.indexOf('|', 1))).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String between(String start, String end) throws IOException {
    String page = Files.readString(Path.of("..", "docs", "format.md")).replaceAll("\\s+", " ");
    assertThat(page).contains(start);
    int at = page.indexOf(start) + start.length();
    return page.substring(at, page.indexOf(end, at));
  }

  private static List<Integer> numbers(String text) {
    return NUMBER.matcher(text).results().map(match -> Integer.valueOf(match.group())).toList();
  }

  private static List<Filter> samples() {
    List<Filter> samples = new ArrayList<>();
    Filters.kinds().forEach(kind -> samples.add(SampleFilters.of(kind)));
    for (Map.Entry<String, Filter> other : SampleFilters.otherLayouts().entrySet()) {
      samples.add(other.getValue());
    }
    return samples;
  }

  /** Whether a reader refuses the frame of a filter with one bit of its payload cleared. */
  private static boolean refusesAClearedBit(Filter filter) throws IOException {
    byte[] frame = SampleFilters.bytes(filter);
    ByteBuffer header = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
    int payload = (int) header.getLong(32);
    for (long bit = 0; bit < 8 * header.getLong(40); bit++) {
      int at = payload + (int) (bit >>> 3);
      int mask = 1 << (bit & 7);
      if ((frame[at] & mask) != 0 && isRefused(frame, at, mask)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRefused(byte[] frame, int at, int mask) throws IOException {
    byte[] forged = frame.clone();
    forged[at] ^= (byte) mask;
    try {
      Filters.read(FrameBuilder.reseal(forged), ReadOptions.defaults());
      return false;
    } catch (FilterFormatException e) {
      return true;
    }
  }
}
