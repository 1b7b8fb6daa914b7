package io.bloomery.cli;

import static io.bloomery.cli.CommandGroup.APPLICATION;
import static io.bloomery.cli.CommandGroup.APPLICATIONS;
import static io.bloomery.cli.CommandGroup.CHOOSE;
import static io.bloomery.cli.CommandGroup.COMBINE;
import static io.bloomery.cli.CommandGroup.HELP;
import static io.bloomery.cli.CommandGroup.INSPECT;
import static io.bloomery.cli.CommandGroup.USE;
import static io.bloomery.cli.Parts.FIND;
import static io.bloomery.cli.Parts.NET;
import static io.bloomery.cli.Parts.SECURITY;
import static io.bloomery.cli.Parts.TRANSFER;

import io.bloomery.cli.add.AddCommand;
import io.bloomery.cli.bench.BenchCommand;
import io.bloomery.cli.build.BuildCommand;
import io.bloomery.cli.check.CheckCommand;
import io.bloomery.cli.check.VerifyCommand;
import io.bloomery.cli.combine.IntersectCommand;
import io.bloomery.cli.combine.MergeCommand;
import io.bloomery.cli.count.CountCommand;
import io.bloomery.cli.count.TopCommand;
import io.bloomery.cli.dedup.DedupCommand;
import io.bloomery.cli.distinct.DistinctCommand;
import io.bloomery.cli.index.FindCommand;
import io.bloomery.cli.index.IndexCommand;
import io.bloomery.cli.index.SecureIndexCommand;
import io.bloomery.cli.join.DiffCommand;
import io.bloomery.cli.join.JoinCommand;
import io.bloomery.cli.net.DupsCommand;
import io.bloomery.cli.net.FlowsCommand;
import io.bloomery.cli.net.MatchCommand;
import io.bloomery.cli.net.NetCommand;
import io.bloomery.cli.net.NetFindCommand;
import io.bloomery.cli.net.NetIndexCommand;
import io.bloomery.cli.net.ScanCommand;
import io.bloomery.cli.net.StateCommand;
import io.bloomery.cli.net.TraceCommand;
import io.bloomery.cli.partition.PartitionCommand;
import io.bloomery.cli.partition.SampleCommand;
import io.bloomery.cli.plan.PlanCommand;
import io.bloomery.cli.plot.PlotCommand;
import io.bloomery.cli.reconcile.ReconcileCommand;
import io.bloomery.cli.remove.RemoveCommand;
import io.bloomery.cli.security.DenyBuildCommand;
import io.bloomery.cli.security.DenyCheckCommand;
import io.bloomery.cli.security.DenyCommand;
import io.bloomery.cli.security.KnownBuildCommand;
import io.bloomery.cli.security.KnownCheckCommand;
import io.bloomery.cli.security.KnownCommand;
import io.bloomery.cli.security.KnownVersionCommand;
import io.bloomery.cli.security.PasswordBuildCommand;
import io.bloomery.cli.security.PasswordCheckCommand;
import io.bloomery.cli.security.PasswordCommand;
import io.bloomery.cli.security.PasswordInfoCommand;
import io.bloomery.cli.security.RevokedBuildCommand;
import io.bloomery.cli.security.RevokedCheckCommand;
import io.bloomery.cli.security.RevokedCommand;
import io.bloomery.cli.security.RevokedUpdateCommand;
import io.bloomery.cli.which.WhichCommand;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The commands of {@code bloom}, one line each; a new command needs no other entry. */
final class Commands extends CommandTable {

