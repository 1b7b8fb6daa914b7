package io.bloomery.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Markdown page with commands and their output. Fenced blocks with lines that begin with {@code
 * "$ "} are run: each such line is a command, and the lines up to the next one are its output. A
 * command continues after a backslash at the end of a line, and to the end of its here-document.
 */
public final class DocPage {

  /**
   * A command and its output.
   *
   * @param line its line number, from 1
   * @param command the text for the shell
   * @param outputFrom index of the first line of its output, from 0
   * @param output the lines that the page shows
   */
  record Example(int line, String command, int outputFrom, List<String> output) {}

  /**
   * The part of the page below a second-level heading; the first section is above all of them.
   *
   * @param title the heading
   * @param text everything below it
   * @param examples its commands
   */
  record Section(String title, String text, List<Example> examples) {}

  private static final String PROMPT = "$ ";
  private static final Pattern HERE_DOCUMENT = Pattern.compile("<<-?\\s*'?(\\w+)'?");
  private static final Pattern TIME = Pattern.compile(" {2}(time|header) .*");
  private static final Pattern TOOL = Pattern.compile(" {2}made by +bloom .+");
  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.,]*");

  private final List<String> lines;
  private final List<Section> sections = new ArrayList<>();

  DocPage(Path file) throws IOException {
    this.lines = Files.readAllLines(file);
    int start = 0;
    String title = "";
    boolean fenced = false;
    for (int i = 0; i < lines.size(); i++) {
      fenced ^= lines.get(i).startsWith("```");
      if (!fenced && lines.get(i).startsWith("## ")) {
        addSection(title, start, i);
        title = lines.get(i).substring(3).strip();
        start = i + 1;
      }
    }
    addSection(title, start, lines.size());
  }

  List<Section> sections() {
    return sections;
  }

  private void addSection(String title, int from, int to) {
    List<Example> examples = new ArrayList<>();
    int open = -1;
    for (int i = from; i < to; i++) {
      if (lines.get(i).startsWith("```")) {
        if (open >= 0) {
          addExamples(examples, open + 1, i);
        }
        open = open < 0 ? i : -1;
      }
    }
    sections.add(new Section(title, String.join("\n", lines.subList(from, to)), examples));
  }

  private void addExamples(List<Example> examples, int from, int to) {
    int i = from;
    while (i < to && !lines.get(i).startsWith(PROMPT)) {
      i++;
    }
    while (i < to) {
      int command = i;
      i = endOfCommand(i, to);
      String text = String.join("\n", lines.subList(command, i)).substring(PROMPT.length());
      int output = i;
      while (i < to && !lines.get(i).startsWith(PROMPT)) {
        i++;
      }
      examples.add(new Example(command + 1, text, output, List.copyOf(lines.subList(output, i))));
    }
  }

  private int endOfCommand(int from, int to) {
    int end = from + 1;
    while (end < to && lines.get(end - 1).endsWith("\\")) {
      end++;
    }
    Matcher here = HERE_DOCUMENT.matcher(lines.get(end - 1));
    if (here.find()) {
      int last = lines.subList(end, to).indexOf(here.group(1));
      return last < 0 ? end : end + last + 1;
    }
    return end;
  }

  /**
   * Whether a line is as shown. Numbers in lines that begin with " time" may differ, as may the
   * program's version and the length of a header that contains it.
   */
  public static boolean isSame(String shown, String real) {
    return shown.equals(real)
        || (TOOL.matcher(shown).matches() && TOOL.matcher(real).matches())
        || (TIME.matcher(shown).matches() && withoutNumbers(shown).equals(withoutNumbers(real)));
  }

  private static String withoutNumbers(String line) {
    return NUMBER.matcher(line).replaceAll("0");
  }

  /** Whether all lines are as shown. */
  public static boolean isSame(List<String> shown, List<String> real) {
    if (shown.size() != real.size()) {
      return false;
    }
    for (int i = 0; i < shown.size(); i++) {
      if (!isSame(shown.get(i), real.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** The lines of both, marked as by {@code diff}, from a longest common subsequence. */
  public static String difference(List<String> shown, List<String> real) {
    int[][] common = new int[shown.size() + 1][real.size() + 1];
    for (int i = shown.size() - 1; i >= 0; i--) {
      for (int j = real.size() - 1; j >= 0; j--) {
        common[i][j] =
            isSame(shown.get(i), real.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    StringBuilder out = new StringBuilder();
    int i = 0;
    int j = 0;
    while (i < shown.size() || j < real.size()) {
      if (i < shown.size() && j < real.size() && isSame(shown.get(i), real.get(j))) {
        out.append("  ").append(real.get(j++)).append('\n');
        i++;
      } else if (j == real.size() || (i < shown.size() && common[i + 1][j] >= common[i][j + 1])) {
        out.append("- ").append(shown.get(i++)).append('\n');
      } else {
        out.append("+ ").append(real.get(j++)).append('\n');
      }
    }
    return out.toString();
  }

  /** The page with other outputs, one per example in order. */
  String withOutputs(List<List<String>> outputs) {
    List<String> page = new ArrayList<>();
    int done = 0;
    int next = 0;
    for (Section section : sections) {
      for (Example example : section.examples()) {
        page.addAll(lines.subList(done, example.outputFrom()));
        List<String> real = outputs.get(next++);
        page.addAll(isSame(example.output(), real) ? example.output() : real);
        done = example.outputFrom() + example.output().size();
      }
    }
    page.addAll(lines.subList(done, lines.size()));
    return String.join("\n", page) + "\n";
  }
}
