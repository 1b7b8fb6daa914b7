package io.bloomery.cli.security;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DenyCommandTest {

  @TempDir private Path directory;

  private Path rules;
  private Path list;

  @BeforeEach
  void makeFiles() throws IOException {
    rules = file("rules", "a.example\n0.0.0.0 b.example\nsome words\n@@||ok.a.example^\n");
    list = directory.resolve("list.deny");
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  @Test
  void verdictsAndExitCodes() {
    Bloom.Run run = bloom("deny", "build", rules, "-o", list);
    assertThat(run.out()).startsWith(list + ": 2 rules, 1 that allow, ").hasLineCount(1);
    assertThat(run.err())
        .isEqualTo(
            "bloom: warning: 1 line skipped: %s, line 3: several words, of which the first is no address\n"
                .formatted(rules));
    run = bloomWith("x.a.example\r\nok.a.example\nx.b.example\n\n", "deny", "check", list);
    assertThat(run.out())
        .isEqualTo(
            """
            denied\tx.a.example\tdomain a.example
            allowed\tok.a.example\tdomain ok.a.example
            not listed\tx.b.example
            """);
    assertThat(run.err()).isEqualTo("1 denied, 1 allowed, 1 not listed, 0 unreadable\n");
    assertThat(run.code()).isZero();
    run = bloomWith("x.a.example\n", "deny", "check", list, "--exit-code", "-q");
    assertThat(run.code()).isEqualTo(1);

    run = bloom("deny", "check", list, "-q", "-k", "x.b.example", "-k", "ok.a.example");
    assertThat(run.out())
        .isEqualTo("not listed\tx.b.example\nallowed\tok.a.example\tdomain ok.a.example\n");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();

    run = bloom("deny", "check", list, "-q", "-k", "two words");
    assertThat(run.out()).isEqualTo("unreadable\ttwo words\n");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void json() throws IOException {
    Path universe = file("universe", "x.a.example\nc.example\n");
    Bloom.Run run =
        bloom("deny", "build", rules, "-o", list, "--json", "--universe", universe, "--seed", 1);
    assertThat(run.out())
        .contains("\"rules\":2,\"allowRules\":1,\"brokenLines\":1,")
        .contains("\"universe\":2,\"denied\":1,\"deniedItems\":[\"x.a.example\"],")
        .contains("\"bytes\":" + Files.size(list));
    assertThat(run.err()).contains("rules deny 1 item of the universe: x.a.example\n");
    run = bloom("deny", "check", list, "--json", "-q", "-k", "http://B.example/?q");
    assertThat(run.out())
        .isEqualTo(
            "{\"item\":\"http://B.example/?q\",\"verdict\":\"denied\",\"form\":\"host\",\"rule\":\"b.example\"}\n");
  }

  @Test
  void failuresAreOneLineAndChangeNothing() throws IOException {
    Bloom.Run run = bloom("deny", "build", rules, "-o", list, "--strict");
    assertThat(run.err())
        .isEqualTo(
            "bloom: %s, line 3: several words, of which the first is no address\n"
                .formatted(rules));
    assertThat(run.code()).isEqualTo(2);
    assertThat(list).doesNotExist();

    run = bloom("deny", "build", rules, "-o", rules, "--force");
    assertThat(run.err()).isEqualTo("bloom: %s: is one of the lists\n".formatted(rules));

    run = bloom("deny", "build", file("none", "# nothing\n"), "-o", list);
    assertThat(run.err()).isEqualTo("bloom: there is no rule in the list\n");
    assertThat(run.code()).isEqualTo(2);

    run = bloom("deny", "check", rules, "-k", "a");
    assertThat(run.err())
        .isEqualTo("bloom: %s, byte 0: not a deny list, or cut off\n".formatted(rules));
    assertThat(run.code()).isEqualTo(2);
  }
}
