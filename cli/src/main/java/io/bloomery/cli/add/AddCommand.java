package io.bloomery.cli.add;

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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** {@code bloom add}: adds keys to a saved filter. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Adds keys, one per line, to a filter and says how many of them were certainly new.",
      "The file is replaced as a whole once all keys are added; until then it stays unchanged,"
          + " whatever happens."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom add seen.bloom today.txt.gz",
      "  bloom add seen.bloom --key zebra",
      "  bloom check seen.bloom today.txt --mode absent | bloom add seen.bloom"
    })
public final class AddCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Mixin private ChangeOptions change = new ChangeOptions();

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Mixin private FormatOption format = new FormatOption();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  AddCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    KeyInput input = change.input(console);
    boolean bar = reporting.isBarWanted(console, false);
    AddReport report;
    try (FilterLock lock = change.lock(console);
        Progress progress = new Progress(console, bar, input == null ? 0 : input.bytes())) {
      OpenFilter opened = FilterFile.open(lock.path(), keyFile, format);
      AddRun run = AddRun.to(change.file(), opened.filter(), change.reading(opened));
      report = new AddReport(change.file(), opened, run);
      change.keys().forEach(run::key);
      if (input != null) {
        run.read(input, progress);
      }
      run.finish();
      progress.phase("writing");
      if (run.keys() > 0) {
        Saving.save(opened.writer(), lock.path());
      }
      report.done();
    }
    report.warnings().forEach(console::warn);
    reporting.print(console, report::text, report::json);
    return 0;
  }
}
