package io.bloomery.security.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.security.version.ReleaseFinder.Match;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fifteen releases of Apache Commons Codec, each shaded and relocated by the shade plugin: the
 * right one is whole, alone, and first. Runs Maven, which takes releases and plugin from Maven
 * Central.
 */
@Tag("long")
final class ShadedReleasesTest {

  private static final List<String> RELEASES =
      List.of(
          "1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12", "1.13", "1.14", "1.15",
          "1.16.0", "1.16.1", "1.17.0");

  private static final String PROJECT =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <groupId>shaded</groupId><artifactId>all</artifactId><version>1</version>
        <packaging>pom</packaging>
        <modules>%s</modules>
        <build><plugins><plugin>
          <groupId>org.apache.maven.plugins</groupId>
          <artifactId>maven-shade-plugin</artifactId>
          <version>3.6.0</version>
          <executions><execution>
            <phase>package</phase>
            <goals><goal>shade</goal></goals>
            <configuration>
              <createDependencyReducedPom>false</createDependencyReducedPom>
              <relocations><relocation>
                <pattern>org.apache.commons.codec</pattern>
                <shadedPattern>com.example.shaded.codec</shadedPattern>
              </relocation></relocations>
              <filters><filter>
                <artifact>*:*</artifact>
                <excludes><exclude>META-INF/maven/**</exclude></excludes>
              </filter></filters>
            </configuration>
          </execution></executions>
        </plugin></plugins></build>
      </project>
      """;

  private static final String MODULE =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <parent>
          <groupId>shaded</groupId><artifactId>all</artifactId><version>1</version>
        </parent>
        <artifactId>%1$s</artifactId>
        <dependencies><dependency>
          <groupId>commons-codec</groupId><artifactId>commons-codec</artifactId>
          <version>%1$s</version>
        </dependency></dependencies>
      </project>
      """;

  @TempDir private Path directory;

  @Test
  void theRightReleaseIsFirst() throws IOException, InterruptedException {
    StringBuilder modules = new StringBuilder();
    for (String release : RELEASES) {
      modules.append("<module>").append(release).append("</module>");
      Path module = Files.createDirectory(directory.resolve(release));
      Files.writeString(module.resolve("pom.xml"), MODULE.formatted(release));
    }
    Files.writeString(directory.resolve("pom.xml"), PROJECT.formatted(modules));
    Path plain = directory.resolve("plain");
    run(
        "mvn",
        "-B",
        "-ntp",
        "-q",
        "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies",
        "-DoutputDirectory=" + plain,
        "package");
    List<Path> among;
    try (Stream<Path> files = Files.list(plain)) {
      among = files.sorted().toList();
    }
    assertThat(among).hasSameSizeAs(RELEASES);
    for (String release : RELEASES) {
      Path shaded = directory.resolve(release).resolve("target/%s-1.jar".formatted(release));
      List<Match> matches =
          ReleaseFinder.of(shaded, ReleaseOptions.DEFAULT).rank(among, each -> {});
      assertThat(matches).hasSameSizeAs(RELEASES);
      Match best = matches.get(0);
      assertThat(best.release()).isEqualTo(release);
      assertThat(best.library()).isEqualTo("commons-codec:commons-codec");
      assertThat(best.isTied()).isFalse();
      assertThat(best.least()).isEqualTo(best.classes());
      assertThat(best.cover()).isEqualTo(1);
    }
  }

  private void run(String... command) throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process maven =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(maven.waitFor(15, TimeUnit.MINUTES)).isTrue();
      assertThat(maven.exitValue()).as(Files.readString(output)).isZero();
    } finally {
      maven.destroyForcibly();
    }
  }
}
