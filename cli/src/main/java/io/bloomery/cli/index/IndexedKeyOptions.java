package io.bloomery.cli.index;

import io.bloomery.cli.option.ColumnOptions;
import io.bloomery.cli.option.IgnoreCaseOption;
import io.bloomery.cli.option.JsonKeyOption;
import io.bloomery.find.KeyRule;
import io.bloomery.tools.problem.Problem;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code bloom index} that say what a key is. */
final class IndexedKeyOptions {

  @Option(
      names = "--whole-lines",
      description = "Keys are whole lines. Default: the tokens of each line.")
  private boolean lines;

  @Option(
      names = "--joints",
      paramLabel = "CHARS",
      description =
          "Characters that join words into one token, besides letters, digits and _."
              + " Default: "
              + KeyRule.JOINTS)
  private @Nullable String joints;

  @Mixin private IgnoreCaseOption anyCase = new IgnoreCaseOption();

  @Mixin private ColumnOptions columns = new ColumnOptions();

  @Mixin private JsonKeyOption json = new JsonKeyOption();

  /** Whether any of these options is given. */
  boolean isGiven() {
    return lines
        || joints != null
        || anyCase.isGiven()
        || columns.isGiven()
        || !json.places().isEmpty();
  }

  /** Whether keys are parts of rows, some of which may be bad. */
  boolean isOfRows() {
    return !columns.columns().isEmpty() || !json.places().isEmpty();
  }

  /** What a key is; fails if the options contradict each other. */
  KeyRule rule() {
    columns.check();
    json.check();
    int ways =
        (lines ? 1 : 0) + (columns.columns().isEmpty() ? 0 : 1) + (json.places().isEmpty() ? 0 : 1);
    if (ways > 1) {
      throw new Problem("--whole-lines, --column and --json-key exclude each other");
    }
    if (ways > 0 && joints != null) {
      throw new Problem(
          "--joints is about tokens; with --whole-lines, --column or --json-key there are none");
    }
    return anyCase.isGiven() ? exactRule().ignoringCase() : exactRule();
  }

  private KeyRule exactRule() {
    if (!columns.columns().isEmpty()) {
      return KeyRule.columns(
          new KeyRule.Columns(columns.columns(), columns.separator(), columns.header()));
    }
    if (!json.places().isEmpty()) {
      return KeyRule.json(json.places());
    }
    return lines ? KeyRule.lines() : KeyRule.tokens(joints == null ? KeyRule.JOINTS : joints);
  }
}
