package io.bloomery.cli.plot;

import io.bloomery.chart.Chart;
import io.bloomery.chart.Pictures;
import io.bloomery.chart.Series;
import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.file.AtomicFile;
import io.bloomery.plan.Needs;
import io.bloomery.tools.console.Terminal;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.TypeConversionException;

/** {@code bloom plot}: plots what the formulas predict. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Draws the rate of kinds of filter over bits per key (rate), over the keys added (fill), or"
          + " the memory and the rate while they grow (growth): as SVG or PNG, by the name of OUT"
          + " (NAME.svg, NAME.png), or on the terminal."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom plot rate",
      "  bloom plot rate --kinds bloom,blocked,fuse --measured -o rate.svg",
      "  bloom plot fill -n 1e6 -p 1%% --range 0..5 -o fill.png",
      "  bloom plot growth --kinds scalable,dynamic --json"
    })
public final class PlotCommand implements Callable<Integer> {

  private static final double DEFAULT_RATE = 0.01;
  private static final long MOST_MEASURED_KEYS = 20_000_000;

  /** Letters are about twice as high as wide. */
  private static final int COLUMNS_PER_LINE = 4;

  /** Lines of the terminal that the prompt and the title take. */
  private static final int OTHER_LINES = 4;

  /** A range such as {@code 4..24} or {@code 1e5..1e8}. */
  static final class RangeConverter implements ITypeConverter<Plot.Range> {
    @Override
    public Plot.Range convert(String text) {
      String[] ends = text.split("\\.\\.", -1);
      try {
        if (ends.length == 2) {
          Plot.Range range =
              new Plot.Range(Double.parseDouble(ends[0]), Double.parseDouble(ends[1]));
          if (range.min() >= 0 && range.max() > range.min() && range.max() <= 1e15) {
            return range;
          }
        }
      } catch (NumberFormatException e) {
        throw wrong(text);
      }
      throw wrong(text);
    }

    private static TypeConversionException wrong(String text) {
      return new TypeConversionException(
          "'" + text + "' is not a range such as 4..24, from 0 or more to a greater number");
    }
  }

  /**
   * The size of an image.
   *
   * @param width in pixels
   * @param height in pixels
   */
  record Size(int width, int height) {}

  /** A size such as {@code 800x480}. */
  static final class SizeConverter implements ITypeConverter<Size> {
    private static final Pattern FORM = Pattern.compile("([0-9]{3,4})x([0-9]{3,4})");

    @Override
    public Size convert(String text) {
      Matcher matcher = FORM.matcher(text);
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "'" + text + "' is not a size such as 800x480, from 300x240 to 4000x4000");
      }
      Size size = new Size(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
      if (size.width < 300 || size.height < 240 || size.width > 4000 || size.height > 4000) {
        throw new TypeConversionException(text + ": a size is from 300x240 to 4000x4000");
      }
      return size;
    }
  }

  @ParentCommand private Program program;

  @Parameters(
      arity = "0..1",
      paramLabel = "WHAT",
      description = "What to draw: rate, fill or growth. Default: rate.")
  private Plot.What what = Plot.What.RATE;

  @Mixin private OutputOptions.OnRequest output = new OutputOptions.OnRequest();

  @Option(
      names = "--kinds",
      paramLabel = "KIND",
      split = ",",
      completionCandidates = FilterChoice.Names.class,
      description = "Kinds of filter, named as in bloom plan, separated by commas; up to 8.")
  private List<String> kinds = new ArrayList<>();

  @Option(
      names = {"-n", "--keys"},
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of distinct keys that filters are made for. Default: 1M; growth: 100k.")
  private @Nullable Long keys;

  @Option(
      names = {"-p", "--rate"},
      paramLabel = "P",
      converter = Converters.Rate.class,
      description = "False-positive rate that filters are made for (fill, growth). Default: 1%%.")
  private @Nullable Double rate;

  @Option(
      names = "--range",
      paramLabel = "A..B",
      converter = RangeConverter.class,
      description =
          "Horizontal axis: bits per key (rate, 4..24), multiples of N (fill, 0..3), keys (growth,"
              + " N..1000N).")
  private Plot.@Nullable Range range;

  @Option(names = "--measured", description = "Also build filters and measure their rates.")
  private boolean measured;

  @Option(names = "--title", paramLabel = "TEXT", description = "Title of the chart.")
  private @Nullable String title;

  @Option(
      names = "--size",
      paramLabel = "WxH",
      converter = SizeConverter.class,
      description = "Pixels of SVG; PNG has twice as many. Default: 800x480, growth: 800x620.")
  private @Nullable Size size;

  @Mixin private ReportOptions reporting = new ReportOptions();

  PlotCommand() {}

  @Override
  public Integer call() {
    String form = checkOptions();
    Plot plot = plot();
    Chart chart = plot.chart();
    Size pixels = size != null ? size : new Size(800, what == Plot.What.GROWTH ? 620 : 480);
    if (!form.equals("text")) {
      checkRoom(chart, pixels);
    }
    switch (form) {
      case "svg" ->
          write(Pictures.svg(chart, pixels.width, pixels.height).getBytes(StandardCharsets.UTF_8));
      case "png" -> write(png(chart, pixels));
      default -> {
        if (reporting.isJson()) {
          program.console().print(json(chart));
        } else {
          program.console().printStyled(text(chart));
        }
      }
    }
    return 0;
  }

  /** Checks the options before anything is computed, and returns the output format. */
  private String checkOptions() {
    if (kinds.size() > Pictures.MOST_LOOKS) {
      throw new Problem(
          "--kinds has %d kinds; at most %d can be told apart"
              .formatted(kinds.size(), Pictures.MOST_LOOKS));
    }
    if (!output.isGiven()) {
      return "text";
    }
    if (reporting.isJson()) {
      throw new Problem("--json prints values; -o draws a picture");
    }
    String name = output.path().toString().toLowerCase(Locale.ROOT);
    String form = name.endsWith(".svg") ? "svg" : name.endsWith(".png") ? "png" : "";
    if (form.isEmpty()) {
      throw new Problem(output.path(), "a picture is named NAME.svg or NAME.png");
    }
    output.check();
    return form;
  }

  private Plot plot() {
    long count = keys == null ? what.keys() : keys;
    double promised = rate == null ? DEFAULT_RATE : rate;
    if (measured && count > MOST_MEASURED_KEYS) {
      throw new Problem("--measured builds filters of up to 20M keys, not of " + Text.count(count));
    }
    Needs needs = Needs.forKeys(count, promised);
    Map<String, FilterChoice> chosen = new LinkedHashMap<>();
    for (String name : kinds.isEmpty() ? what.kinds() : kinds) {
      FilterChoice choice = FilterChoice.named(name, needs);
      chosen.putIfAbsent(choice.name(), choice);
    }
    return new Plot(
        what, List.copyOf(chosen.values()), count, promised, range(count), title, measured);
  }

  private Plot.Range range(long count) {
    if (range != null) {
      return range;
    }
    return what == Plot.What.GROWTH ? new Plot.Range(count, 1e3 * count) : what.range();
  }

  private static void checkRoom(Chart chart, Size pixels) {
    int least = Pictures.leastHeight(chart, pixels.width);
    if (pixels.height < least) {
      throw new Problem(
          "--size %dx%d has no room for panels and legend; %dx%d has"
              .formatted(pixels.width, pixels.height, pixels.width, least));
    }
  }

  private static byte[] png(Chart chart, Size pixels) {
    System.setProperty("java.awt.headless", "true");
    try {
      return Pictures.png(chart, pixels.width, pixels.height);
    } catch (LinkageError | InternalError e) {
      throw new Problem(
          "PNG needs the fonts of this system, and Java finds none (" + e + "); write NAME.svg");
    }
  }

  private void write(byte[] bytes) {
    Saving.save(target -> AtomicFile.write(target, out -> out.write(bytes)), output.path());
  }

  private String text(Chart chart) {
    Terminal.Size room = program.console().size();
    int width = size == null ? room.columns() : Math.max(room.columns(), size.width / 8);
    int fitting = Math.min(width / COLUMNS_PER_LINE, room.lines() - OTHER_LINES);
    int lines = size == null ? fitting : Math.max(fitting, size.height / 20);
    boolean coloured = program.console().coloured().getAsBoolean();
    return Pictures.text(chart, width, lines / chart.panels().size() + 2, coloured);
  }

  private static String json(Chart chart) {
    return new Report()
        .value("title", chart.title())
        .value("note", chart.note())
        .value("panels", chart.panels().stream().map(PlotCommand::values).toList())
        .json();
  }

  private static Map<String, Object> values(Chart.Panel panel) {
    return Map.of(
        "x", panel.x().label(),
        "y", panel.y().label(),
        "series", panel.series().stream().map(PlotCommand::values).toList());
  }

  private static Map<String, Object> values(Series series) {
    return Map.of(
        "name", series.name(),
        "measured", series.form() == Series.Form.MEASURED,
        "points", series.points().stream().map(p -> List.of(p.x(), p.y())).toList());
  }
}
