package io.bloomery.cli.option;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --type} and {@code --trim} in commands that compare keys with each other. */
class KeyFormTest {

  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  @Test
  void numbersJoinAsNumbers() throws IOException {
    Path a = write("a.csv", "id,x\n1,p\n1.0,q\n01,r\n-0.0,s\n1e2,t\n7,u\n");
    Path b = write("b.csv", "id,y\n+1.00,one\n0,zero\n100,hundred\n");
    assertThat(bloom("join", a, b, "--on", "id", "--type", "number", "-q").out())
        .isEqualTo("id,x,y\n1,p,one\n1.0,q,one\n01,r,one\n-0.0,s,zero\n1e2,t,hundred\n");
    assertThat(bloom("join", a, b, "--on", "id", "--type", "number", "--how", "anti", "-q").out())
        .isEqualTo("id,x\n7,u\n");
    assertError(
        bloom("join", a, b, "--on", "id", "--type", "long", "-c"),
        "a.csv, line 3: \"1.0\" is not of type int64: a whole number from -2^63 to 2^63-1");
    Path c = write("c.csv", "id,z\n 007 ,x\n");
    assertError(bloom("join", a, c, "--on", "id", "--type", "number", "-c"), "c.csv, line 2");
    assertThat(bloom("join", a, c, "--on", "id", "--type", "number", "--trim", "-q").out())
        .isEqualTo("id,x,z\n7,u,x\n");
    Path several = write("s.csv", "id,k\n01,1.0\n");
    Path others = write("o.csv", "id,k,v\n1,1,yes\n");
    assertThat(bloom("join", several, others, "--on", "id,k", "--type", "number", "-q").out())
        .isEqualTo("id,k,v\n01,1.0,yes\n");
  }

  @Test
  void setsAreComparedByValue() throws IOException {
    Path a = write("a", "1\n1.0\n01\n-0\n  3\n");
    Path b = write("b", "1\n0\n4\n");
    Object[] diff = {"diff", a, b, "--type", "number", "--trim", "-q"};
    assertThat(bloom(diff)).isEqualTo(new Bloom.Run(0, "< 3\n> 4\n", ""));
    Object[] pipe = {"diff", "-", b, "--type", "number", "--trim", "-q"};
    assertThat(bloomWith(Files.readAllBytes(a), pipe).out()).isEqualTo("< 3\n> 4\n");
    assertThat(bloom("reconcile", a, b, "--type", "number", "--trim", "-q").out())
        .isEqualTo("< 3\n> 4\n");
    assertThat(bloom("top", a, "--type", "number", "--trim", "-q").out())
        .startsWith("3\t0\t1\n")
        .hasLineCount(3);
    assertThat(bloom("dedup", a, "--type", "number", "--trim", "-q").out())
        .isEqualTo("1\n-0\n  3\n");
    assertThat(bloom("dedup", a, "--type", "number", "--trim", "-q", "--exact").out())
        .isEqualTo("1\n-0\n  3\n");
    assertError(
        bloom("diff", a, b, "--type", "number"), "a, line 5: \"  3\" is not of type number");
  }

  @Test
  void keysThatAreEmptyAfterTrimmingAreEmptyKeys() throws IOException {
    Path a = write("a", " x \n \t \nx\t\n");
    Path b = write("b", "x\n");
    Bloom.Run run = bloom("diff", a, b, "--trim", "--count");
    assertThat(run.out())
        .isEqualTo(
            "2 keys against 1: 0 only left, 0 only right, 1 in both; compared in memory; 1 empty key skipped\n");
    assertThat(bloom("diff", a, b, "--trim", "--keep-empty", "-q").out()).isEqualTo("< \n");
    Path filter = directory.resolve("f.bloom");
    assertThat(bloom("build", b, "-o", filter, "-p", "1e-9").code()).isZero();
    assertThat(bloom("check", filter, a, "--trim", "--mode", "present", "-q").out())
        .isEqualTo("x\nx\n");
    assertError(
        bloomWith("abcd", "check", filter, "--trim", "--binary", "2"), "--trim and --binary");
  }

  @Test
  void aHintSaysWhyNothingMatches() throws IOException {
    Path zeros = write("zeros.csv", "id,x\n001,p\n002,q\n");
    Path plain = write("plain.csv", "id,y\n1,s\n2,t\n");
    Path blank = write("blank.csv", "id,z\n1 ,s\n2 ,t\n");
    Path names = write("names.csv", "id,n\nann,s\nbob,t\n");
    String value = "--type number compares values";
    assertThat(bloom("join", zeros, plain, "--on", "id", "-q").err())
        .isEqualTo(
            "bloom: warning: no key is on both sides, and some numbers are not in canonical form, such as \"001\"; "
                + value
                + "\n");
    assertThat(bloom("diff", plain, zeros, "--column", "id", "-q").err()).contains(value);
    assertThat(bloom("join", plain, blank, "--on", "id", "-q").err())
        .contains("such as \"1 \"; --trim removes them");
    assertThat(bloom("join", plain, names, "--on", "id", "-q").err())
        .contains("left are numbers, such as \"1\", those on the right are not, such as \"ann\"");
    assertThat(bloom("join", zeros, zeros, "--on", "id", "-q").err()).isEmpty();
    assertThat(bloom("join", zeros, plain, "--on", "id", "--type", "number", "-q").err()).isEmpty();
    assertThat(bloom("diff", write("e", ""), plain, "-q").err()).isEmpty();
    assertThat(bloom("diff", zeros, plain, "--column", "id", "-s").err()).isEmpty();
  }
}
