package io.bloomery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** NOTICE names exactly the libraries that the program is distributed with. */
final class NoticeTest {

  /** Directories of the Maven repository with artifacts for tests only. */
  private static final List<String> FOR_TESTS =
      List.of(
          "/org/junit/",
          "/org/opentest4j/",
          "/org/apiguardian/",
          "/org/jspecify/", // for JUnit; our modules only compile against it
          "/org/assertj/",
          "/net/bytebuddy/",
          "/org/apache/maven/surefire/");

  private static final Pattern ARTIFACT = Pattern.compile("(.+?)-\\d.*\\.jar");
  private static final Pattern LINE =
      Pattern.compile("(?m)^  ([a-z][a-z0-9-]*) +(Apache-2\\.0|MIT|0BSD|BSD-[23]-Clause) +\\S.*$");

  @Test
  void everyLibraryIsNamedWithItsLicence() throws IOException {
    Set<String> named =
        LINE.matcher(Files.readString(Path.of("../NOTICE")))
            .results()
            .map(line -> line.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> shipped =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.endsWith(".jar"))
            .filter(entry -> FOR_TESTS.stream().noneMatch(entry::contains))
            .map(entry -> ARTIFACT.matcher(Path.of(entry).getFileName().toString()))
            .filter(Matcher::matches)
            .map(jar -> jar.group(1))
            .filter(artifact -> !artifact.startsWith("bloomery"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(named).isEqualTo(shipped).contains("hash4j", "zstd-jni");
  }
}
