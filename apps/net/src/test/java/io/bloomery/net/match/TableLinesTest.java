package io.bloomery.net.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lists that others publish. */
final class TableLinesTest {

  private static PrefixTable table(int valueColumn, String lines) {
    PrefixTable.Builder builder = PrefixTable.builder(PrefixOptions.standard());
    builder.list("mine", valueColumn);
    lines.lines().forEach(builder::line);
    return builder.build();
  }

  private static String answer(PrefixTable table, String address) {
    return table.match(address).map(each -> each.prefix() + " " + each.value()).orElse("-");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "192.0.2.0/24\tAS64500", // tab
        "'192.0.2.0/24,AS64500'", // comma
        "192.0.2.0/24 AS64500", // blank
        "  192.0.2.0/24   AS64500  ",
        "'\"192.0.2.0/24\",\"AS64500\",\"a, \"\"b\"\"\"'",
        "192.0.2.0/24 AS64500 ; a comment",
        "192.0.2.0/24\tAS64500\tmore",
        "'192.0.2.0,192.0.2.255,AS64500'",
        "'\"192.0.2.0\",\"192.0.2.255\",\"AS64500\"'",
        "192.0.2.0\t192.0.2.255\tAS64500"
      })
  void prefixesAndRanges(String line) {
    assertThat(answer(table(0, line), "192.0.2.7")).isEqualTo("192.0.2.0/24 AS64500");
  }

  @Test
  void aListWithoutValues() {
    PrefixTable table =
        table(0, "# comment\n; comment\n\n192.0.2.0/24\n198.51.100.7 ; SBL1\n2001:db8::/32\n");
    assertThat(answer(table, "192.0.2.9")).isEqualTo("192.0.2.0/24 mine");
    assertThat(answer(table, "198.51.100.7")).isEqualTo("198.51.100.7 mine");
    assertThat(answer(table, "198.51.100.8")).isEqualTo("-");
    assertThat(answer(table, "2001:db8::8")).isEqualTo("2001:db8::/32 mine");
  }

  @Test
  void headersAndColumns() {
    PrefixTable table = table(3, "network,asn,name\n192.0.2.0/24,64500,Example\n");
    assertThat(answer(table, "192.0.2.9")).isEqualTo("192.0.2.0/24 Example");
    assertThatThrownBy(() -> table(4, "192.0.2.0/24,64500,Example"))
        .hasMessage("there is no field 4");
    assertThatThrownBy(() -> table(0, "192.0.2.0/24 a\nnetwork,asn"))
        .hasMessageContaining("'network' is not a prefix");
    assertThatThrownBy(() -> table(0, "192.0.2.0/24,\"a\"b")).hasMessageContaining("quote");
    assertThatThrownBy(() -> table(0, "192.0.2.0/24,\"a")).hasMessageContaining("quote");
  }

  /** As bgpdump -m prints a table and updates. */
  @Test
  void routes() {
    String dump = "TABLE_DUMP2|1399939200|B|198.51.100.1|64496|%s|%s|IGP|203.0.113.9|0|0||NAG||";
    String table =
        String.join(
            "\n",
            dump.formatted("192.0.2.0/24", "64496 64511 64500"),
            dump.formatted("192.0.2.0/24", "64496 64501"), // from another peer
            dump.formatted("192.0.2.128/25", "64496 {64502,64503}"),
            dump.formatted("2001:db8::/32", ""));
    PrefixTable routes = table(0, table);
    assertThat(answer(routes, "192.0.2.9")).isEqualTo("192.0.2.0/24 64500");
    assertThat(answer(routes, "192.0.2.129")).isEqualTo("192.0.2.128/25 {64502,64503}");
    assertThat(answer(routes, "2001:db8::1")).isEqualTo("2001:db8::/32 64496");
    assertThat(answer(table(9, table), "192.0.2.9")).isEqualTo("192.0.2.0/24 203.0.113.9");
    String updates =
        table
            + "\nBGP4MP|1399939201|STATE|198.51.100.1|64496|6|1"
            + "\nBGP4MP|1399939201|A|198.51.100.1|64496|192.0.2.0/24|64496 64505|IGP|203.0.113.9|"
            + "\nBGP4MP|1399939202|W|198.51.100.1|64496|192.0.2.128/25";
    assertThat(answer(table(0, updates), "192.0.2.9")).isEqualTo("192.0.2.0/24 64505");
    assertThat(answer(table(0, updates), "192.0.2.129")).isEqualTo("192.0.2.0/24 64505");
    assertThatThrownBy(() -> table(0, "TABLE_DUMP2|1|B|198.51.100.1|64496|192.0.2.0/24"))
        .hasMessage("the route to 192.0.2.0/24 is cut short");
    assertThatThrownBy(() -> table(0, "TABLE_DUMP2|1|B|198.51.100.1|64496|192.0.2.0/33|1|IGP"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Every address of a range has its value, those beside it do not, and no fewer prefixes can. */
  @Test
  void rangesBecomePrefixes() {
    SplittableRandom random = Seeds.random(41);
    for (int round = 0; round < 300; round++) {
      int from = random.nextInt(4_096);
      int to = from + random.nextInt(4_096 - from);
      String[] texts = new String[2];
      boolean isSix = round % 2 == 0;
      for (int i = 0; i < 2; i++) {
        texts[i] = place(isSix, i == 0 ? from : to);
      }
      PrefixTable table = table(0, texts[0] + "," + texts[1] + ",in");
      for (int i = Math.max(0, from - 3); i < Math.min(4_096, to + 4); i++) {
        boolean isIn = table.value(place(isSix, i)) != null;
        if (isIn != (i >= from && i <= to)) {
          assertThat(isIn).as("%d of %d-%d", i, from, to).isEqualTo(!isIn);
        }
      }
      PrefixTable.Facts facts = isSix ? table.ipv6() : table.ipv4();
      assertThat(facts.prefixes()).isEqualTo(fewest(from, to, 0, 4_096));
    }
    assertThat(answer(table(0, "0.0.0.0,255.255.255.255,all"), "1.2.3.4"))
        .isEqualTo("0.0.0.0/0 all");
    assertThat(answer(table(0, "::,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,all"), "8::"))
        .isEqualTo("::/0 all");
    assertThatThrownBy(() -> table(0, "192.0.2.9,192.0.2.8,none"))
        .hasMessage("the range from 192.0.2.9 to 192.0.2.8 is empty");
    assertThatThrownBy(() -> table(0, "192.0.2.9,2001:db8::,none")).hasMessageContaining("empty");
  }

  private static String place(boolean isSix, int number) {
    return isSix
        ? "2001:db8::ffff:ffff:ffff:f%03x".formatted(number)
        : "10.1.%d.%d".formatted(number >> 8, number & 255);
  }

  /** The canonical cover by halving. */
  private static int fewest(int from, int to, int start, int end) {
    if (to < start || from >= end) {
      return 0;
    }
    if (from <= start && to >= end - 1) {
      return 1;
    }
    int middle = (start + end) / 2;
    return fewest(from, to, start, middle) + fewest(from, to, middle, end);
  }
}
