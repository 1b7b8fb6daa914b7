package io.bloomery.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pictures stay in {@code target/gallery}, to be looked at. */
final class PngTest {

  static {
    System.setProperty("java.awt.headless", "true");
  }

  static Set<String> names() {
    return Gallery.charts().keySet();
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyChartIsAPicture(String name) throws IOException {
    Chart chart = Gallery.charts().get(name);
    int height = Math.max(480, Pictures.leastHeight(chart, 800));
    byte[] png = Pictures.png(chart, 800, height);
    Path gallery = Files.createDirectories(Path.of("target", "gallery"));
    Files.write(gallery.resolve(name + ".png"), png);
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
    assertThat(image.getWidth()).isEqualTo(1600);
    assertThat(image.getHeight()).isEqualTo(2 * height);
    for (int x : new int[] {0, 1599}) {
      for (int y : new int[] {0, 2 * height - 1}) {
        assertThat(image.getRGB(x, y)).isEqualTo(0xFFFFFFFF);
      }
    }
  }

  @Test
  void equalChartsAreEqualBytes() {
    Chart chart = Gallery.charts().get("measured");
    assertThat(Pictures.png(chart, 300, 240)).isEqualTo(Pictures.png(chart, 300, 240));
  }

  @Test
  void everyLookIsPaintedInItsColour() throws IOException {
    byte[] png = Pictures.png(Gallery.charts().get("eight-looks"), 800, 480);
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
    for (int look = 0; look < Look.COUNT; look++) {
      int wanted = 0xFF000000 | Look.of(look).colour();
      long count = 0;
      for (int y = 0; y < image.getHeight(); y++) {
        for (int x = 0; x < image.getWidth(); x++) {
          count += image.getRGB(x, y) == wanted ? 1 : 0;
        }
      }
      assertThat(count).as("pixels of look %d", look).isGreaterThan(200);
    }
  }

  /** No program here shows SVG; with its dark colours, the same calls paint this. */
  @Test
  void theDarkColoursMakeAPicture() throws IOException {
    ImageSurface paper = new ImageSurface(800, 480, 1);
    Map<Integer, Integer> dark = SvgSurface.darkColours();
    Surface night =
        new Surface() {
          @Override
          public void line(double[] points, int colour, double width, double... dashes) {
            paper.line(points, dark.get(colour), width, dashes);
          }

          @Override
          public void area(double[] corners, int fill, int outline) {
            paper.area(corners, dark.get(fill), dark.get(outline));
          }

          @Override
          public void text(
              double x, double y, Anchor anchor, Letters letters, String text, String exponent) {
            int colour = dark.get(letters.colour());
            Letters light = new Letters(letters.size(), letters.bold(), colour, letters.upwards());
            paper.text(x, y, anchor, light, text, exponent);
          }
        };
    int white = ChartPainter.PAPER;
    night.area(new double[] {0, 0, 800, 0, 800, 480, 0, 480}, white, white);
    new ChartPainter(Gallery.charts().get("eight-looks"), night, 800, 480).paint();
    byte[] png = paper.finish();
    Files.write(Files.createDirectories(Path.of("target", "gallery")).resolve("dark.png"), png);
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
    assertThat(image.getRGB(400, 470) & 0xFFFFFF).isEqualTo(dark.get(white));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "false-positive rate",
        "memory, bits per key",
        "1,000,000 keys, hashes by xxh3",
        "10",
        "−0.0025",
        "4.5·10",
        "Blocked Bloom filter (512 bits)",
        "WWW MMM %%% mmm www",
        "the quick brown fox jumps over the lazy dog"
      })
  void lettersAreNoWiderThanTheLayoutExpects(String text) {
    Graphics2D graphics = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
    for (int size : new int[] {12, 13, 16}) {
      for (boolean bold : new boolean[] {false, true}) {
        Font font = new Font(Font.SANS_SERIF, bold ? Font.BOLD : Font.PLAIN, size);
        FontMetrics metrics = graphics.getFontMetrics(font);
        assertThat((double) metrics.stringWidth(text))
            .isLessThanOrEqualTo(1 + TextWidths.of(text, size, bold));
      }
    }
  }
}
