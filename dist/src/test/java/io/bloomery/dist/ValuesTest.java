package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys as values: types, quotes and empty ones, in the packed command. */
class ValuesTest {

  @TempDir private Path directory;

  private Typed typed(String script) throws Exception {
    return Typed.in(directory, Map.of("LC_ALL", "C"), script);
  }

  @Test
  void quotesInTsvAreBytesInEveryCommand() throws Exception {
    Typed typed =
        typed(
            """
            printf 'id\\tx\\n"a"\\t1\\nb\\t"q\\n' >q.tsv; printf 'id\\ty\\n"a"\\t5\\n' >r.tsv
            bloom dedup -q --column id q.tsv
            bloom join -q q.tsv r.tsv --on id
            bloom build -q --column id q.tsv -o f && bloom check -q f -k '"a"' -k a
            """);
    assertThat(typed.out())
        .isEqualTo(
            """
            id\tx
            "a"\t1
            b\t"q
            id\tx\ty
            "a"\t1\t5
            probably present\t"a"
            certainly absent\ta
            """);
    assertThat(typed.err()).isEmpty();
  }

  @Test
  void numbersAreEqualIfTheirValuesAre() throws Exception {
    Typed typed =
        typed(
            """
            printf 'id,x\\n01,a\\n1.0,b\\n' >l; printf 'id,y\\n1,p\\n' >r
            bloom join l r --on id -q; bloom join l r --on id --type number -q
            printf '1\\n1.0\\n01\\n' >n; printf '1\\n' >one
            bloom dedup --type number -q n; bloom top --type number -q n
            bloom diff --type number --exit-code -q n one && echo equal
            bloom reconcile n one --type number -q --exit-code && echo equal
            printf ' 1\\n' | bloom diff --trim --exit-code -q one - && echo equal
            printf '1d\\n' | bloom build --type double -o d; echo $?
            """);
    assertThat(typed.out())
        .isEqualTo("id,x,y\nid,x,y\n01,a,p\n1.0,b,p\n1\n3\t0\t1\nequal\nequal\nequal\n2\n");
    assertThat(typed.err())
        .contains("--type number compares values")
        .endsWith("\"1d\" is not of type double: a number such as 0.25 or 1e-3\n");
  }

  /** Present and absent rows together are the input, and so are confirmed ones. */
  @Test
  void presentAndAbsentRowsAreTheInput() throws Exception {
    Typed typed =
        typed(
            """
            { echo id,x; seq 1 2000 | sed 's/$/,a/'; printf ',empty\\n'; } >in; seq 2 2 2000 >even
            bloom build -q even -o f -p 20%
            bloom check f --column id in --mode present -q >present
            bloom check f --column id in --mode absent -q >absent
            tail -qn +2 present absent | sort | cmp - <(tail -n +2 in | sort) && echo all
            seq 1 2000 | bloom check f --against even --mode present -q | cmp - even && echo exact
            seq 1 2000 | bloom diff --only both -q even - | sort -n | cmp - even && echo both
            """);
    assertThat(typed.out()).isEqualTo("all\nexact\nboth\n");
    assertThat(typed.err()).isEmpty();
  }
}
