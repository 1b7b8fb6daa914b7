package io.bloomery.cli.option;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.foreign.TypedKeys;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.Popularity;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.BadRows;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockSink;
import io.bloomery.tools.input.KeyForm;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.problem.Problem;
import io.bloomery.weighted.Weights;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for how often each key is queried. */
public final class WeightsOption {

  private static final String QUERIES = "queries";
  private static final String TSV = "tsv";
  private static final Pattern ZIPF = Pattern.compile("zipf:([0-9]+(?:\\.[0-9]+)?)");
  private static final int MOST_EXPONENT = 10;

  /** The formats, for help and completion. */
  static final class Formats implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of(QUERIES, TSV, "zipf:1").iterator();
    }
  }

  @Option(
      names = "--weights",
      paramLabel = "FILE",
      description =
          "Popular keys: past queries, one per line, in their order. The filter errs less"
              + " on keys that are queried often. For bloom plan also zipf:S, by Zipf's law.")
  private @Nullable String weights;

  @Option(
      names = "--weights-format",
      paramLabel = "LAYOUT", // completion scripts need a label that no other option of build has
      completionCandidates = Formats.class,
      description =
          "Format of the weights: ${COMPLETION-CANDIDATES}. tsv: key, tab, weight; zipf:S: keys,"
              + " the most popular first, by Zipf's law with exponent S. Default: queries.")
  private @Nullable String format;

  /** Whether there are weights. */
  public boolean isGiven() {
    return weights != null;
  }

  /** The input with the weights; only if {@link #isGiven}. */
  public String file() {
    return Objects.requireNonNull(weights, "--weights");
  }

  /** Fails, before anything is read, if the options contradict each other. */
  public void check() {
    if (weights == null && format != null) {
      throw new Problem("--weights-format needs --weights FILE");
    }
    if (format != null && !format.equals(QUERIES) && !format.equals(TSV)) {
      exponent("--weights-format", format);
    }
    if (format != null && isLaw()) {
      throw new Problem(
          "--weights-format needs a file, and --weights %s is not one".formatted(weights));
    }
  }

  /** Whether Zipf's law is given instead of a file. */
  public boolean isLaw() {
    return weights != null && weights.startsWith("zipf:");
  }

  /** The popularity of each queried key under Zipf's law. */
  public Popularity law(long keys) {
    return Popularity.zipf(keys, exponent("--weights", file()));
  }

  private static double exponent(String option, String text) {
    Matcher zipf = ZIPF.matcher(text);
    double exponent = zipf.matches() ? Double.parseDouble(zipf.group(1)) : -1;
    if (exponent < 0 || exponent > MOST_EXPONENT) {
      String others = option.equals("--weights") ? "" : "queries, tsv or ";
      throw new Problem(
          "%s is %s; it must be %szipf:S with S from 0 to %d"
              .formatted(option, text, others, MOST_EXPONENT));
    }
    return exponent;
  }

  /**
   * Reads the keys and their weights, hashed like {@code keys}; one per line unless keys are
   * binary.
   */
  public Weights.Builder read(Console console, Reading keys, LongConsumer progress) {
    boolean binary = !keys.splitter().isText();
    if (binary && TSV.equals(format)) {
      throw new Problem("--weights-format tsv has lines, and --binary keys have none");
    }
    Reading lines =
        keys.of(
                binary ? keys.splitter() : new LineSplitter(),
                TSV.equals(format) ? null : keys.hasher())
            .withBadRows(BadRows.fail());
    Hasher hasher = Objects.requireNonNull(keys.hasher(), "hasher");
    Weights.Builder builder = Weights.builder(hasher);
    new KeyInput(console, List.of(file())).read(lines, sink(builder, keys, hasher), progress);
    return builder;
  }

  private BlockSink sink(Weights.Builder builder, Reading keys, Hasher hasher) {
    if (TSV.equals(format)) {
      return new Rows(builder, keys.keys(), keys.form(), hasher);
    }
    boolean counted = format == null || format.equals(QUERIES);
    double exponent = format == null || counted ? 0 : exponent("--weights-format", format);
    return new BlockSink() {
      private long rank;

      @Override
      public boolean take(Block block) {
        for (int i = 0; i < block.count(); i++) {
          long hash = block.hashes()[i];
          if (counted) {
            builder.queryHash(hash);
          } else {
            builder.weightHash(hash, Math.pow((double) ++rank, -exponent));
          }
        }
        return true;
      }
    };
  }

  /** Lines of a key, a tab and a number; the key itself may contain tabs. */
  private record Rows(Weights.Builder builder, TypedKeys keys, KeyForm form, Hasher hasher)
      implements BlockSink {

    @Override
    public boolean take(Block block) {
      for (int i = 0; i < block.count(); i++) {
        try {
          row(block.bytes(), block.keyStarts()[i], block.keyEnds()[i]);
        } catch (IllegalArgumentException e) {
          throw Reading.problem(block, i, e);
        }
      }
      return true;
    }

    private void row(byte[] bytes, int start, int end) {
      int tab = end - 1;
      while (tab >= start && bytes[tab] != '\t') {
        tab--;
      }
      if (tab < start) {
        throw new IllegalArgumentException("no tab between a key and its weight");
      }
      byte[] key = form.of(bytes, start, tab - start);
      long hash = keys.isText() ? hasher.hash(key) : keys.hash(hasher, key, 0, key.length);
      builder.weightHash(hash, weight(new String(bytes, tab + 1, end - tab - 1, UTF_8)));
    }

    private static double weight(String text) {
      try {
        double weight = Double.parseDouble(text);
        if (weight >= 0 && weight < Double.POSITIVE_INFINITY) {
          return weight;
        }
      } catch (NumberFormatException e) {
        // The same message as for numbers that are not weights.
      }
      throw new IllegalArgumentException(
          "the weight \"" + text + "\" is not a number of 0 or more");
    }
  }
}
