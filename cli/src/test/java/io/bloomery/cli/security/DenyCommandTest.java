package io.bloomery.cli.security;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** No option of this command allows longer lines, so the message names none. */
  @Test
  void aHugeLineIsNamed() throws IOException {
    Path huge = file("huge", "a.example\n" + "x".repeat(1 << 20) + "\n");
    Bloom.Run run = bloom("deny", "build", huge, "-o", list);
    assertThat(run.err())
        .isEqualTo("bloom: %s, line 2: longer than 1,048,576 bytes (1.0 MB)\n".formatted(huge));
    assertThat(run.code()).isEqualTo(2);
    assertThat(list).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "verify", "check -k a", "merge -o merged"})
  void commandsForFiltersNameTheOneForTheList(String words) {
    assertThat(bloom("deny", "build", rules, "-o", list, "-q").code()).isZero();
    String[] typed = words.split(" ", 2);
    List<Object> arguments = new ArrayList<>(List.of(typed[0], list));
    arguments.addAll(typed.length == 1 ? List.of() : List.of(typed[1].split(" ")));
    Bloom.Run run = bloom(arguments.toArray());
    assertThat(run.err())
        .isEqualTo(
            "bloom: %s: is not a filter but a deny list; bloom deny check reads it\n"
                .formatted(list));
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void damageIsNamedOnceWithItsPlace() throws IOException {
    assertThat(bloom("deny", "build", rules, "-o", list, "-q").code()).isZero();
    byte[] bytes = Files.readAllBytes(list);
    Files.write(list, Arrays.copyOf(bytes, bytes.length - 100));
    Bloom.Run run = bloom("deny", "check", list, "-k", "a.example");
    assertThat(run.err())
        .startsWith("bloom: " + list + ", byte ")
        .contains(": in a filter: ends inside of ")
        .hasLineCount(1);
    assertThat(run.code()).isEqualTo(2);
  }
}
