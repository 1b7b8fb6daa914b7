package io.bloomery.chart;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes SVG 1.1; the same calls give the same bytes. A style sheet replaces the colours where the
 * reader prefers dark pages; programs that know no style sheets show the light ones.
 */
final class SvgSurface implements Surface {

  private static final String FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif";

  private final StringBuilder out = new StringBuilder();

  SvgSurface(int width, int height, String title) {
    out.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " viewBox=\"0 0 %d %d\" font-family=\"%s\" role=\"img\">\n",
            width,
            height,
            width,
            height,
            FONT));
    out.append("<title>").append(escape(title)).append("</title>\n");
    out.append("<style>@media (prefers-color-scheme: dark) {\n");
    darkColours()
        .forEach(
            (light, dark) -> {
              for (String what : List.of("fill", "stroke")) {
                out.append('[').append(what).append("=\"").append(colour(light)).append("\"] { ");
                out.append(what).append(": ").append(colour(dark)).append(" }\n");
              }
            });
    out.append("}</style>\n");
    out.append(
        String.format(
            Locale.ROOT,
            "<rect width=\"%d\" height=\"%d\" fill=\"%s\"/>\n",
            width,
            height,
            colour(ChartPainter.PAPER)));
  }

  /** The colours of a picture on a dark page, by its light colours. */
  static Map<Integer, Integer> darkColours() {
    Map<Integer, Integer> dark = new LinkedHashMap<>();
    dark.put(ChartPainter.PAPER, 0x0D1117);
    dark.put(ChartPainter.GRID, 0x30363D);
    dark.put(ChartPainter.INK, 0xC9D1D9);
    dark.put(ChartPainter.WEAK, 0xA0A8B0);
    dark.put(ChartPainter.STRONG, 0xF0F6FC);
    for (int i = 0; i < Look.COUNT; i++) {
      dark.put(Look.of(i).colour(), Look.of(i).onDark());
    }
    return dark;
  }

  /** The finished picture. */
  String finish() {
    return out + "</svg>\n";
  }

  @Override
  public void line(double[] points, int colour, double width, double... dashes) {
    out.append("<path d=\"").append(path(points)).append("\" fill=\"none\" stroke=\"");
    out.append(colour(colour)).append("\" stroke-width=\"").append(number(width)).append('"');
    if (dashes.length > 0) {
      out.append(" stroke-dasharray=\"");
      for (int i = 0; i < dashes.length; i++) {
        out.append(i == 0 ? "" : " ").append(number(dashes[i]));
      }
      out.append('"');
    }
    out.append(" stroke-linejoin=\"round\"/>\n");
  }

  @Override
  public void area(double[] corners, int fill, int outline) {
    out.append("<path d=\"").append(path(corners)).append("Z\" fill=\"").append(colour(fill));
    out.append("\" stroke=\"").append(colour(outline)).append("\" stroke-width=\"1.3\"/>\n");
  }

  @Override
  public void text(
      double x, double y, Anchor anchor, Letters letters, String text, String exponent) {
    out.append("<text ");
    if (letters.upwards()) {
      out.append("transform=\"translate(").append(number(x)).append(' ').append(number(y));
      out.append(") rotate(-90)\"");
    } else {
      out.append("x=\"").append(number(x)).append("\" y=\"").append(number(y)).append('"');
    }
    out.append(" font-size=\"").append(letters.size()).append('"');
    out.append(letters.bold() ? " font-weight=\"bold\"" : "");
    if (anchor != Anchor.START) {
      out.append(" text-anchor=\"").append(anchor.name().toLowerCase(Locale.ROOT)).append('"');
    }
    out.append(" fill=\"").append(colour(letters.colour())).append("\">").append(escape(text));
    if (!exponent.isEmpty()) {
      out.append("<tspan dy=\"").append(number(-0.42 * letters.size())).append("\" font-size=\"");
      out.append(number(ChartPainter.EXPONENT_SIZE * letters.size()))
          .append("\">")
          .append(escape(exponent));
      out.append("</tspan>");
    }
    out.append("</text>\n");
  }

  private static String path(double[] points) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < points.length; i += 2) {
      path.append(i == 0 ? "M" : "L").append(number(points[i])).append(' ');
      path.append(number(points[i + 1]));
    }
    return path.toString();
  }

  private static String colour(int colour) {
    return String.format(Locale.ROOT, "#%06x", colour);
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.2f", value);
    String shortest = text.replaceAll("\\.?0+$", "");
    return shortest.equals("-0") ? "0" : shortest;
  }

  private static String escape(String text) {
    StringBuilder safe = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '"' -> safe.append("&quot;");
                default -> safe.appendCodePoint(c < ' ' ? ' ' : c);
              }
            });
    return safe.toString();
  }
}
