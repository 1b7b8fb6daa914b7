package io.bloomery.cli;

import io.bloomery.tools.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A table of commands, from which parser, help, manual pages and completion are made. It is written
 * as code that is run from line to line, since a line's class must not be loaded before the line is
 * asked for: a list of classes would load them all, and a list of lambdas takes longer still.
 */
abstract class CommandTable {

  /** What is asked of each line in turn. */
  abstract static class Search {

    /** Whether this line is the one looked for. */
    abstract boolean at(String words, CommandGroup group, String summary, Part part);

    /** A line whose command needs nothing but the library. */
    final boolean at(String words, CommandGroup group, String summary) {
      return at(words, group, summary, Parts.LIBRARY);
    }
  }

  /**
   * Asks each line, in the order of the help, and returns the class of the first that is looked
   * for; null if none is.
   */
  abstract @Nullable Class<?> lines(Search search);

  /** The class of a command. */
  final Class<?> type(String words) {
    return Objects.requireNonNull(
        lines(
            new Search() {
              @Override
              boolean at(String each, CommandGroup group, String summary, Part part) {
                return each.equals(words);
              }
            }),
        words);
  }

  /** Every line, also of what is absent. */
  final List<CommandEntry> all() {
    List<CommandEntry> all = new ArrayList<>();
    lines(
        new Search() {
          @Override
          boolean at(String words, CommandGroup group, String summary, Part part) {
            all.add(new CommandEntry(words, group, summary, part, CommandTable.this));
            return false;
          }
        });
    return all;
  }

  /** The commands that can be run here. */
  final List<CommandEntry> present() {
    List<CommandEntry> present = all();
    present.removeIf(entry -> !entry.part().isPresent());
    return present;
  }

  /** The commands of an application that can be run here; with no application, those above all. */
  final List<CommandEntry> below(String application) {
    List<CommandEntry> below = present();
    below.removeIf(entry -> !entry.application().equals(application));
    return below;
  }

  /** The line of these words. */
  final Optional<CommandEntry> line(String words) {
    for (CommandEntry entry : all()) {
      if (entry.words().equals(words)) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }

  /**
   * The command that words on the command line ask for: the first of them that is one, and the next
   * if it is one of that application. Options of all commands may stand before.
   *
   * @throws Problem if it is there, but not the module that it needs
   */
  final Optional<CommandEntry> asked(String... args) {
    Optional<CommandEntry> asked = Optional.empty();
    for (String word : args) {
      String before = asked.isPresent() ? asked.get().words() + " " : "";
      Optional<CommandEntry> next = line(before + word);
      if (next.isPresent() && next.get().group() != CommandGroup.APPLICATIONS) {
        return requirePresent(next);
      }
      asked = next.isPresent() ? next : asked;
    }
    return requirePresent(asked);
  }

  private static Optional<CommandEntry> requirePresent(Optional<CommandEntry> asked) {
    if (asked.isPresent() && !asked.get().part().isPresent()) {
      throw new Problem(
          "%s needs %s, which is not installed: add its jar to the class path of bloom, or its module by --add-modules"
              .formatted(asked.get().words(), asked.get().part().artifact()));
    }
    return asked;
  }
}
