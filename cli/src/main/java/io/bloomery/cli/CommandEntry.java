package io.bloomery.cli;

import java.lang.reflect.Constructor;

/**
 * A line of the table of commands.
 *
 * @param words what is typed: a verb, or an application and its verb
 * @param group where the help lists it
 * @param summary what it does, in one sentence; of an application, the question it answers
 * @param part the module that it needs
 * @param table the table that it is a line of
 */
record CommandEntry(
    String words, CommandGroup group, String summary, Part part, CommandTable table) {

  /** Loads the class of the command. */
  Class<?> type() {
    return table.type(words);
  }

  /** A new command, made without the option parser. */
  Object create() {
    try {
      Constructor<?> constructor = type().getDeclaredConstructor();
      constructor.setAccessible(true);
      return constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(words + " has no constructor without parameters", e);
    }
  }

  /** The last word, which is its name within its application. */
  String name() {
    return words.substring(words.indexOf(' ') + 1);
  }

  /** The application of a command of two words; empty for other commands. */
  String application() {
    return words.substring(0, Math.max(0, words.indexOf(' ')));
  }
}
