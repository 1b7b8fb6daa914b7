package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runtime image runs from any directory, without another Java installed. */
@Tag("long")
class ImageTest {

  private static final Map<String, String> NOTHING = Map.of("PATH", "/no/such/directory");

  @TempDir private Path directory;

  @Test
  void itNeedsNoJavaAndRunsAnywhere() throws Exception {
    Path root = Path.of("..");
    Path made = Image.make(Path.of("target/bloom.jar"), "1.2", root, directory.resolve("made"));
    assertThat(made.getFileName().toString()).matches("bloom-1\\.2-[a-z]+-[a-z0-9_]+");
    assertThat(made.resolveSibling(made.getFileName() + ".tar.gz")).isNotEmptyFile();

    Path home = Files.move(made, directory.resolve("elsewhere"));
    Path work = Files.createDirectory(directory.resolve("work"));
    String bloom = home.resolve("bin/bloom").toString();
    assertThat(Run.of(work, NOTHING, bloom, "--version").text()).startsWith("bloom ");
    Files.writeString(work.resolve("keys.txt"), "apple\nBär\n");
    assertThat(Run.of(work, NOTHING, bloom, "build", "keys.txt", "-o", "k.bloom").code()).isZero();
    assertThat(Run.of(work, NOTHING, bloom, "check", "k.bloom", "--key", "Bär").text())
        .startsWith("probably present\tBär\n");
    assertThat(Run.of(work, NOTHING, bloom, "plot", "rate", "-o", "rate.png").text())
        .doesNotContain("bloom: ");
    assertThat(work.resolve("rate.png")).isNotEmptyFile();

    // -Xshare:on ends the JVM if the class-data archive cannot be used
    Map<String, String> shared = Map.of("BLOOM_JAVA_OPTS", "-Xshare:on");
    assertThat(Run.of(work, shared, bloom, "info", "k.bloom").text())
        .contains("BlockedBloomFilter");
    assertThat(names(home.resolve("share/man/man1"))).contains("bloom.1", "bloom-build.1");
    assertThat(home.resolve("share/bash-completion/completions/bloom")).isNotEmptyFile();
    assertThat(home.resolve("share/fish/vendor_completions.d/bloom.fish")).isNotEmptyFile();
    assertThat(names(home)).contains("LICENSE", "NOTICE", "LIBRARIES.txt");
  }

  private static Stream<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList().stream();
    }
  }
}
