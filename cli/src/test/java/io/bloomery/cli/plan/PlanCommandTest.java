package io.bloomery.cli.plan;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomIn;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Variant;
import io.bloomery.cli.Bloom;
import io.bloomery.cli.option.NeedOptions;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanCommandTest {

  @Test
  void ranksTheKindsThatMeetTheNeeds() {
    Bloom.Run run =
        bloom("plan", "-n", "1e9", "--rate", "0.1%", "--deletes", "--memory", "2G", "--all");
    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .startsWith("1,000,000,000 keys, rate 0.1 % (1 in 1,000), at most 2.00 GB, deletes\n\n")
        .containsPattern(
            "1 +cuckoo +CuckooFilter +13\\.[0-9]+ +1\\.7[0-9] GB +0\\.0[0-9]+ % +97 ns\n")
        .contains("13.68 bits/key against 17.33, 1.3×")
        .contains("Too large: ")
        .doesNotContain("with --all");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void jsonMatchesThePlanner() {
    List<Plan> expected = Planner.standard().plan(Needs.forKeys(1_000_000, 0.01)).ranked();
    Map<?, ?> json = Json.object(bloom("plan", "-n", "1M", "--json").out());
    assertThat(json.get("keys")).isEqualTo(1e6);
    assertThat(json.get("rate")).isEqualTo(0.01);
    assertThat(json.get("ramBytes")).isNull();
    assertThat(json.get("unmet")).isEqualTo("");
    List<?> plans = (List<?>) json.get("plans");
    assertThat(plans).hasSameSizeAs(expected);
    for (int i = 0; i < plans.size(); i++) {
      Map<?, ?> plan = (Map<?, ?>) plans.get(i);
      assertThat(plan.get("kind")).isEqualTo(expected.get(i).name());
      assertThat(plan.get("class")).isEqualTo(expected.get(i).kind().type().getName());
      assertThat(plan.get("predictedRate")).isEqualTo(expected.get(i).predictedRate());
      assertThat(plan.get("cacheLines")).isEqualTo((double) expected.get(i).cacheLines());
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyNeedHasAnOption(Need need) {
    Map<?, ?> json =
        Json.object(
            plan("-n 1000 --universe 3000 --json "
                    + NeedOptions.option(need)
                    + (need == Need.MANY_WRITERS || need == Need.RANGES ? " 4" : ""))
                .out());
    assertThat(json.get("needs")).isEqualTo(List.of(NeedOptions.option(need).substring(2)));
    String unmet = Planner.standard().unmet(Set.of(need)).orElse("");
    assertThat(json.get("unmet")).isEqualTo(unmet);
    assertThat(((List<?>) json.get("plans")).isEmpty()).isEqualTo(!unmet.isEmpty());
    assertThat(unmet.isEmpty() || need == Need.PARTIAL_MATCH).isTrue();
  }

  @Test
  void aBudgetAloneGivesTheBestRate() {
    Bloom.Run run = bloom("plan", "-n", "1M", "--memory", "1.2MB");
    assertThat(run.code()).isZero();
    assertThat(run.out()).startsWith("1,000,000 keys, at most 1.20 MB\n").contains("blocked-");
  }

  /** For a hundred keys a sorted list of hashes is smaller than any filter that is as fast. */
  @ParameterizedTest
  @ValueSource(strings = {"", " --frozen", " --mostly-present"})
  void fewKeysAtALowRateGetAListOfHashes(String more) {
    String out = plan("-n 100 -p 1e-9" + more).out();
    String[] lines = out.split("\n", -1);
    assertThat(lines[3]).matches(" +sorted-hashes +SortedHashList +37.00 +463 bytes .*");
    assertThat(lines[4])
        .startsWith("   A list of hashes: no filter that answers as fast is smaller.");
    assertThat(out.replaceAll("\\s+", " ").contains("64-bit hashes takes 800 bytes and has a rate"))
        .isEqualTo(!more.equals(" --frozen"));
    assertThat(out).contains("\n1  ");
    assertThat(plan("-n 100 -p 1e-9 --json" + more).out()).contains("sorted-hashes: A list of");
  }

  /** Every plan that is smaller answers more slowly, by the plan's own figures. */
  @Test
  void theListOfHashesIsSmallestAmongTheFast() {
    List<?> plans =
        (List<?>) Json.object(plan("-n 100 -p 1e-9 --frozen --json").out()).get("plans");
    Map<?, ?> list =
        plans.stream()
            .map(plan -> (Map<?, ?>) plan)
            .filter(plan -> plan.get("kind").equals("sorted-hashes"))
            .findFirst()
            .orElseThrow();
    assertThat(plans)
        .allSatisfy(
            plan -> {
              Map<?, ?> other = (Map<?, ?>) plan;
              assertThat(
                      (Double) other.get("bytes") >= (Double) list.get("bytes")
                          || (Double) other.get("queryNanos") > (Double) list.get("queryNanos"))
                  .isTrue();
            });
    assertThat(plan("-n 100 -p 1e-9 --frozen --prefer size").out()).contains("1  sorted-hashes");
  }

  @Test
  void othersGetNoListOfHashes() {
    assertThat(plan("-n 1M -p 1e-3").out()).doesNotContain("list of hashes");
    assertThat(plan("-n 100 -p 1e-9 --deletes").out()).doesNotContain("list of hashes");
  }

  @Test
  void moreKeysThanOneFilterHoldsArePartitioned() {
    Bloom.Run run = plan("-n 1e12");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith("1,000,000,000,000 keys, in 128 filters, rate 1 % (1 in 100)\n")
        .contains("1.27 TB")
        .contains("bloom partition --by key -n 128");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(plan("-n 1e16").code()).isEqualTo(2);
    assertThat(plan("-n 200M --frozen --all").out()).contains("Built in 2 shards or more");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -n 1M --frozen --deletes | A frozen set never changes, which contradicts deletes
          -n 1G -m 1M              | 0.0080 bits per key are too few
          """)
  void impossibleNeedsAreExplainedWithCode1(String question, String answer) {
    Bloom.Run run = plan(question);
    assertThat(run.out().replace('\n', ' ')).contains(answer);
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void rangesHaveALength() {
    assertThat(plan("-n 1M --ranges 100").out())
        .contains("ranges of up to 100 keys")
        .contains("dyadic");
    assertThat(plan("-n 1M --ranges").code()).isEqualTo(2);
    assertThat(plan("-n 1M --ranges 0").code()).isEqualTo(2);
    assertThat(plan("-n 1M --ranges 1e30").code()).isEqualTo(2);
    assertThat(plan("-n 1M --key-bytes 8").code()).isEqualTo(2);
    assertThat(plan("-n 1M --ranges 9 --key-bytes 256").err()).contains("it must be 1 to 255");
  }

  @Test
  void theFirstFiveRowsAreFiveKinds() {
    String out = plan("-n 1M").out();
    assertThat(out)
        .contains("1  blocked-512 ", "2  split-block ", "3  bloom ", "4  bloom-g ", "5  cuckoo ")
        .doesNotContain("blocked-64  ");
    assertThat(out.replaceAll("\\s+", " "))
        .contains("Variants: blocked-256, blocked-128, blocked-64.");
  }

  @Test
  void mostlyPresentKeysSayWhatAFilterSaves() {
    assertThat(plan("-n 1M --mostly-present").out().replace('\n', ' '))
        .contains("A filter saves only lookups of absent keys");
  }

  @Test
  void smallestFirst() {
    List<Double> bits =
        ((List<?>)
                Json.object(bloom("plan", "-n", "1M", "--smallest", "--json").out()).get("plans"))
            .stream().map(plan -> (Double) ((Map<?, ?>) plan).get("bitsPerKey")).toList();
    assertThat(bits).isSorted();
  }

  @ParameterizedTest
  @CsvSource({
    "--frozen,fuse",
    "--frozen --prefer size,ribbon",
    "--frozen --prefer SPEED,blocked-64",
    "--transfer,compressed-bloom",
    "--transfer --frozen,ribbon",
    "--unknown-growth,scalable",
    "--counts,count-min-32",
    "--rate 1e-9,quotient",
    "--rate 99%,blocked-64",
  })
  void theFirstPlanIsTheExpertsChoice(String needs, String kind) {
    Map<?, ?> json = Json.object(plan("-n 10M " + needs + " --json").out());
    assertThat(((Map<?, ?>) ((List<?>) json.get("plans")).get(0)).get("kind")).isEqualTo(kind);
  }

  @Test
  void hostileInputNamesTheOptionForTheSecret() {
    assertThat(plan("-n 1M --hostile").out())
        .contains("hostile input")
        .contains("secret key")
        .endsWith("Build it with --hostile and --secret-file FILE.\n")
        .doesNotContain("Hasher");
    for (String need : List.of("--frozen", "--hostile", "--hostile --deletes")) {
      Map<?, ?> json = Json.object(plan("-n 1M --json " + need).out());
      for (Object each : (List<?>) json.get("plans")) {
        assertThat(((Map<?, ?>) each).get("keyed")).isEqualTo(need.contains("--hostile"));
      }
    }
  }

  @Test
  void privateSetsAndWindowsAreAnswered() {
    assertThat(plan("-n 1M --private").out())
        .contains("a private set")
        .contains("secret key")
        .contains("Build it with --private and --secret-file FILE.");
    assertThat(plan("-n 1M --private --hostile").out())
        .contains("Build it with --hostile, --private and --secret-file FILE.");
    assertThat(plan("-n 1M --window --all").out())
        .contains("it also forgets some keys of the window");
    assertThat(plan("-n 1M --window --false-negatives --all").out())
        .contains("tolerable false negatives")
        .doesNotContain("forgets some keys");
    Map<?, ?> json = Json.object(plan("-n 1M --deletes --json").out());
    assertThat(((Map<?, ?>) ((List<?>) json.get("plans")).get(0)).get("falsePositive"))
        .asString()
        .startsWith("an absent key is reported present; deleting it loses ");
  }

  @Test
  void aClosedUniverseNeedsItsSize() {
    Bloom.Run run = plan("-n 1M --closed-universe");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo("bloom: --closed-universe needs --universe U: how many keys there are in all\n");
    assertThat(plan("-n 1M --closed-universe --universe 9M").out()).contains("cascade");
  }

  @ParameterizedTest
  @CsvSource({
    "-n 1M --counts --many-sets,No kind of filter here supports counts and many sets together.",
    "-n 1M --window --values,No kind of filter here supports",
  })
  void aNeedThatNoKindMeetsIsCode1(String line, String sentence) {
    Bloom.Run run = plan(line);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).startsWith(sentence).hasLineCount(1);
    assertThat(run.err()).isEmpty();
    Bloom.Run json = plan(line + " --json");
    assertThat(json.code()).isEqualTo(1);
    assertThat((String) Json.object(json.out()).get("unmet")).startsWith(sentence);
  }

  @Test
  void tooLittleMemorySaysWhatIsPossible() {
    Bloom.Run run = plan("-n 1e9 --rate 0.1% --memory 1G");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .matches(
            "No kind of filter here does this in 1\\.00 GB; the smallest, [a-z-]+, needs"
                + " 1\\.7[0-9] GB; in 1\\.00 GB bloom has a rate of 2\\.1[0-9] %\\.\n");
  }

  static Stream<String> kinds() {
    return Planner.standard().variants().stream().map(Variant::name);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyKindIsExplained(String kind) {
    Bloom.Run run = plan("-n 1M --explain " + kind);
    assertThat(run.out()).startsWith(kind + " is ").endsWith(".\n").doesNotContain("null");
    assertThat(run.code()).isEqualTo(run.out().contains("not in the list") ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -n 1M --explain fuse|fuse is not in the list: it is a filter for a frozen set; see --frozen.
          -n 1M --counts --explain fuse|fuse is not in the list: it does not support counts.
          -n 1M -p 0.01 --memory 1.25M --explain blocked-64|blocked-64 is not in the list: it takes 1.4
          -n 1M --explain direct|direct is not in the list: it pays only if few other keys can exist
          -n 1M --universe 1e18 --explain direct|direct is not in the list: it does not pay for a
          -n 1M --explain cascade|cascade is not in the list: it is a filter for a closed universe of
          -n 1M --explain time-decaying|time-decaying is not in the list: it is a filter for counts and
          -n 1M --explain exact-zone|exact-zone is not in the list: it cannot have such a size: expectedKeys
          -n 1M --memory 1M --explain stable|stable is not in the list: it is a filter for a window; see --window
          -n 1M --explain bloom|bloom is number 6 of 13: the smallest of the plain bit filters
          -n 1M --explain blocked|blocked-512 is number 1 of 13: one cache line per query
          -n 1M --explain sharded|sharded is not in the list: it is what static kinds make when
          -n 1M --explain attenuated|attenuated is not in the list: it needs a network of neighbours
          -n 1M --explain memory-optimized|memory-optimized is not in the list: others do better
          """)
  void explanationsNameTheReason(String line, String sentence) {
    assertThat(plan(line).out()).startsWith(sentence);
  }

  @Test
  void explanationsAreJsonToo() {
    Map<?, ?> json = Json.object(plan("-n 1M --explain bloom --json").out());
    assertThat(json.get("rank")).isEqualTo(6.0);
    assertThat(((Map<?, ?>) json.get("plan")).get("kind")).isEqualTo("bloom");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-n 0",
        "-n 1M --memory 2X",
        "-n 1M -p 0",
        "-n 1M -p 1e-13",
        "-n 1M --explain nosuch",
        "-n 1M --universe 0",
        "-n 1M --prefer fast",
        "-n 1M --prefer",
      })
  void errorsAreOneLine(String line) {
    Bloom.Run run = plan(line);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: ").hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }

  private static Bloom.Run plan(String line) {
    return bloom((Object[]) ("plan " + line).strip().split(" ", -1));
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 60, 80, 132, 200})
  void plansFitTheTerminal(int columns) {
    for (String question : List.of("-n 1e6", "-n 100 -p 1e-9", "-n 1e12", "-n 1M --counts -a")) {
      Bloom.Run run = bloomIn(columns, (Object[]) ("plan " + question).split(" ", -1));
      assertThat(run.code()).isZero();
      assertThat(text(run).lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
      assertThat(text(run).lines().mapToInt(String::length).max().orElse(0))
          .as("the room is used")
          .isGreaterThan(columns - 20);
    }
    String plans = text(bloomIn(columns, "plan", "-n", "1e6"));
    assertThat(plans.contains("BlockedBloomFilter")).isEqualTo(columns >= 80);
    assertThat(plans.contains("  add\n")).isEqualTo(columns >= 100);
    assertThat(plans).contains("blocked-512", "bits/key", "1.27 MB");
  }

  private static String text(Bloom.Run run) {
    return new String(run.out().getBytes(ISO_8859_1), UTF_8);
  }
}
