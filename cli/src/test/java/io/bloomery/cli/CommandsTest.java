package io.bloomery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine.Command;

/** The table of commands, and everything that must agree with it. */
class CommandsTest {

  private static final int MOST_LINES = 12;

  @TempDir private Path directory;

  private static List<CommandEntry> all() {
    return new Commands().all();
  }

  @Test
  void everyEntryIsValidAndUnique() {
    assertThat(all()).extracting(CommandEntry::words).doesNotHaveDuplicates();
    assertThat(all()).extracting(CommandEntry::summary).doesNotHaveDuplicates();
    for (CommandEntry entry : all()) {
      assertThat(entry.words()).matches("[a-z]+(-[a-z]+)*( [a-z]+(-[a-z]+)*)?");
      boolean isApplication = entry.group() == CommandGroup.APPLICATIONS;
      assertThat(entry.summary()).matches("[A-Z].{9,}" + (isApplication ? "\\?" : "\\."));
      assertThat(entry.group() == CommandGroup.APPLICATION)
          .as(entry.words())
          .isEqualTo(!entry.application().isEmpty());
      if (!entry.application().isEmpty()) {
        assertThat(new Commands().line(entry.application()).orElseThrow().group())
            .as("the application of " + entry.words())
            .isEqualTo(CommandGroup.APPLICATIONS);
      }
    }
    assertThat(new Commands().line("nonsense")).isEmpty();
    assertThat(new Commands().line("Info")).isEmpty();
  }

  @Test
  void everyGroupOfTheHelpIsShort() {
    Map<String, Long> lines =
        all().stream()
            .collect(
                Collectors.groupingBy(
                    entry -> entry.group() + " " + entry.application(), Collectors.counting()));
    assertThat(lines.values()).allMatch(count -> count <= MOST_LINES);
  }

  /** Name and summary are stated only in the table. */
  @Test
  void everyClassLeavesItsNameToTheTable() {
    Set<Class<?>> seen = new HashSet<>();
    for (CommandEntry entry : all()) {
      Class<?> type = entry.type();
      assertThat(seen.add(type)).as(type + " is in one line").isTrue();
      Command command = type.getAnnotation(Command.class);
      assertThat(command.name()).as(entry.words()).isEqualTo("<main class>");
      assertThat(command.header()).as(entry.words()).isEmpty();
      assertThat(Modifier.isFinal(type.getModifiers())).as(type + " is final").isTrue();
      assertThat(type).isEqualTo(entry.create().getClass());
    }
  }

  /**
   * A package that picocli cannot access by reflection makes bloom fail on the module path only.
   */
  @Test
  void theModuleOpensThePackagesOfAllCommands() throws IOException {
    ModuleDescriptor module;
    try (InputStream in = Files.newInputStream(Path.of("target/classes/module-info.class"))) {
      module = ModuleDescriptor.read(in);
    }
    Set<String> opened =
        module.opens().stream().map(ModuleDescriptor.Opens::source).collect(Collectors.toSet());
    for (CommandEntry entry : all()) {
      for (Class<?> type = entry.type(); type != Object.class; type = type.getSuperclass()) {
        assertThat(opened).as("packages opened to picocli").contains(type.getPackageName());
      }
    }
  }

  /** Compares the table of commands at the beginning of the page. */
  @Test
  void thePageListsEveryCommand() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "cli.md"));
    String table = page.substring(page.indexOf("\n## Commands\n"), page.indexOf("\n## Keys\n"));
    Matcher links = Pattern.compile("\\[`([a-z -]+)`\\]\\(").matcher(table);
    Set<String> listed = new TreeSet<>();
    while (links.find()) {
      listed.add(links.group(1));
    }
    assertThat(listed)
        .containsExactlyInAnyOrderElementsOf(
            all().stream()
                .map(CommandEntry::words)
                .filter(words -> !words.contains(" "))
                .collect(Collectors.toSet()));
  }

  /** The launchers choose JVM options by the names of some commands. */
  @Test
  void theLaunchersNameCommandsThatExist() throws IOException {
    for (String launcher : List.of("bloom", "dist/src/main/sh/bloom")) {
      String script = Files.readString(Path.of("..").resolve(launcher));
      Matcher names = Pattern.compile("case \\$\\{1:-} in ([^)]*)\\)").matcher(script);
      assertThat(names.find()).as(launcher).isTrue();
      for (String name : names.group(1).split(" \\| ", -1)) {
        assertThat(name.matches("-\\*|''") || new Commands().line(name).isPresent())
            .as(launcher + " names " + name)
            .isTrue();
      }
    }
  }

  @Test
  void aCommandLoadsOnlyItsOwnClass() throws Exception {
    assertThat(loaded("--version")).isEmpty();
    assertThat(loaded("info", directory.resolve("nosuch").toString()))
        .containsExactly("InfoCommand", "WordsCommand");
    assertThat(loaded("plan", "-n", "many")).containsExactly("PlanCommand");
    assertThat(loaded("--help")).isEmpty();
  }

  /** Leaves each optional module out of the class path. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LIBRARY")
  void commandsOfAbsentModulesAreNotListed(Parts part) throws Exception {
    Path place = Path.of(part.facade().getProtectionDomain().getCodeSource().getLocation().toURI());
    String path =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !Path.of(entry).toAbsolutePath().equals(place.toAbsolutePath()))
            .collect(Collectors.joining(File.pathSeparator));
    String help = run(List.of("-cp", path), "help");
    for (CommandEntry entry : all()) {
      boolean isListed = entry.part() != part && entry.application().isEmpty();
      assertThat(help.contains("\n  " + entry.words() + " ")).as(entry.words()).isEqualTo(isListed);
      if (entry.part() == part) {
        assertThat(run(List.of("-cp", path), entry.words(), "--help"))
            .isEqualTo(
                "bloom: %s needs %s, which is not installed: add its jar to the class path of bloom, or its module by --add-modules\n"
                    .formatted(entry.words(), part.artifact()));
      }
    }
    assertThat(run(List.of("-cp", path), "completion"))
        .startsWith("#!/usr/bin/env bash")
        .contains("local commands=\"build check ");
  }

  private static String run(List<String> options, String... words) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add(Main.class.getName());
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }

  /** The command classes that a JVM loads for these arguments. */
  private static Set<String> loaded(String... words) throws Exception {
    String path = System.getProperty("java.class.path");
    String log = run(List.of("-Xlog:class+load", "-cp", path), words);
    Matcher line =
        Pattern.compile("io\\.bloomery\\.cli\\.[a-z.]*(\\w+Command) source:").matcher(log);
    Set<String> loaded = new TreeSet<>();
    while (line.find()) {
      loaded.add(line.group(1));
    }
    return loaded;
  }
}
