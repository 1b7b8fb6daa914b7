package io.bloomery.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import javax.imageio.ImageIO;

/** Paints pixels, several for each unit of length. Letters are those of the system's fonts. */
final class ImageSurface implements Surface {

  private final BufferedImage image;
  private final Graphics2D graphics;

  ImageSurface(int width, int height, int scale) {
    this.image = new BufferedImage(width * scale, height * scale, BufferedImage.TYPE_INT_RGB);
    this.graphics = image.createGraphics();
    graphics.setRenderingHints(
        Map.of(
            RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON,
            RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON,
            RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON,
            RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE));
    graphics.scale(scale, scale);
    graphics.setColor(new Color(ChartPainter.PAPER));
    graphics.fillRect(0, 0, width, height);
  }

  /** The finished picture as PNG. */
  byte[] finish() {
    graphics.dispose();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.setUseCache(false);
      ImageIO.write(image, "png", bytes);
    } catch (IOException e) {
      throw new IllegalStateException("memory cannot be written", e);
    }
    return bytes.toByteArray();
  }

  @Override
  public void line(double[] points, int colour, double width, double... dashes) {
    float[] pattern = new float[dashes.length];
    for (int i = 0; i < pattern.length; i++) {
      pattern[i] = (float) dashes[i];
    }
    graphics.setColor(new Color(colour));
    graphics.setStroke(
        new BasicStroke(
            (float) width,
            BasicStroke.CAP_BUTT,
            BasicStroke.JOIN_ROUND,
            10,
            pattern.length == 0 ? null : pattern,
            0));
    graphics.draw(path(points));
  }

  @Override
  public void area(double[] corners, int fill, int outline) {
    Path2D path = path(corners);
    path.closePath();
    graphics.setColor(new Color(fill));
    graphics.fill(path);
    graphics.setColor(new Color(outline));
    graphics.setStroke(new BasicStroke(1.3f));
    graphics.draw(path);
  }

  @Override
  public void text(
      double x, double y, Anchor anchor, Letters letters, String text, String exponent) {
    Font font = new Font(Font.SANS_SERIF, letters.bold() ? Font.BOLD : Font.PLAIN, letters.size());
    Font small = font.deriveFont((float) ChartPainter.EXPONENT_SIZE * letters.size());
    FontMetrics metrics = graphics.getFontMetrics(font);
    double width = metrics.stringWidth(text) + graphics.getFontMetrics(small).stringWidth(exponent);
    AffineTransform before = graphics.getTransform();
    graphics.translate(x, y);
    if (letters.upwards()) {
      graphics.rotate(-Math.PI / 2);
    }
    double shift =
        switch (anchor) {
          case START -> 0;
          case MIDDLE -> -width / 2;
          case END -> -width;
        };
    graphics.setColor(new Color(letters.colour()));
    graphics.setFont(font);
    graphics.drawString(text, (float) shift, 0);
    if (!exponent.isEmpty()) {
      graphics.setFont(small);
      graphics.drawString(
          exponent, (float) (shift + metrics.stringWidth(text)), -0.42f * letters.size());
    }
    graphics.setTransform(before);
  }

  private static Path2D path(double[] points) {
    Path2D path = new Path2D.Double();
    path.moveTo(points[0], points[1]);
    for (int i = 2; i < points.length; i += 2) {
      path.lineTo(points[i], points[i + 1]);
    }
    return path;
  }
}
