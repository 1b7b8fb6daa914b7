package io.bloomery.cli.remove;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.FilterFile;
import io.bloomery.cli.file.FormatOption;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.file.OpenFilter;
import io.bloomery.cli.option.ChangeOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.file.FilterLock;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.input.KeyInput;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code bloom remove}: deletes keys from a saved filter. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Deletes keys, one per line, from a filter of a kind with deletes, and says how many were"
          + " certainly not in it.",
      "Delete only keys that were added. One that was not is usually certainly absent, and then"
          + " nothing happens; but if the filter reports it present, another key is removed in its"
          + " place and may be reported absent afterwards.",
      "The file is replaced as a whole once all keys are removed; until then it stays unchanged,"
          + " whatever happens.",
      "Exit code: 0 all keys were removed, 1 some were certainly absent or could not be removed, 2"
          + " error."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom remove users.bloom --key ada@example.org",
      "  bloom remove users.bloom left.csv --column email --check-first",
      "  cut -f1 expired.tsv | bloom remove sessions.bloom --dry-run"
    })
public final class RemoveCommand implements Callable<Integer> {

  private static final int SOME_LEFT = 1;

  @ParentCommand private Program program;

  @Mixin private ChangeOptions change = new ChangeOptions();

  @Option(
      names = "--check-first",
      description = "Change nothing at all if one of the keys is certainly absent.")
  private boolean checkFirst;

  @Option(names = "--dry-run", description = "Say what would be removed; change nothing.")
  private boolean dryRun;

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Mixin private FormatOption format = new FormatOption();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  RemoveCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    KeyInput input = change.input(console);
    RemoveReport report;
    try (FilterLock lock = change.lock(console)) {
      OpenFilter opened = FilterFile.open(lock.path(), keyFile, format);
      report = remove(console, lock, opened, input);
    }
    report.warnings().forEach(console::warn);
    reporting.print(console, report::text, report::json);
    return report.isComplete() ? 0 : SOME_LEFT;
  }

  private RemoveReport remove(
      Console console, FilterLock lock, OpenFilter opened, @Nullable KeyInput input) {
    boolean bar = reporting.isBarWanted(console, false);
    RemoveReport report;
    try (Progress progress = new Progress(console, bar, input == null ? 0 : input.bytes());
        RemoveRun run = RemoveRun.from(change.file(), opened, change::reading)) {
      report = new RemoveReport(change.file(), run, dryRun);
      change.keys().forEach(run::key);
      if (input != null) {
        run.read(input, progress);
      }
      run.finish(checkFirst);
      if (run.removed() > 0 && !dryRun) {
        progress.phase("writing");
        Saving.save(opened.writer(), lock.path());
      }
      report.done();
    }
    return report;
  }
}
