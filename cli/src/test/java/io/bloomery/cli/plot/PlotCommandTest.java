package io.bloomery.cli.plot;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomIn;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.AddableFilter;
import io.bloomery.cli.Bloom;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.growing.SplitBloomFilter;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Rates;
import io.bloomery.tools.measure.RandomHashes;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class PlotCommandTest {

  @TempDir private Path directory;

  private record Xy(double x, double y) {}

  /** Compares with the textbook formula, minimised over the number of hashes per key. */
  @Test
  void theCurveOfABloomFilterFollowsTheTextbook() {
    for (Xy point : points(plot("rate --kinds bloom --json").out(), 0, "bloom", false)) {
      double best = 1;
      for (int k = 1; k < 40; k++) {
        best = Math.min(best, Math.pow(1 - Math.exp(-k / point.x), k));
      }
      assertThat(point.y).isCloseTo(best, within(0.02 * best));
    }
  }

  @Test
  void theCurveOfAFuseFilterHasAPointForEachWidth() {
    List<Xy> points = points(plot("rate --kinds fuse --json").out(), 0, "fuse", false);
    for (int i = 0; i < points.size(); i++) {
      double bits = -Math.log(points.get(i).y) / Math.log(2);
      assertThat(bits).isCloseTo(Math.rint(bits), within(1e-9));
      assertThat(points.get(i).x / Math.rint(bits)).isBetween(1.1, 1.2);
    }
    assertThat(points).hasSizeBetween(15, 22);
  }

  @ParameterizedTest
  @CsvSource({
    "rate, 'bloom,blocked-64,fuse'",
    "fill, 'bloom,blocked-512,cuckoo'",
    "fill, 'scalable,dynamic'",
    "growth, 'scalable,dynamic'",
  })
  void measuredPointsLieOnTheCurves(String what, String kinds) {
    String line = what + " -n 5k --measured --json --kinds " + kinds;
    if (what.equals("growth")) {
      line += " --range 5000..20000";
    }
    int panel = what.equals("growth") ? 1 : 0;
    // Five deviations of the fill of one filter of 5,000 keys, as 7 hashes take it to the rate.
    double ofFilter = 5 * Rates.rateDeviation(9.59 * 5_000, 5_000, 7);
    String json = plot(line).out();
    for (String kind : kinds.split(",", -1)) {
      List<Xy> curve = points(json, panel, kind, false);
      List<Xy> measured = points(json, panel, kind, true);
      assertThat(measured).as(kind).hasSizeGreaterThan(1);
      for (Xy point : measured) {
        double expected = at(curve, point.x);
        double sigma = Math.sqrt(expected / 1e6);
        assertThat(point.y)
            .as("%s at %s", kind, point.x)
            .isCloseTo(expected, within(5 * sigma + ofFilter * expected));
      }
    }
  }

  /**
   * At three times the keys, a scalable filter has added a second layer and keeps its rate; a split
   * filter cannot grow without its keys, and its curve shows that.
   */
  @Test
  void growingKindsAreDrawnBeyondTheirCapacity() {
    int keys = 20_000;
    Map<String, AddableFilter> filters =
        Map.of(
            "scalable", ScalableBloomFilter.create(keys, 0.01),
            "split", SplitBloomFilter.create(keys, 0.01));
    String json = plot("fill --kinds scalable,split -n 20k --json").out();
    RandomHashes members = new RandomHashes(RandomHashes.MEMBERS);
    long[] hashes = new long[3 * keys];
    members.next(hashes, hashes.length);
    filters.forEach(
        (kind, filter) -> {
          filter.addHashes(hashes, 0, hashes.length);
          double measured = new RandomHashes(RandomHashes.OTHERS).hits(filter, 1_000_000) / 1e6;
          double drawn = at(points(json, 0, kind, false), 3);
          double sigma = Math.sqrt(drawn / 1e6);
          assertThat(measured).as(kind).isCloseTo(drawn, within(5 * sigma + 0.02 * drawn));
        });
    assertThat(at(points(json, 0, "scalable", false), 3)).isCloseTo(0.0020, within(0.00005));
  }

  /** Interpolates between the points of a curve, in the logarithm of the rate. */
  private static double at(List<Xy> curve, double x) {
    for (int i = 1; i < curve.size(); i++) {
      Xy a = curve.get(i - 1);
      Xy b = curve.get(i);
      if (x >= a.x - 1e-6 && x <= b.x + 1e-6) {
        double share = (x - a.x) / (b.x - a.x);
        return Math.exp((1 - share) * Math.log(a.y) + share * Math.log(b.y));
      }
    }
    throw new AssertionError("no curve at " + x);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rate --kinds bloom,blocked-64,cuckoo,fuse",
        "fill",
        "growth --range 1e5..1e6 --kinds scalable,bloom"
      })
  void svgIsWellFormedDeterministicAndInsideItsFrame(String what) throws Exception {
    Path out = directory.resolve("x.svg");
    assertThat(plot(what + " -o " + out).code()).isZero();
    byte[] first = Files.readAllBytes(out);
    assertThat(plot(what + " -f -o " + out).code()).isZero();
    assertThat(Files.readAllBytes(out)).isEqualTo(first);
    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(first));
    double width = Double.parseDouble(svg.getDocumentElement().getAttribute("width"));
    double height = Double.parseDouble(svg.getDocumentElement().getAttribute("height"));
    NodeList texts = svg.getElementsByTagName("text");
    List<double[]> boxes = new ArrayList<>();
    for (int i = 0; i < texts.getLength(); i++) {
      Element text = (Element) texts.item(i);
      if (text.hasAttribute("x")) {
        double[] box = box(text);
        assertThat(box[0]).as(text.getTextContent()).isPositive();
        assertThat(box[1]).as(text.getTextContent()).isLessThan(width);
        assertThat(box[2]).as(text.getTextContent()).isBetween(0.0, height);
        for (double[] other : boxes) {
          boolean apart =
              box[0] >= other[1] || other[0] >= box[1] || Math.abs(box[2] - other[2]) >= 11;
          assertThat(apart).as("'%s' overlaps another text", text.getTextContent()).isTrue();
        }
        boxes.add(box);
      }
    }
    assertThat(new String(first, StandardCharsets.UTF_8)).contains("false-positive rate");
  }

  /** Left edge, right edge and baseline; letters are taken to be 0.55 times as wide as high. */
  private static double[] box(Element text) {
    double x = Double.parseDouble(text.getAttribute("x"));
    double length =
        0.55 * Double.parseDouble(text.getAttribute("font-size")) * text.getTextContent().length();
    double left =
        switch (text.getAttribute("text-anchor")) {
          case "middle" -> x - length / 2;
          case "end" -> x - length;
          default -> x;
        };
    return new double[] {left, left + length, Double.parseDouble(text.getAttribute("y"))};
  }

  @Test
  void pngHasTwiceThePixelsAndTheColoursOfTheCurves() throws Exception {
    Path out = directory.resolve("x.png");
    assertThat(plot("fill --kinds bloom,blocked-64 --size 600x400 -o " + out).code()).isZero();
    BufferedImage image = ImageIO.read(out.toFile());
    assertThat(image.getWidth()).isEqualTo(1200);
    assertThat(image.getHeight()).isEqualTo(800);
    int[] counts = new int[2];
    for (int x = 0; x < image.getWidth(); x++) {
      for (int y = 0; y < image.getHeight(); y++) {
        int colour = image.getRGB(x, y) & 0xFFFFFF;
        counts[0] += colour == 0x0072B2 ? 1 : 0;
        counts[1] += colour == 0xD55E00 ? 1 : 0;
      }
    }
    assertThat(counts[0]).isGreaterThan(1000);
    assertThat(counts[1]).isGreaterThan(1000);
    byte[] first = Files.readAllBytes(out);
    plot("fill --kinds bloom,blocked-64 --size 600x400 -f -o " + out);
    assertThat(Files.readAllBytes(out)).isEqualTo(first);
  }

  @Test
  void theTerminalShowsCurvesAndALegendIn80Columns() {
    Bloom.Run run = plot("rate --kinds bloom,fuse");
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("  A  bloom\n  B  fuse\n").contains("10⁻²").contains("⠤");
    assertThat(run.out()).doesNotContain("\033");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(plot("rate --kinds bloom,fuse --color always").out())
        .contains("\033[38;5;32mA\033[0m");
  }

  @Test
  void aFamilyNameIsItsBestVariant() {
    assertThat(plot("rate --kinds blocked,xor").out()).contains("A  blocked-").contains("B  xor\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rate --kinds nosuch|kind nosuch is not one of: adaptive,
          rate --kinds cascade|kind cascade needs all other keys of the universe as well; this command has only keys
          fill --kinds fuse|kind fuse is built from all its keys at once
          growth --range 0..5|--range of growth begins at 1 key or more
          rate --kinds a,b,c,d,e,f,g,h,i|--kinds has 9 kinds; at most 8
          rate -o x.pdf|x.pdf: a picture is named NAME.svg or NAME.png
          rate --json -o x.svg|--json prints values; -o draws a picture
          rate -o /nosuch/x.svg|/nosuch/x.svg: there is no directory /nosuch
          rate --measured -n 1e9|--measured builds filters of up to 20M keys
          pie|Invalid value for 'WHAT': 'pie' is not one of: rate, fill, growth
          rate --range 5|Invalid value for option '--range'
          rate --range 5..x|Invalid value for option '--range'
          growth --size 300x240 -o x.svg|--size 300x240 has no room for panels and legend; 300x
          rate --size 10x10|Invalid value for option '--size'
          """)
  void errorsAreOneLine(String line, String message) {
    Bloom.Run run = plot(line);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: " + message).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void doesNotOverwriteUnlessForced() throws Exception {
    Path out = Files.writeString(directory.resolve("x.svg"), "mine");
    assertThat(plot("rate --kinds bloom -o " + out).err())
        .endsWith("exists; --force overwrites it\n");
    assertThat(out).hasContent("mine");
  }

  private static Bloom.Run plot(String line) {
    return bloom((Object[]) ("plot " + line).split(" ", -1));
  }

  private static List<Xy> points(String json, int panel, String name, boolean measured) {
    Map<?, ?> chart = Json.object(json);
    Map<?, ?> chosen = (Map<?, ?>) ((List<?>) chart.get("panels")).get(panel);
    List<Xy> points = new ArrayList<>();
    for (Object each : (List<?>) chosen.get("series")) {
      Map<?, ?> series = (Map<?, ?>) each;
      if (series.get("name").equals(name) && series.get("measured").equals(measured)) {
        for (Object point : (List<?>) series.get("points")) {
          points.add(new Xy((Double) ((List<?>) point).get(0), (Double) ((List<?>) point).get(1)));
        }
      }
    }
    return points;
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 60, 80, 132, 200})
  void chartsFillTheTerminal(int columns) {
    for (String what : List.of("rate", "fill", "growth")) {
      Bloom.Run run = bloomIn(columns, "plot", what);
      assertThat(run.code()).isZero();
      List<String> lines = new String(run.out().getBytes(ISO_8859_1), UTF_8).lines().toList();
      assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
      assertThat(lines).anySatisfy(line -> assertThat(line).hasSizeGreaterThan(columns - 4));
    }
  }
}
