package io.bloomery.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.foreign.registry.ForeignFormats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs of docs/migrating.md, as they are printed there: each is compiled and run by a class
 * loader of its own, and the two of a pair print the same.
 */
final class MigratingPageTest {

  private static final Path PAGE = Path.of("..", "docs", "migrating.md");
  private static final Pattern CLASS = Pattern.compile("public class (\\w+) \\{");
  private static final Map<String, String> PROGRAMS = programs();

  @TempDir static Path directory;

  private static Map<String, String> programs() {
    Map<String, String> programs = new LinkedHashMap<>();
    StringBuilder block = null;
    try {
      for (String line : Files.readAllLines(PAGE)) {
        if (line.equals("```java")) {
          block = new StringBuilder();
        } else if (line.equals("```") && block != null) {
          Matcher name = CLASS.matcher(block);
          assertThat(name.find()).as("a class in %s", block).isTrue();
          programs.put(name.group(1), block.toString());
          block = null;
        } else if (block != null) {
          block.append(line).append('\n');
        }
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return programs;
  }

  static Stream<String> peers() {
    return PROGRAMS.keySet().stream()
        .filter(name -> name.endsWith("Before"))
        .map(name -> name.replace("Before", ""));
  }

  @BeforeAll
  static void compile() throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-proc:none", "-Xlint:all,-classfile,-path", "-Werror"));
    arguments.addAll(List.of("-d", directory.toString()));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
    for (Map.Entry<String, String> program : PROGRAMS.entrySet()) {
      Path file = directory.resolve(program.getKey() + ".java");
      Files.writeString(file, program.getValue());
      arguments.add(file.toString());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int code = compiler.run(null, null, errors, arguments.toArray(String[]::new));
    assertThat(code).as(errors.toString(UTF_8)).isZero();
  }

  @Test
  void fivePairs() {
    assertThat(peers())
        .containsExactly("Guava", "Fastfilter", "DataSketches", "StreamLib", "Spark");
    assertThat(PROGRAMS).hasSize(10);
  }

  @ParameterizedTest
  @MethodSource("peers")
  void bothPrintTheSame(String peer) throws Exception {
    assumeTrue(
        !peer.equals("DataSketches") || List.of(17, 21).contains(Runtime.version().feature()),
        "datasketches-memory 3 refuses other versions of Java");
    List<String> before = run(peer + "Before");
    assertThat(before).hasSizeGreaterThanOrEqualTo(3).containsAnyOf("false", "0");
    assertThat(run(peer + "After")).isEqualTo(before);
  }

  private static List<String> run(String name) throws IOException, ReflectiveOperationException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()});
        PrintStream out = new PrintStream(printed, true, UTF_8)) {
      System.setOut(out);
      Method main = loader.loadClass(name).getMethod("main", String[].class);
      main.setAccessible(true); // programs are not public
      main.invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
    }
    return printed.toString(UTF_8).lines().toList();
  }

  /** What the tables and notes call by name exists. */
  @Test
  void namesInTheTextExist() throws IOException {
    String page = Files.readString(PAGE);
    StringWriter unknown = new StringWriter();
    Matcher call = Pattern.compile("`(\\w+)\\.(\\w+)\\(?").matcher(page);
    int found = 0;
    while (call.find()) {
      List<Class<?>> types = bloomeryTypes(call.group(1));
      if (types.isEmpty()) {
        continue;
      }
      found++;
      String method = call.group(2);
      if (types.stream()
          .flatMap(type -> Stream.of(type.getMethods()))
          .noneMatch(known -> known.getName().equals(method))) {
        unknown.append(call.group()).append(' ');
      }
    }
    assertThat(unknown.toString()).isEmpty();
    assertThat(found).isGreaterThan(15);
  }

  /** Files of others are opened as the page says: by their content, or by the format's name. */
  @Test
  void filesOfOthersOpenAsThePageSays() throws IOException {
    String page = Files.readString(PAGE);
    Matcher named = Pattern.compile("ForeignFormats\\.open\\(path, \"(\\w+)\"\\)").matcher(page);
    List<String> names = new ArrayList<>();
    while (named.find()) {
      names.add(named.group(1));
      assertThat(ForeignFormats.named(named.group(1)).isRecognised()).isFalse();
    }
    assertThat(names).containsExactly("guava", "spark");
    assertThat(page).containsPattern("RedisBloom, DataSketches and Parquet files\\s+have one");
    assertThat(Stream.of("redis-bloom", "datasketches", "parquet-bitset", "parquet"))
        .allMatch(name -> ForeignFormats.named(name).isRecognised());
  }

  private static List<Class<?>> bloomeryTypes(String name) {
    ClassLoader loader = MigratingPageTest.class.getClassLoader();
    List<Class<?>> types = new ArrayList<>();
    for (String family :
        List.of(
            "",
            ".membership",
            ".frozen",
            ".growing",
            ".deletable",
            ".frequency",
            ".foreign.registry",
            ".hash")) {
      String type = "io.bloomery" + family + "." + name;
      if (loader.getResource(type.replace('.', '/') + ".class") != null) {
        try {
          types.add(Class.forName(type));
        } catch (ClassNotFoundException e) {
          throw new AssertionError(e);
        }
      }
    }
    return types;
  }
}
