package io.bloomery.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file {@code bloom}, in an empty directory, with only Java on the path. */
class ExecutableJarTest {

  private static final Path ROOT = Path.of("..");
  private static final Path PACKED = Path.of("target", "bloom");

  @TempDir private Path directory;
  private Path work;
  private Map<String, String> environment;

  @BeforeEach
  void install() throws IOException {
    work = Files.createDirectory(directory.resolve("work"));
    Path tools = Files.createDirectory(directory.resolve("tools"));
    Files.copy(PACKED, tools.resolve("bloom"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.createSymbolicLink(
        tools.resolve("java"), Path.of(System.getProperty("java.home"), "bin", "java"));
    environment = Map.of("PATH", tools.toString());
  }

  private Run bloom(String... words) throws IOException, InterruptedException {
    String[] command = new String[words.length + 1];
    command[0] = directory.resolve("tools/bloom").toString();
    System.arraycopy(words, 0, command, 1, words.length);
    return Run.of(work, environment, command);
  }

  @Test
  void itRunsWithoutInstallation() throws Exception {
    assertThat(bloom("--version").text()).matches("bloom \\d[^\n]+\nJava [^\n]+\n");
    Files.writeString(work.resolve("keys.txt"), "apple\nBär\n");
    assertThat(bloom("build", "keys.txt", "-o", "keys.bloom").code()).isZero();
    assertThat(bloom("check", "keys.bloom", "--key", "Bär").text())
        .startsWith("probably present\tBär\n");
    Run absent = bloom("check", "keys.bloom", "--key", "pear");
    assertThat(absent.text()).startsWith("certainly absent\tpear\n");
    assertThat(absent.code()).isEqualTo(1);
  }

  /** Native libraries and resources are found in the appended jar, too. */
  @Test
  void nativeLibrariesAndResourcesAreFound() throws Exception {
    Files.write(work.resolve("keys.zst"), Zstd.compress("apple\npear\n".getBytes(UTF_8)));
    Run run = bloom("dedup", "keys.zst");
    assertThat(run.text()).startsWith("apple\npear\n").doesNotContain("WARNING");
    assertThat(bloom("plan", "-n", "1M").text()).contains("BlockedBloomFilter");
  }

  @Test
  void aSymbolicLinkWorks() throws Exception {
    Path link =
        Files.createSymbolicLink(work.resolve("b"), directory.resolve("tools").resolve("bloom"));
    Map<String, String> usual =
        Map.of("PATH", environment.get("PATH") + File.pathSeparator + "/usr/bin:/bin");
    assertThat(Run.of(work, usual, link.toString(), "--version").text()).startsWith("bloom ");
  }

  @Test
  void withoutJavaItSaysWhatToDo() throws Exception {
    environment = Map.of("PATH", work.toString());
    Run none = bloom("--version");
    assertThat(none.text())
        .isEqualTo("bloom: no java found; install a Java runtime 17 or set JAVA_HOME\n");
    assertThat(none.code()).isEqualTo(2);
    environment = Map.of("PATH", work.toString(), "JAVA_HOME", "/no/such");
    assertThat(bloom("--version").text())
        .isEqualTo("bloom: JAVA_HOME is /no/such, which has no bin/java\n");
    environment = Map.of("JAVA_HOME", System.getProperty("java.home"));
    assertThat(bloom("--version").text()).startsWith("bloom ");
    environment =
        Map.of("JAVA_HOME", System.getProperty("java.home"), "BLOOM_JAVA_OPTS", "-Xmx64m -Xint");
    assertThat(bloom("--version").text()).startsWith("bloom ");
  }

  @Test
  void theLicencesAreInIt() throws IOException {
    try (JarFile jar = new JarFile(PACKED.toFile())) {
      for (String name : List.of("LICENSE", "NOTICE", "LIBRARIES.txt")) {
        assertThat(jar.getEntry("META-INF/" + name)).as(name).isNotNull();
      }
    }
    String terms = Files.readString(ROOT.resolve("dist/src/main/legal/LIBRARIES.txt"));
    Pattern.compile("(?m)^  ([a-z][a-z0-9-]*) +(Apache-2\\.0|MIT|BSD-[23]-Clause) ")
        .matcher(Files.readString(ROOT.resolve("NOTICE")))
        .results()
        .forEach(library -> assertThat(terms).contains(library.group(1)));
  }

  @Test
  void mergingIsDeterministic() throws IOException {
    List<Path> parts =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(entry -> entry.toString().matches(".*/(core|cli|chart)/target/.*"))
            .toList();
    assertThat(parts).hasSize(3);
    Path jar = directory.resolve("1.jar");
    Path again = directory.resolve("2.jar");
    MergedJar.make(parts, "1", ROOT, directory.resolve("m"), jar);
    MergedJar.make(parts, "1", ROOT, directory.resolve("n"), again);
    assertThat(again).hasSameBinaryContentAs(jar);
  }

  @Test
  void conflictingFilesOfLibrariesAreAnError() throws IOException {
    Path one = part("one", "a/A.txt", "1");
    Path two = part("two", "a/A.txt", "2");
    assertThatThrownBy(
            () ->
                MergedJar.make(
                    List.of(one, two),
                    "1",
                    ROOT,
                    directory.resolve("m"),
                    directory.resolve("1.jar")))
        .isInstanceOf(IOException.class)
        .hasMessage("two libraries have different files named a/A.txt");
  }

  private Path part(String name, String file, String text) throws IOException {
    Path part = directory.resolve(name);
    Path to = part.resolve(file);
    Files.createDirectories(to.getParent());
    Files.writeString(to, text);
    return part;
  }
}
