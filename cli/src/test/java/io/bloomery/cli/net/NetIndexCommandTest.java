package io.bloomery.cli.net;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetIndexCommandTest {

  private static final Path TRAFFIC = Path.of("../examples/traffic.pcap.gz");
  private static final String REQUEST =
      "GET /TipIsraeli/pics/YnetBannerAdmin/assets/Top_Banner_3_online.htm HTTP/1.1";
  private static final String FLOW = "10.0.0.1:60399 > 212.199.202.27:80 tcp";

  @TempDir private Path directory;

  private Path index(Object... options) {
    Path index = directory.resolve("traffic.idx");
    Object[] line = new Object[options.length + 7];
    System.arraycopy(
        new Object[] {"net", "index", index, TRAFFIC, "--ratio", "10", "--json"}, 0, line, 0, 7);
    System.arraycopy(options, 0, line, 7, options.length);
    Bloom.Run run = bloom(line);
    Map<?, ?> facts = Json.lines(run.out()).get(0);
    assertThat(facts.get("traffic")).isEqualTo(442_344.0);
    assertThat((double) facts.get("bytes")).isLessThanOrEqualTo(44_234);
    return index;
  }

  @Test
  void bytesAreFoundInTheFlowThatHadThem() throws IOException {
    Path index = index();
    Path excerpt = Files.writeString(directory.resolve("excerpt"), REQUEST);
    String hex = HexFormat.of().formatHex(REQUEST.getBytes(StandardCharsets.US_ASCII));
    Bloom.Run run = bloom("net", "find", index, "--excerpt", excerpt, "--exact", TRAFFIC);
    assertThat(run.out())
        .containsPattern("yes\t2014-10-19T19:12:11.4\\S+\t2014\\S+\t" + FLOW + "\n");
    assertThat(run.err()).endsWith("; 1 had them in one packet\n");
    List<Map<?, ?>> lines = Json.lines(bloom("net", "find", index, "--hex", hex, "--json").out());
    assertThat(lines).anyMatch(line -> FLOW.equals(line.get("flow"))); // others had most of it
    double expected = (double) lines.get(lines.size() - 1).get("expectedFalse");
    assertThat(expected).isBetween(0.0, 1e-6);
    run = bloom("net", "find", index, "--excerpt", excerpt, "--pieces", "38", "-q");
    assertThat(run.out()).contains(excerpt + "@0\t", excerpt + "@38\t").contains(FLOW);
    run = bloom("net", "find", index, "--hex", hex, "--to", "2014-10-19T19:12:11Z", "-q");
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(1);
    run = bloom("net", "find", index, "--hex", "0d0a", "-q");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("0d0a: 2 bytes are too short to be found at every place");
  }

  @Test
  void packetsThatPassedAreFound() {
    Path index = index();
    Bloom.Run run = bloom("net", "find", index, "--packet", TRAFFIC);
    assertThat(run.out().lines()).hasSize(385).allMatch(line -> line.startsWith("yes\t2014"));
    assertThat(run.err()).startsWith("385 packets; 385 may have passed; ");
    run =
        bloom(
            "net",
            "find",
            index,
            "--json",
            "--packet",
            "../apps/net/src/test/resources/captures/650HttpResponses.pcap.gz");
    List<Map<?, ?>> lines = Json.lines(run.out());
    assertThat(lines).hasSize(683);
    assertThat((double) lines.get(682).get("passed")).isBetween(0.0, 40.0);
  }

  /** An index grows by what is added, and says which of its pages it cannot read. */
  @Test
  void pagesAreAddedAndDamagedOnesNamed() throws IOException {
    Path index = index();
    assertThat(bloom("net", "index", index, TRAFFIC, "-q").code()).isZero();
    Files.writeString(index.resolve("000000000001.page"), "no page");
    Bloom.Run run = bloom("net", "find", index, "--packet", TRAFFIC, "-q");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out().lines()).allMatch(line -> line.startsWith("yes\t"));
    assertThat(run.err())
        .contains("000000000001.page, byte 0: is no page of an index of traffic\n");
  }

  @Test
  void whatCannotBeIsRefused() throws IOException {
    Path none = directory.resolve("none");
    assertThat(bloom("net", "find", none, "--hex", "00").err())
        .isEqualTo("bloom: " + none + ": no such file\n");
    assertThat(bloom("net", "find", none).err())
        .isEqualTo("bloom: give --excerpt, --hex or --packet, and --packet without the others\n");
    assertThat(bloom("net", "find", none, "--hex", "0").err())
        .isEqualTo("bloom: " + none + ": no such file\n");
    assertThat(bloom("net", "find", directory, "--hex", "0").err())
        .isEqualTo("bloom: --hex '0' is not an even number of hexadecimal digits\n");
    assertThat(bloom("net", "find", directory, "--hex", "00", "--from", "May").err())
        .isEqualTo("bloom: --from 'May' is not a time such as 2024-05-01T12:00:00Z\n");
    assertThat(bloom("net", "index", none, TRAFFIC, "--block", "2").err())
        .isEqualTo("bloom: --block = 2 is not between 4 and 512\n");
    assertThat(bloom("net", "index", none, TRAFFIC, "--budget", "1k").err())
        .isEqualTo("bloom: --budget = 1000 is below two pages, 671089\n");
    assertThat(bloom("net", "index", none, directory).err())
        .isEqualTo(
            "bloom: "
                + directory
                + ": is a directory without a file that has pcap or cap in its name\n");
    assertThat(none).doesNotExist();
  }
}
