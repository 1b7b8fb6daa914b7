package io.bloomery.cli.reconcile;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.CountOption;
import io.bloomery.cli.option.ExitCodeOption;
import io.bloomery.cli.option.InputOptions;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.file.AtomicFile;
import io.bloomery.sync.SetReconciliation;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.KeyPrinter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.input.Splitter;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.spill.RunHash;
import io.bloomery.transfer.Peer;
import io.bloomery.transfer.PeerOptions;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom reconcile}: finds what each of two files lacks, also on two machines. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Compares the lines of FILE with those of a peer and prints < LINE for a line that only FILE"
          + " has, > LINE for one that only the peer has; each once, sorted. What is sent depends"
          + " on the number of differences, not on the size of the files: about 32 kB for 1,000"
          + " differences in a million lines of 8 bytes.",
      "The peer is another file here (PEER), a command that runs 'bloom reconcile FILE --serve'"
          + " elsewhere (--peer), or a bloom that listens (--listen, --connect). Both sides"
          + " learn what they lack; neither file changes.",
      "Both sides compare a hash of all lines at the end, so that the answer is complete or an"
          + " error; except with --approximate on both sides. Connections are neither encrypted nor"
          + " authenticated: use --peer with ssh between machines."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom reconcile here.txt there.txt",
      "  bloom reconcile keys.txt --peer 'ssh host bloom reconcile keys.txt --serve' -o"
          + " lacking.txt",
      "  bloom reconcile keys.txt --listen 7000",
      "  bloom reconcile keys.txt --connect localhost:7000 --json"
    })
public final class ReconcileCommand implements Callable<Integer> {

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** Where the peer is, if it is not a file. */
  static final class Place {
    @Option(
        names = "--serve",
        description = "Answer a peer through standard input and output, and print nothing there.")
    private boolean serve;

    @Option(
        names = "--peer",
        paramLabel = "COMMAND",
        description = "Run a shell command that answers through its input and output.")
    private @Nullable String command;

    @Option(
        names = "--listen",
        paramLabel = "PORT",
        description =
            "Wait for peers on this machine to connect, until one has reconciled; HOST:PORT for peers"
                + " on other machines, too. Port 0 takes a free one.")
    private @Nullable String listen;

    @Option(
        names = "--connect",
        paramLabel = "ADDRESS",
        description = "Connect to a peer that listens: HOST:PORT, or PORT on this machine.")
    private @Nullable String connect;
  }

