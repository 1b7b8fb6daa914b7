package io.bloomery.dist;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keys and names of files keep their bytes from the command line to the output, in every locale,
 * even in one that this system does not have.
 */
class BytesTest {

  /** In bash: a word in UTF-8 and one that is not UTF-8. */
  private static final String WORDS = "A=$'caf\\xc3\\xa9'; B=$'\\xff\\xfe\\xe9'; ";

  @TempDir private Path directory;

  private Typed typed(String locale, String script) throws Exception {
    return Typed.in(directory, Map.of("LANG", locale), WORDS + script);
  }

  /** Standard output, one character per byte. */
  private static String octets(Typed typed) {
    return new String(typed.bytes(), ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"C", "xx_XX.UTF-8", "xx_XX.ISO-8859-1"})
  void keysAndFilesKeepTheirBytes(String locale) throws Exception {
    Typed typed =
        typed(
            locale,
            """
            printf '%s\\n' "$A" "$B" >"k$B"
            bloom build -q "k$B" -o "f$B" && bloom check "f$B" -k "$A" -k "$B" -k caf -k "x$B"
            """);
    assertThat(octets(typed))
        .isEqualTo(
            """
            probably present\tcaf\u00c3\u00a9
            probably present\t\u00ff\u00fe\u00e9
            certainly absent\tcaf
            certainly absent\tx\u00ff\u00fe\u00e9
            """);
    assertThat(typed.code()).isEqualTo(1);
  }

  @Test
  void directoriesWithAnyNameAreIndexed() throws Exception {
    Typed typed =
        typed(
            "C",
            """
            mkdir "d$B" && cd "d$B" && mkdir docs && printf 'needle\\n' >"docs/$A" &&
            cp "docs/$A" "docs/$B" && bloom index -q docs -o "$B.idx" && bloom find needle "$B.idx" 2>/dev/null
            cd .. && mv "d$B" moved && bloom find needle "moved/$B.idx" 2>/dev/null
            """);
    assertThat(octets(typed))
        .isEqualTo(
            """
            docs/caf\u00c3\u00a9
            docs/\u00ff\u00fe\u00e9
            moved/docs/caf\u00c3\u00a9
            moved/docs/\u00ff\u00fe\u00e9
            """);
  }

  /** Messages escape such bytes; JSON has them beside the text. */
  @Test
  void messagesAndJsonAreText() throws Exception {
    Typed typed =
        typed(
            "C",
            "echo a | bloom build -q -o \"$B\" && bloom info --json \"$B\"; bloom info \"n$B\"");
    assertThat(typed.out()).contains("\"file\":\"\\\\xff\\\\xfe\\\\xe9\",\"fileBase64\":\"//7p\"");
    assertThat(typed.err()).isEqualTo("bloom: n\\xff\\xfe\\xe9: no such file\n");
    assertThat(typed.code()).isEqualTo(2);
  }

  /** A locale in which every byte is a character of its own, made here: few systems have one. */
  @Test
  void inALatinLocaleBytesAreBytesToo() throws Exception {
    Path sources = Path.of("/usr/share/i18n/charmaps/ISO-8859-1.gz");
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/localedef")) && Files.exists(sources),
        "no localedef with sources of locales (Debian: the package locales)");
    Typed typed =
        Typed.in(
            directory,
            Map.of("LOCPATH", directory.toString()),
            WORDS
                + """
                localedef -i de_DE -f ISO-8859-1 "$LOCPATH/de_DE.ISO-8859-1"
                export LC_ALL=de_DE.ISO-8859-1; locale charmap
                mkdir "d$B" && cd "d$B" && printf '%s\\n' "$A" "$B" >"k$B"
                bloom build -q "k$B" -o "f$B" && bloom check -q "f$B" -k "$A" -k "$B" -k "x$B"
                bloom info "n$B"
                """);
    assertThat(octets(typed))
        .isEqualTo(
            """
            ISO-8859-1
            probably present\tcaf\u00c3\u00a9
            probably present\t\u00ff\u00fe\u00e9
            certainly absent\tx\u00ff\u00fe\u00e9
            """);
    assertThat(typed.err()).isEqualTo("bloom: n\\xff\\xfe\\xe9: no such file\n");
  }

  /** The commands that bloom starts have the user's locale, and the bytes that were typed. */
  @Test
  void childrenHaveTheLocaleOfTheUser() throws Exception {
    Typed typed =
        typed(
            "C",
            """
            C='printf %s, "${LC_ALL-none}" "${BLOOM_LC_ALL-none}" >out; printf %s '$B' >>out; false'
            echo a | bloom reconcile - --peer "$C" 2>/dev/null
            cat out
            """);
    assertThat(octets(typed)).isEqualTo("none,none,\u00ff\u00fe\u00e9");
  }

  /** {@code java -jar} in a locale that cannot express the name of the current directory. */
  @Test
  void aDirectoryThatJavaCannotReadIsRefused() throws Exception {
    Typed typed =
        typed(
            "C",
            """
            jar=$(command -v bloom)
            mkdir "d$A" && cd "d$A" && echo a | bloom build -q -o f && bloom check -q f -k a
            java -jar "$jar" check -q f -k a; echo "code $?"
            LC_ALL=C.UTF-8 java -jar "$jar" check -q f -k a
            """);
    assertThat(octets(typed)).isEqualTo("probably present\ta\ncode 2\nprobably present\ta\n");
    assertThat(typed.err())
        .startsWith("bloom: the name of the current directory has bytes that Java cannot read")
        .hasLineCount(1);
  }

  /** Java itself would end with 1, the code of "certainly absent", or with a stack trace. */
  @Test
  void aPlaceFromWhichJavaCannotStartIsRefused() throws Exception {
    Typed typed =
        typed(
            "C",
            """
            echo a | bloom build -q -o f
            mkdir "d$A" "d$B" && cp "$(command -v bloom)" "d$A" && cp "$(command -v bloom)" "d$B"
            "d$A/bloom" check -q f -k a; "d$B/bloom" check -s f -k a; echo "code $?"
            """);
    assertThat(octets(typed)).isEqualTo("probably present\ta\ncode 2\n");
    assertThat(typed.err())
        .isEqualTo(
            "bloom: Java does not start from a directory whose name is not UTF-8; move bloom, or"
                + " Java, to another one\n");
  }
}
