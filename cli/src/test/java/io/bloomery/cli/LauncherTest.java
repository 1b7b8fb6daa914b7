package io.bloomery.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ./bloom}, in a copy of the project with a small script in place of Maven. */
class LauncherTest {

  private static final Path SCRIPT = Path.of("..", "bloom");

  @TempDir private Path directory;
  private Path root;
  private Shell shell;

  @BeforeEach
  void copy() throws IOException {
    root = Files.createDirectory(directory.resolve("project"));
    Files.copy(SCRIPT, root.resolve("bloom"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(root.resolve("pom.xml"), "");
    Files.createDirectory(root.resolve(".mvn"));
    for (String module : modules()) {
      Files.createDirectories(root.resolve(module).resolve("src/main"));
      Files.writeString(root.resolve(module).resolve("pom.xml"), "");
    }
    shell = new Shell(root, directory.resolve("bin"));
    script("jdk/bin/java", "case \"$*\" in *io.bloomery.cli.Main*) echo \"ran ${@: -1}\";; esac");
  }

  /** The modules whose sources the script watches. */
  private static List<String> modules() throws IOException {
    Matcher list = Pattern.compile("(?m)^modules=\\(([^)]*)\\)").matcher(Files.readString(SCRIPT));
    assertThat(list.find()).isTrue();
    return List.of(list.group(1).split(" ", -1));
  }

  /** A change in any module that the command depends on must trigger a build. */
  @Test
  void allModulesThatTheCommandDependsOnAreWatched() throws IOException {
    Set<Path> built = new HashSet<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry).toAbsolutePath().normalize();
      Path root = Path.of("..").toAbsolutePath().normalize();
      boolean forTests = path.endsWith("test-classes") || path.startsWith(root.resolve("testkit"));
      if (path.startsWith(root) && !forTests) {
        while (!path.endsWith("target")) {
          path = path.getParent();
        }
        built.add(root.relativize(path.getParent()));
      }
    }
    assertThat(modules()).extracting(Path::of).containsExactlyInAnyOrderElementsOf(built);
  }

  private void script(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/usr/bin/env bash\n" + text + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Shell.Output run(String command) throws IOException, InterruptedException {
    return shell.run("export JAVA_HOME=../jdk; " + command);
  }

  private static final String BUILDS =
      """
      echo '[INFO] Building Bloomery library 1 [2/4]'
      echo 'Downloading from central: https://example.org/a.jar'
      echo 'Downloaded from central: https://example.org/a.jar (1 kB at 1 kB/s)'
      until [ -e ../go ]; do sleep 0.05; done
      mkdir -p cli/target/launcher/lib && touch cli/target/launcher/lib/a.jar
      touch cli/target/launcher/bloomery-cli-1.jar
      """;

  @Test
  void firstUseBuildsAndTheSecondDoesNot() throws Exception {
    script("bin/mvn", BUILDS);
    Files.createFile(directory.resolve("go"));
    assertThat(run("./bloom info").text()).isEqualTo("building bloom (first use)…\nran info\n");
    assertThat(run("./bloom plan").text()).isEqualTo("ran plan\n");
    assertThat(run("sleep 1; touch core/pom.xml; ./bloom plan").text())
        .isEqualTo("building bloom (sources changed)…\nran plan\n");
  }

  @Test
  void progressIsShownOnATerminalAndCleared() throws Exception {
    Assumptions.assumeTrue(
        run("script --version").code() == 0, "script of util-linux is not installed");
    script("bin/mvn", BUILDS);
    Process process =
        shell.start(
            "export JAVA_HOME=../jdk TERM=xterm; exec script -qefc './bloom info' /dev/null",
            false);
    @SuppressWarnings("JdkObsolete") // two threads
    StringBuffer text = new StringBuffer();
    CompletableFuture<Void> reader =
        CompletableFuture.runAsync(() -> copy(process.getInputStream(), text));
    String line = "building bloom (first use), part 2 of 4, downloads: 1…";
    BloomProcess.await(() -> text.indexOf(line) >= 0 || !process.isAlive(), line);
    Files.createFile(directory.resolve("go"));
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    reader.join();
    assertThat(text.toString()).contains(line).endsWith("\r\033[Kran info\r\n");
  }

  private static void copy(InputStream in, StringBuffer text) {
    try (Reader reader = new InputStreamReader(in, UTF_8)) {
      for (int c = reader.read(); c >= 0; c = reader.read()) {
        text.append((char) c);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aMissingNetworkIsReported() throws Exception {
    script(
        "bin/mvn",
        """
        echo 'Downloading from central: https://repo.maven.apache.org/maven2/a.pom'
        echo '[ERROR] Plugin a:b:1 or one of its dependencies could not be resolved:'
        echo '[ERROR] Could not transfer artifact a:b:pom:1 from/to central: Unknown host'
        exit 1
        """);
    Shell.Output output = run("./bloom info");
    assertThat(output.code()).isEqualTo(2);
    assertThat(output.text())
        .startsWith("building bloom (first use)…\nbloom: cannot be built without the network: ")
        .contains(root.toRealPath() + "/cli/target/bloom/build.log")
        .hasLineCount(2);
  }

  @Test
  void otherBuildFailuresShowTheError() throws Exception {
    script(
        "bin/mvn",
        """
        echo 'Downloaded from central: https://repo.maven.apache.org/maven2/a.pom (1 kB)'
        echo '[ERROR] Main.java:[1,1] class expected'
        exit 1
        """);
    Shell.Output output = run("./bloom info");
    assertThat(output.code()).isEqualTo(2);
    assertThat(output.text())
        .isEqualTo(
            """
            building bloom (first use)…
            [ERROR] Main.java:[1,1] class expected
            bloom: the build failed; Maven's output is above
            """);
  }
}
