package io.bloomery.cli;

import static io.bloomery.cli.Bloom.bloomWith;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Json;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of files that are not UTF-8, in what every command prints. */
class NamesTest {

  /** Not UTF-8, with a control character, and with a backslash that could begin an escape. */
  private static final String ODD = Octets.text("-\u00e9\u00ff\033\\x41".getBytes(ISO_8859_1));

  private static final String SHOWN = "-\\xe9\\xff\\x1b\\\\x41";

  /** Command lines of every command, in which a capital stands for a file with an odd name. */
  private static final String LINES =
      """
      build K -o O
      build K -o O --json
      build K -o F
      build K -o K
      build K -o D
      build K -o D/no/O
      build K -o O --format guava
      build K -o O --generate-secret --secret-file O2
      build K -o O --secret-file M
      build K -o O --secret-file K
      build K -o O --generate-secret --secret-file K
      build K M -o O
      build D -o O
      build F -o O
      build C --column no -o O
      check F K
      check F K --json
      check F -k ODD --json
      check F M
      check F F
      check M K
      check K K
      check B K
      check D -k a
      check I -k a
      check F K -o O
      deny build K -o O
      deny build M -o O --json
      deny build K -o K --force
      deny check F -k a
      deny check M
      revoked build K --others M -o O --private-key K --public-key K
      revoked check F --public-key K -k a
      revoked update F M --public-key K
      net match M K
      net match K K
      net match D K
      net match F K
      net match K K --save D/no/O
      check F K -o K
      check F K --secret-file K
      check F K --against M
      check F K --against D
      check F C --column no
      check F C --column id --on-error reject=D
      which -k a F K
      which ODD F G
      which ODD F G --json
      which a D
      which a M
      add F K
      add F K --json
      add F F
      add F M
      add M K
      add D K
      add B K
      add F K --no-wait
      add X K
      remove F K
      remove T K
      remove T K --json
      remove T -k ODD
      remove M K
      dedup K
      dedup M
      dedup D
      dedup F
      dedup K --state S
      dedup K --state K
      dedup K --state D
      dedup K --state B
      dedup K --json
      dedup Z
      count K --exact
      count K --json
      count K -o O
      count M
      count --keys-file M K
      top K --json
      top K --exact
      top M
      distinct K
      distinct K --json
      distinct K -o O
      distinct K -o F
      distinct M
      distinct F
      distinct C --column id --group no
      index D -o O
      index D -o O --json
      index M -o O
      index D -o D
      find needle I
      find needle I --json
      find needle I --lines --json
      find ODD I
      find needle M
      find needle D
      find needle F
      find needle B
      secure-index build D -o O --secret-file S32
      secure-index build M -o O --secret-file S32
      secure-index build D -o O --secret-file M
      secure-index find needle M --secret-file S32
      secure-index find needle F --secret-file S32
      merge F G -o O
      merge F G -o O --json
      merge F T -o O
      merge F M -o O
      merge F D -o O
      merge F B -o O
      merge F G -o F
      intersect F G -o O
      intersect F T -o O
      intersect F M -o O
      diff K C
      diff K M
      diff K D
      diff K F
      join C C --on id
      join C C --on no
      join C M --on id
      join C D --on id
      partition --by key --column id C -n 2 -o O
      partition --by key --column id C -n 2 -o D/no/O
      partition --by key --column id M -n 2 -o O
      sample --by key --column id C 50%
      sample --by key --column id M 50%
      reconcile K --peer M
      reconcile M --peer false
      reconcile K K2
      info F
      info F --json
      info M
      info D
      info B
      info B --json
      info I
      info I --json
      info K
      info F --secret-file K
      verify F
      verify F --json
      verify M
      verify B
      verify F --present K --absent K
      verify I --present K
      convert F -o O --to blocked
      convert F -o M/O --to guava
      convert M -o O --to guava
      convert D -o O --to guava
      convert F -o O --to nosuch
      convert F -o F --to guava
      plan -n 100 M
      plot rate -o O
      plot rate -o D/no/O.svg
      plot rate -o O.svg
      bench F --seconds 0
      bench M
      bench D
      password build K -o O
      password build K -o O --json
      password build K -o K --force
      password build M -o O
      password check M
      password check F
      password info F
      net scan --list K M
      net scan --list M K
      net flows M
      net flows K
      net flows K -o M/O
      known build K -o O
      known build M -o O
      known build D -o O
      known build D -o D/no/O
      known check D --set F
      known check D --set M
      known check K --set O
      known check D --set O
      known check D --set O --against K
      known check D --set O --against M
      known check D --set O --secret-file M
      known version K --among M
      known version M --among K
      known version K --among K
      help ODD
      man ODD
      man -o M
      completion ODD
      """;

  @TempDir private Path directory;

