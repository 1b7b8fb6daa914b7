package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bloom top} and {@code bloom count} of the packed file, compared with sort and uniq. */
class CountingTest {

  private static final Path WORDS = Path.of("../examples/words.txt.gz").toAbsolutePath();

  @TempDir private Path directory;

  /** The bound is about printed keys, not about kept ones: too few counters for 104,334 words. */
  @Test
  void noKeyIsMissingAboveTheStatedCount() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            zcat %s | cut -c1-4 >starts
            LC_ALL=C sort starts | uniq -c | LC_ALL=C sort -rn >exact
            bloom top -l 3 --memory 4k --keep 100 <starts >listed || exit 9
            cut -f3 listed | while read -r key; do sed -i "/ $key\\$/d" exact; done
            head -n 1 exact
            """
                .formatted(WORDS));
    assertThat(typed.code()).isZero();
    Matcher said =
        Pattern.compile("occurred fewer than ([0-9,]+) times may be").matcher(typed.err());
    assertThat(said.find()).as(typed.err()).isTrue();
    long highest = Long.parseLong(typed.out().strip().split(" ", -1)[0]);
    assertThat(highest).isLessThan(Long.parseLong(said.group(1).replace(",", "")));
  }

  @Test
  void totalsMatchSortAndUniq() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            zcat %s | cut -c1-4 >starts
            LC_ALL=C sort starts | uniq -c >exact
            bloom count starts -q | cmp - exact && echo same
            printf 'a\\na\\n' | bloom count --running -q
            """
                .formatted(WORDS));
    assertThat(typed.out()).isEqualTo("same\nat most 1\ta\nat most 2\ta\n");
    assertThat(typed.err()).isEmpty();
  }
}
