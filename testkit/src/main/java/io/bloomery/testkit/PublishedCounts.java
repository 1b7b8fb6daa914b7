package io.bloomery.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Stores the counts that tests publish, such as files forged and rounds raced, in {@code
 * target/counts.txt}, from where {@code ./check --long} prints them: Surefire's reports have no
 * place for them. Each test appends its line when it ends, so that an aborted run shows its
 * progress.
 */
public final class PublishedCounts implements TestExecutionListener {

  private static final Path DIRECTORY = Path.of("target");

  @Override
  public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
    if (!Files.isDirectory(DIRECTORY)) {
      return;
    }
    String name = test.getDisplayName();
    if (test.getSource().orElse(null) instanceof MethodSource method) {
      String type = method.getClassName();
      name = type.substring(type.lastIndexOf('.') + 1) + "." + method.getMethodName();
    }
    StringBuilder lines = new StringBuilder();
    for (var count : entry.getKeyValuePairs().entrySet()) {
      lines.append("%s: %s: %s%n".formatted(name, count.getKey(), count.getValue()));
    }
    try {
      Files.writeString(
          DIRECTORY.resolve("counts.txt"),
          lines,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
