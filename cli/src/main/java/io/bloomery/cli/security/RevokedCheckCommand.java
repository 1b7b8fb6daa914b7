package io.bloomery.cli.security;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.security.revocation.RevocationList;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.BlockReader;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom revoked check}: looks up keys in a list. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints for each key whether it is good, revoked or unknown. A list cannot tell which keys"
          + " its publisher knew: without --all-known, every key is unknown.",
      "Exit code, with --key: 0 if all keys are good, 1 if one is not. Otherwise 0; 2 error."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom revoked check list --public-key public.pem --all-known --key 4711",
      "  bloom revoked check list --public-key public.pem --all-known cards.txt"
    })
public final class RevokedCheckCommand implements Callable<Integer> {

  private static final int NOT_GOOD = 1;

  @ParentCommand private Program program;

  @Parameters(index = "0", paramLabel = "LIST", description = "A list of bloom revoked build.")
  private Path file;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "FILE",
      description = "Files of keys, plain or compressed. Default: standard input.")
  private List<Path> inputs = new ArrayList<>();

  @Mixin private ListOptions list = new ListOptions();

  @Option(
      names = {"-k", "--key"},
      paramLabel = "KEY",
      description = "A key; may be repeated.")
  private List<String> keys = new ArrayList<>();

  @Option(names = "--all-known", description = "The publisher knew all keys that are looked up.")
  private boolean allKnown;

  @Option(names = "--hex", description = "Keys are bytes in hexadecimal.")
  private boolean hex;

  @Mixin private ReportOptions reporting = new ReportOptions();

  private long good;
  private long revoked;
  private long unknown;

  RevokedCheckCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    RevocationList opened = list.open(file);
    if (keys.isEmpty()) {
      lookUpLines(console, opened);
    } else {
      for (String key : keys) {
        lookUp(console, opened, KeyLines.parse("--key", Octets.bytes(key), hex));
      }
    }
    if (!reporting.isQuiet()) {
      console.say(
          "%s good, %s revoked, %s unknown"
              .formatted(Text.count(good), Text.count(revoked), Text.count(unknown)));
    }
    return keys.isEmpty() || revoked + unknown == 0 ? 0 : NOT_GOOD;
  }

  private void lookUpLines(Console console, RevocationList opened) {
    List<String> names = inputs.stream().map(Octets::name).toList();
    KeyInput input =
        new KeyInput(console, names.isEmpty() ? List.of(KeyInput.STANDARD_INPUT) : names);
    try (BlockReader reader = input.open(KeyLines.reading(), bytes -> {})) {
      new KeyLines(reader, "the keys", hex).forEachRemaining(key -> lookUp(console, opened, key));
    }
  }

  private void lookUp(Console console, RevocationList opened, byte[] key) {
    String state = "unknown";
    if (!allKnown) {
      unknown++;
    } else if (opened.isRevoked(key)) {
      state = "revoked";
      revoked++;
    } else {
      state = "good";
      good++;
    }
    String shown = hex ? HexFormat.of().formatHex(key) : Octets.text(key);
    console.print(
        reporting.isJson()
            ? new Report().value("key", shown).value("status", state).json()
            : state + "\t" + shown + "\n");
  }
}
