package io.bloomery.cli.net;

import io.bloomery.chart.Pictures;
import io.bloomery.file.AtomicFile;
import io.bloomery.net.flows.FlowOptions;
import io.bloomery.net.flows.HeavyFlows.Interval;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.problem.Problem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that draws the largest flows over time. */
final class PlotOption {

  private static final int WIDTH = 800;
  private static final int HEIGHT = 560;

  @Option(
      names = "--plot",
      paramLabel = "PICTURE",
      description = "With --every: draw the largest flows over time, to NAME.svg.")
  private @Nullable Path picture;

  boolean isGiven() {
    return picture != null;
  }

  /** Fails, before anything is read, if the picture cannot be written. */
  void check(boolean force) {
    if (picture != null) {
      if (!picture.toString().endsWith(".svg")) {
        throw new Problem(picture, "a picture is named NAME.svg");
      }
      Saving.check(picture, force);
    }
  }

  void draw(List<Interval> intervals, FlowOptions options) {
    if (picture != null) {
      String svg = Pictures.svg(FlowsPicture.chart(intervals, options), WIDTH, HEIGHT);
      byte[] bytes = svg.getBytes(StandardCharsets.UTF_8);
      Saving.save(target -> AtomicFile.write(target, out -> out.write(bytes)), picture);
    }
  }
}
