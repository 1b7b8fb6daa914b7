package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deny lists, passwords and revoked keys through the packed command. */
class ListsTest {

  private static final Map<String, String> ABSENT = Map.of("LC_ALL", "xx_YY.UTF-8");

  @TempDir private Path directory;

  /** Neither names nor items are UTF-8, and there is no such locale. */
  @Test
  void bytesOfAnyEncodingAreKept() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            ABSENT,
            """
            mkdir $'a \\xe4'; cd $'a \\xe4'; D=$'d\\xff.deny'; P=$'p\\xff.bloom'
            printf 'a.example\\n10.0.0.0/8\\n' >$'r\\xe4'; printf '\\xe4\\xff\\nhunter2\\n' >$'w\\xe4'
            bloom deny build $'r\\xe4' -o "$D" -q && bloom password build $'w\\xe4' -o "$P" -q
            printf 'x.a.example\\n\\xe4\\xff\\n' | bloom deny check "$D" -q | od -An -c | tr -d ' \\n'; echo
            printf '\\xe4\\xff\\n\\xe4\\n' | bloom password check "$P" -q
            bloom info "$D"
            """);
    assertThat(typed.out())
        .as(typed.err())
        .isEqualTo(
            "denied\\tx.a.example\\tdomaina.example\\nunreadable\\t344377\\n\nlisted\nnot listed\n");
    assertThat(typed.err().lines().filter(line -> !line.startsWith("bash: warning: setlocale")))
        .containsExactly(
            "bloom: d\\xff.deny: is not a filter but a deny list; bloom deny check reads it");
    assertThat(typed.code()).isEqualTo(2);
  }

  /** What is killed or interrupted leaves the earlier file, and nothing beside it. */
  @Test
  void buildsThatAreKilledChangeNothing() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            set -m
            seq -f 'host%.0f.example' 200000 >names; echo a.example >one
            bloom deny build one -o list -q; cp list before
            for signal in INT KILL; do
              mkfifo pipe; bloom deny build names pipe -o list --force -q 2>err &
              exec 8>pipe; kill -$signal $!; wait $! 2>/dev/null; echo $?; exec 8>&-; rm pipe
              cmp list before && cat err
            done
            ls -A
            bloom deny build one -o list --force -q && bloom deny check list -k b.a.example -q
            """);
    assertThat(typed.out())
        .as(typed.err())
        .isEqualTo(
            "130\n137\nbefore\nerr\nlist\nnames\none\ndenied\tb.a.example\tdomain a.example\n");
    assertThat(typed.code()).isEqualTo(1);
  }

  @Test
  void aReaderThatLeavesEndsTheCheck() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            echo a.example >one; bloom deny build one -o list -q
            seq 200000 | bloom deny check list 2>err | head -n 1; echo ${PIPESTATUS[1]}; cat err
            """);
    assertThat(typed.out()).as(typed.err()).isEqualTo("unreadable\t1\n141\n");
  }
}