  private Path odd(String name) {
    return directory.resolve(Octets.path(name + ODD));
  }

  private void make() throws IOException {
    Path keys = Files.write(odd("K"), "a\nb\n\u00e9\n".getBytes(ISO_8859_1));
    Files.writeString(odd("C"), "id,x\n1,2\n3\n");
    Files.writeString(odd("Z"), "\u001f\u008b broken");
    Files.write(odd("S32"), new byte[32]);
    Files.writeString(Files.createDirectory(odd("D")).resolve(Octets.path(ODD)), "needle\n");
    for (String name : new String[] {"F", "G"}) {
      assertThat(run("build " + name.replaceAll("[FG]", "K") + " -o " + name).code()).isZero();
    }
    assertThat(run("build K --kind counting -o T").code()).isZero();
    assertThat(run("build K --kind fuse -o X").code()).isZero();
    assertThat(run("index D -o I").code()).isZero();
    byte[] damaged = Files.readAllBytes(odd("F"));
    damaged[damaged.length - 1] ^= 1;
    damaged[20] ^= 1;
    Files.write(odd("B"), damaged);
    assertThat(keys).exists();
  }

  private Bloom.Run run(String line) {
    Object[] words =
        Arrays.stream(line.split(" "))
            .map(word -> word.equals("ODD") ? ODD : word)
            .map(this::named)
            .toArray();
    return bloomWith("a\n", words);
  }

  /** A word with odd names for its capitals. */
  private String named(String word) {
    String prefix = word.startsWith("reject=") ? "reject=" : "";
    String rest = word.substring(prefix.length());
    if (!rest.matches("[A-Z][A-Z0-9]*(/.*|\\.svg)?") || rest.startsWith("-")) {
      return word;
    }
    String capital = rest.replaceAll("[^A-Z0-9].*", "");
    return prefix + Octets.name(odd(capital)) + rest.substring(capital.length());
  }

  @Test
  void noCommandShowsAReplacementForWhatItCannotDecode() throws IOException {
    make();
    Set<String> commands = new TreeSet<>(Bloom.commandLine().getSubcommands().keySet());
    int shown = 0;
    Map<String, String> wrong = new TreeMap<>();
    for (String line : LINES.lines().toList()) {
      commands.remove(line.substring(0, line.indexOf(' ')));
      Bloom.Run run = run(line);
      String text = run.out() + run.err();
      String raw = new String(run.bytes(), ISO_8859_1);
      if (raw.contains("\u00ef\u00bf\u00bd") || run.err().contains("\uFFFD")) {
        wrong.put(line, text);
      } else if (run.err().contains("\033") || run.err().contains("unexpected")) {
        wrong.put(line, text);
      }
      shown += text.contains(SHOWN) || text.contains(SHOWN.replace("\\", "\\\\")) ? 1 : 0;
      for (String name : new String[] {"O", "O2"}) {
        Files.deleteIfExists(odd(name));
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(commands).as("commands without a line here").isEmpty();
    assertThat(shown).isGreaterThan(80);
  }

  @Test
  void jsonHasTheTextInTheFormOfMessagesAndAllBytes() throws IOException {
    make();
    Map<?, ?> json = Json.object(run("info F --json").out());
    assertThat(json.get("file")).isEqualTo(directory + "/F" + SHOWN);
    assertThat(json.get("fileBase64"))
        .isEqualTo(Base64.getEncoder().encodeToString(Octets.bytes(directory + "/F" + ODD)));
  }

  /** What the JVM decoded is taken where nothing was lost, and refused where something may be. */
  @Test
  void withoutTheBytesOfTheArgumentsLossesAreRefused() throws IOException {
    Path none = directory.resolve("none");
    assertThat(Arguments.exact(none, "check", "a", "")).containsExactly("check", "a", "");
    assertThatThrownBy(() -> Arguments.exact(none, "check", "x", "caf\uFFFD"))
        .isInstanceOf(Problem.class)
        .hasMessage(
            "argument 3 (caf?) has bytes that Java cannot read on this system; give keys in a"
                + " file, rename files, or set LC_ALL to a UTF-8 locale");
    Path typed =
        Files.write(directory.resolve("typed"), "java\0Main\0\u00e9\0".getBytes(ISO_8859_1));
    assertThat(Arguments.exact(typed, "\uFFFD"))
        .containsExactly(Octets.text(new byte[] {(byte) 0xe9}));
    Files.writeString(typed, "java\0Main\0a\0\u00e9\0", UTF_8);
    assertThatThrownBy(() -> Arguments.exact(typed, "b", "\uFFFD")).isInstanceOf(Problem.class);
    assertThatThrownBy(() -> Arguments.exact(typed, "x", "java", "Main", "a", "\uFFFD"))
        .isInstanceOf(Problem.class);
  }
}