  /** The names of all commands of one word, for completion. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return new Commands().below("").stream().map(CommandEntry::words).iterator();
    }
  }

  @Override
  @Nullable Class<?> lines(Search search) {
    if (search.at("build", USE, "Builds a filter from keys, one per line.")) {
      return BuildCommand.class;
    }
    if (search.at("check", USE, "Looks up keys in a filter.")) {
      return CheckCommand.class;
    }
    if (search.at("which", USE, "Names the filters that probably contain a key.")) {
      return WhichCommand.class;
    }
    if (search.at("add", USE, "Adds keys to a filter.")) {
      return AddCommand.class;
    }
    if (search.at("remove", USE, "Deletes keys from a filter.")) {
      return RemoveCommand.class;
    }
    if (search.at("dedup", USE, "Prints each line once.")) {
      return DedupCommand.class;
    }
    if (search.at("count", USE, "Counts how often lines occur, in little memory.")) {
      return CountCommand.class;
    }
    if (search.at("top", USE, "Prints the most frequent lines.")) {
      return TopCommand.class;
    }
    if (search.at("distinct", USE, "Says how many different keys there are.")) {
      return DistinctCommand.class;
    }
    if (search.at(
        "index", USE, "Makes an index of files, with a filter per file or block.", FIND)) {
      return IndexCommand.class;
    }
    if (search.at("find", USE, "Prints the files or lines that hold a key, by an index.", FIND)) {
      return FindCommand.class;
    }
    if (search.at(
        "secure-index", USE, "Finds documents by words that the index does not reveal.", FIND)) {
      return SecureIndexCommand.class;
    }
    if (search.at("merge", COMBINE, "Makes one filter of the keys of several.")) {
      return MergeCommand.class;
    }
    if (search.at("intersect", COMBINE, "Makes one filter of the keys that several share.")) {
      return IntersectCommand.class;
    }
    if (search.at("diff", COMBINE, "Prints the lines that only one of two files has.")) {
      return DiffCommand.class;
    }
    if (search.at("join", COMBINE, "Joins two CSV or TSV files.")) {
      return JoinCommand.class;
    }
    if (search.at("partition", COMBINE, "Divides rows among files by the hash of their key.")) {
      return PartitionCommand.class;
    }
    if (search.at("sample", COMBINE, "Prints all rows of a share of the keys.")) {
      return SampleCommand.class;
    }
    if (search.at(
        "reconcile",
        COMBINE,
        "Finds what each of two files lacks, sending little more.",
        TRANSFER)) {
      return ReconcileCommand.class;
    }
    if (search.at("info", INSPECT, "Shows what is in a filter's file.")) {
      return InfoCommand.class;
    }
    if (search.at("verify", INSPECT, "Checks that a filter keeps its promises.")) {
      return VerifyCommand.class;
    }
    if (search.at("convert", INSPECT, "Writes a filter in another file format.")) {
      return ConvertCommand.class;
    }
    if (search.at("plan", CHOOSE, "Says which kind of filter fits, and how large it becomes.")) {
      return PlanCommand.class;
    }
    if (search.at("plot", CHOOSE, "Draws error rates over memory, fill or growth.")) {
      return PlotCommand.class;
    }
    if (search.at("bench", CHOOSE, "Measures filters on this machine.")) {
      return BenchCommand.class;
    }
    if (search.at(
        "password", APPLICATIONS, "Is this password on a list of leaked or weak ones?", SECURITY)) {
      return PasswordCommand.class;
    }
    if (search.at(
        "password build", APPLICATION, "Builds a list from leaked passwords.", SECURITY)) {
      return PasswordBuildCommand.class;
    }
    if (search.at("password check", APPLICATION, "Checks passwords, typed unseen.", SECURITY)) {
      return PasswordCheckCommand.class;
    }
    if (search.at("password info", APPLICATION, "Shows what a list refuses.", SECURITY)) {
      return PasswordInfoCommand.class;
    }
    if (search.at(
        "deny", APPLICATIONS, "Is this name, URL, address or file on a deny list?", SECURITY)) {
      return DenyCommand.class;
    }
    if (search.at("deny build", APPLICATION, "Builds a list.", SECURITY)) {
      return DenyBuildCommand.class;
    }
    if (search.at("deny check", APPLICATION, "Looks up names, URLs and more.", SECURITY)) {
      return DenyCheckCommand.class;
    }
    if (search.at(
        "revoked", APPLICATIONS, "Was this certificate, token or card revoked?", SECURITY)) {
      return RevokedCommand.class;
    }
    if (search.at("revoked build", APPLICATION, "Builds and signs a list.", SECURITY)) {
      return RevokedBuildCommand.class;
    }
    if (search.at("revoked check", APPLICATION, "Looks up keys in a list.", SECURITY)) {
      return RevokedCheckCommand.class;
    }
    if (search.at("revoked update", APPLICATION, "Makes a list newer.", SECURITY)) {
      return RevokedUpdateCommand.class;
    }
    if (search.at("known", APPLICATIONS, "Is this file known, or was it changed?", SECURITY)) {
      return KnownCommand.class;
    }
    if (search.at("known build", APPLICATION, "Builds a set of lists and trees.", SECURITY)) {
      return KnownBuildCommand.class;
    }
    if (search.at("known check", APPLICATION, "Looks up the files of a tree.", SECURITY)) {
      return KnownCheckCommand.class;
    }
    if (search.at("known version", APPLICATION, "Finds releases in a shaded jar.", SECURITY)) {
      return KnownVersionCommand.class;
    }
    if (search.at("net", APPLICATIONS, "What is in this traffic?", NET)) {
      return NetCommand.class;
    }
    if (search.at("net flows", APPLICATION, "Prints the largest flows of captures.", NET)) {
      return FlowsCommand.class;
    }
    if (search.at("net dups", APPLICATION, "Counts packets and clicks that repeat.", NET)) {
      return DupsCommand.class;
    }
    if (search.at("net index", APPLICATION, "Keeps digests of captures.", NET)) {
      return NetIndexCommand.class;
    }
    if (search.at("net find", APPLICATION, "Finds who sent bytes or a packet.", NET)) {
      return NetFindCommand.class;
    }
    if (search.at("net match", APPLICATION, "Finds the networks of addresses.", NET)) {
      return MatchCommand.class;
    }
    if (search.at("net scan", APPLICATION, "Finds indicators in captures.", NET)) {
      return ScanCommand.class;
    }
    if (search.at("net state", APPLICATION, "Follows TCP connections in few bytes each.", NET)) {
      return StateCommand.class;
    }
    if (search.at("net trace", APPLICATION, "Follows packets back across routers.", NET)) {
      return TraceCommand.class;
    }
    if (search.at("help", HELP, "Shows the help of a command.")) {
      return HelpCommand.class;
    }
    if (search.at("man", HELP, "Prints manual pages.")) {
      return ManCommand.class;
    }
    if (search.at("completion", HELP, "Prints a script that completes commands in a shell.")) {
      return CompletionCommand.class;
    }
    return null;
  }
}
