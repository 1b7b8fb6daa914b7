package io.bloomery.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Examples of a page, each of imports and statements, run one after the other as they are printed:
 * in a JVM of their own, so that the files they write are in a directory of the test.
 */
final class Snippets {

  private static final Pattern MARKDOWN = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final Pattern HTML = Pattern.compile("(?s)<pre>\\{@code\n(.*?)\n\\}</pre>");

  private final List<String> examples;

  private Snippets(List<String> examples) {
    this.examples = examples;
  }

  /** The examples of a page, in Markdown or as a comment of Javadoc. */
  static Snippets of(Path page) throws IOException {
    Pattern block = page.toString().endsWith(".md") ? MARKDOWN : HTML;
    return new Snippets(
        block.matcher(Files.readString(page)).results().map(match -> match.group(1)).toList());
  }

  /** The examples, with their imports. */
  List<String> texts() {
    return examples;
  }

  /** Runs them all, each followed by what a test has to add, and returns what they printed. */
  List<String> run(Path directory, String... added) throws IOException, InterruptedException {
    Set<String> imports = new TreeSet<>();
    StringBuilder methods = new StringBuilder();
    StringBuilder calls = new StringBuilder();
    for (int i = 0; i < examples.size(); i++) {
      List<String> statements = new ArrayList<>();
      for (String line : examples.get(i).lines().toList()) {
        if (line.startsWith("import ")) {
          imports.add(line);
        } else {
          statements.add(line);
        }
      }
      statements.add(i < added.length ? added[i] : "");
      calls.append("example").append(i).append("();\n");
      methods
          .append("static void example" + i + "() throws Exception {\n")
          .append(String.join("\n", statements))
          .append("\n}\n");
    }
    String source =
        "%s\nclass Example {\npublic static void main(String... args) throws Exception {\n%s}\n%s}\n"
            .formatted(String.join("\n", imports), calls, methods);
    return run(Files.writeString(directory.resolve("Example.java"), source));
  }

  private static List<String> run(Path source) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                source.getFileName().toString())
            .directory(source.getParent().toFile())
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
      throw new AssertionError("an example does not run: " + text);
    }
    return text.lines().toList();
  }
}