  /** The names of the methods, for completion. */
  static final class Methods implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(SetReconciliation.Method.values()).map(Object::toString).iterator();
    }
  }

  @ParentCommand private Program program;

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "A file of lines, plain or compressed; - for standard input.")
  private String file;

  @Parameters(index = "1", arity = "0..1", paramLabel = "PEER", description = "Another file.")
  private @Nullable String other;

  @ArgGroup(exclusive = true)
  private Place place = new Place();

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      completionCandidates = Methods.class,
      description =
          "How differences are found: ${COMPLETION-CANDIDATES}. Default: the one that is expected"
              + " to send least.")
  private SetReconciliation.@Nullable Method method;

  @Option(
      names = "--approximate",
      description =
          "Accept that filter and tree miss some differences, if the peer accepts it too. Default:"
              + " what they miss is found by symbols.")
  private boolean approximate;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Converters.Time.class,
      description = "Longest wait for an outgoing connection and for each answer. Default: 10m.")
  private Duration timeout = PATIENCE;

  @Mixin private OutputOptions.OnRequest output = new OutputOptions.OnRequest();

  @Mixin private InputOptions inputOptions = new InputOptions();

  @Mixin private TypeOption typing = new TypeOption();

  @Mixin private CountOption counting = new CountOption();

  @Mixin private ExitCodeOption exitCode = new ExitCodeOption();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  ReconcileCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    inputOptions.check();
    output.check();
    checkPeer(console);
    Reading reading = typing.canonical(inputOptions.reading(null));
    SetReconciliation here = read(console, file, reading);
    Outcome outcome;
    if (other != null) {
      SetReconciliation there = read(console, other, typing.canonical(inputOptions.reading(null)));
      try {
        outcome = new Outcome(other, Peer.compare(here, there));
      } catch (IOException e) {
        throw Problem.with(other, e);
      }
    } else {
      outcome = place.listen != null ? listen(console, place.listen, here) : talk(console, here);
    }
    SetReconciliation.Result result = outcome.result;
    show(console, outcome.peer, reading.splitter(), result);
    return exitCode.of(result.onlyHere().isEmpty() && result.onlyThere().isEmpty(), false);
  }

  /** The peer, and what was found. */
  private record Outcome(String peer, SetReconciliation.Result result) {}

  private void checkPeer(Console console) {
    boolean elsewhere =
        place.serve || place.command != null || place.listen != null || place.connect != null;
    if (elsewhere == (other != null)) {
      throw new Problem(
          elsewhere
              ? "PEER is a file; leave it out with --serve, --peer, --listen and --connect"
              : "give the peer: PEER, --peer, --listen, --connect or --serve");
    }
    if (other != null && file.equals("-") && other.equals("-")) {
      throw new Problem("only one of the two can be standard input");
    }
    if (place.serve && file.equals("-")) {
      throw new Problem("--serve answers through standard input, so FILE cannot be -");
    }
    if (place.serve && (console.typed().getAsBoolean() || console.out().isTerminal())) {
      throw new Problem("--serve answers another bloom, not a terminal; see --peer");
    }
    if (place.serve && (counting.isGiven() || reporting.isJson())) {
      throw new Problem("--serve answers through standard output; --count and --json print there");
    }
  }

  private SetReconciliation read(Console console, String name, Reading reading) {
    SetReconciliation.Builder set = SetReconciliation.builder();
    set.method(method).approximate(approximate).seed(RunHash.hasher().hash("reconcile"));
    KeyInput input = new KeyInput(console, List.of(name));
    boolean bar = reporting.isBarWanted(console, false);
    try (Progress progress = new Progress(console, bar, input.bytes())) {
      input.read(
          reading,
          block -> {
            for (int i = 0; i < block.count(); i++) {
              int start = block.keyStarts()[i];
              set.add(block.bytes(), start, block.keyEnds()[i] - start);
            }
            return true;
          },
          progress);
    } catch (IllegalArgumentException e) {
      throw new Problem(name + ": " + e.getMessage());
    }
    return set.build();
  }

  private Peer peer(Console console) {
    if (place.serve) {
      return Peer.streams("standard input", console.in(), console.out());
    }
    String asked = place.command;
    asked = asked != null ? asked : Objects.requireNonNull(place.connect, "--connect");
    try {
      return place.command != null
          ? Peer.process(asked, ShellCommand.of(asked))
          : Peer.connect(asked, PeerOptions.DEFAULT.withTimeout(timeout));
    } catch (IllegalArgumentException e) {
      throw new Problem(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw Problem.with(asked, e);
    }
  }

  /** Answers peers until one of them has reconciled; reports why others failed. */
  private Outcome listen(Console console, String address, SetReconciliation set) {
    PeerOptions options =
        PeerOptions.DEFAULT
            .withTimeout(timeout)
            .withListening(at -> tellListening(console, address, at));
    try (Peer.Listener listener = Peer.listener(address, options)) {
      while (true) {
        try (Peer peer = listener.accept()) {
          return new Outcome(peer.name(), hold(peer, () -> peer.respond(set)));
        } catch (Problem e) {
          console.warn(e.getMessage() + "; waiting for another peer");
        }
      }
    } catch (IllegalArgumentException e) {
      throw new Problem(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw Problem.with(address, e);
    }
  }

  private Outcome talk(Console console, SetReconciliation set) {
    Peer peer = peer(console);
    try (peer) {
      return new Outcome(
          peer.name(), hold(peer, () -> place.serve ? peer.respond(set) : peer.initiate(set)));
    } catch (IOException e) {
      throw Problem.with(peer.name(), e);
    }
  }

  private interface Conversation {
    SetReconciliation.Result hold() throws IOException;
  }

  private static SetReconciliation.Result hold(Peer peer, Conversation conversation) {
    try {
      return conversation.hold();
    } catch (SocketTimeoutException e) {
      throw new Problem(peer.name() + ": no answer in time; --timeout waits longer");
    } catch (IOException e) {
      throw Problem.with(peer.name(), e);
    }
  }

  /** Reports the address; with {@code --quiet} only the port, and only if the system chose it. */
  private void tellListening(Console console, String asked, String address) {
    if (!reporting.isQuiet()) {
      console.say("listening at " + address);
    } else if (asked.matches("(.*:)?0+")) {
      console.print(address.substring(address.lastIndexOf(':') + 1) + "\n");
      console.out().flush();
    }
  }

  private void show(
      Console console, String name, Splitter splitter, SetReconciliation.Result result) {
    if (output.isGiven()) {
      save(splitter, result);
    }
    if (!counting.isGiven() && !output.isGiven() && !place.serve) {
      KeyPrinter printer = new KeyPrinter(console.out(), splitter);
      ReconcileReport.print(printer, result, reporting.isJson());
      console.out().flush();
    }
    if (reporting.isJson() && (counting.isGiven() || !reporting.isQuiet())) {
      console.print(ReconcileReport.json(file, name, inputOptions.badRows(), result));
    } else if (counting.isGiven()) {
      console.print(ReconcileReport.text(result) + "\n");
    } else if (!reporting.isQuiet()) {
      console.say(ReconcileReport.text(result));
    }
  }

  /** Writes what FILE lacks. */
  private void save(Splitter splitter, SetReconciliation.Result result) {
    byte[] end = splitter.recordEnd();
    Saving.save(
        target ->
            AtomicFile.write(
                target,
                out -> {
                  for (byte[] key : ReconcileReport.sorted(result.onlyThere())) {
                    out.write(key);
                    out.write(end);
                  }
                }),
        output.path());
  }
}
