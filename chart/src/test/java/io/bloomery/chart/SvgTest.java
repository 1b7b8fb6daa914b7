package io.bloomery.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.chart.Chart.Panel;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

final class SvgTest {

  static Set<String> names() {
    return Gallery.charts().keySet();
  }

  private static String svg(String name) {
    Chart chart = Gallery.charts().get(name);
    return Pictures.svg(chart, 800, Math.max(480, Pictures.leastHeight(chart, 800)));
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyPictureIsWellFormedAndHasOnlyNumbers(String name) throws Exception {
    String svg = svg(name);
    Document document = parse(svg);
    assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(svg).doesNotContain("NaN", "Infinity", "E-", "\"-0\"");
    NodeList paths = document.getElementsByTagName("path");
    for (int i = 0; i < paths.getLength(); i++) {
      assertThat(paths.item(i).getAttributes().getNamedItem("d").getNodeValue())
          .matches("(?:[ML]-?[0-9.]+ -?[0-9.]+)+Z?");
    }
    assertThat(svg(name)).isEqualTo(svg);
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyColourHasOneForDarkPages(String name) throws Exception {
    String svg = svg(name);
    String style = parse(svg).getElementsByTagName("style").item(0).getTextContent();
    assertThat(style).startsWith("@media (prefers-color-scheme: dark) {");
    Matcher uses = Pattern.compile("(fill|stroke)=\"(#[0-9a-f]{6})\"").matcher(svg);
    int count = 0;
    while (uses.find()) {
      assertThat(style).contains("[" + uses.group() + "] { " + uses.group(1) + ": #");
      count++;
    }
    assertThat(count).isPositive();
  }

  /** WCAG 2.1, 1.4.3 for letters and 1.4.11 for the rest. */
  @Test
  void coloursStandOutOnBothBackgrounds() {
    Map<Integer, Integer> dark = SvgSurface.darkColours();
    int paper = ChartPainter.PAPER;
    int night = dark.get(paper);
    for (int letters : List.of(ChartPainter.INK, ChartPainter.STRONG, ChartPainter.WEAK)) {
      assertThat(contrast(letters, paper)).isGreaterThan(4.5);
      assertThat(contrast(dark.get(letters), night)).isGreaterThan(4.5);
    }
    Set<Integer> different = new TreeSet<>();
    for (int i = 0; i < Look.COUNT; i++) {
      assertThat(contrast(Look.of(i).onDark(), night)).isGreaterThan(4.5);
      assertThat(contrast(Look.of(i).colour(), paper)).isGreaterThan(2.2);
      different.add(Look.of(i).onDark());
    }
    assertThat(different).hasSize(Look.COUNT);
  }

  private static double contrast(int a, int b) {
    double la = luminance(a);
    double lb = luminance(b);
    return (Math.max(la, lb) + 0.05) / (Math.min(la, lb) + 0.05);
  }

  private static double luminance(int colour) {
    return 0.2126 * linear(colour >> 16) + 0.7152 * linear(colour >> 8) + 0.0722 * linear(colour);
  }

  private static double linear(int channel) {
    double share = (channel & 0xFF) / 255.0;
    return share <= 0.03928 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
  }

  @Test
  void textsAreEscaped() throws Exception {
    String evil = "</text><script>alert(1)</script> & \"x\" \u0007\u001b[31m";
    Panel panel = new Panel(Gallery.unit(evil), Gallery.unit("y"), Gallery.curves(1));
    String svg = Pictures.svg(new Chart(evil, evil, List.of(panel)), 2000, 480);
    assertThat(svg).doesNotContain("<script", "\u001b", "\u0007");
    assertThat(parse(svg).getElementsByTagName("title").item(0).getTextContent())
        .isEqualTo("</text><script>alert(1)</script> & \"x\"   [31m");
  }
}
