package io.bloomery.cli.index;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Runs.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Inputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An index that somebody else made leads to no file outside the paths that it was made for. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileIndexTest {

  @TempDir private Path directory;

  private IndexFixture fixture;
  private Path secret;

  @BeforeEach
  void makeLogs() throws IOException {
    fixture = new IndexFixture(directory.toRealPath());
    secret = Files.writeString(directory.toRealPath().resolve("secret.txt"), "password\n");
    fixture.write("a.log", "nothing to see\n");
  }

  /** Finds nothing and prints nothing of other files, with the index trusted and not. */
  private void assertRefused(String message) {
    for (String word : new String[] {"password", "nothing"}) {
      assertError(fixture.findRun("--grep", "--trust", word), message);
      assertError(fixture.findRun("--no-verify", "--trust", word), message);
    }
    assertThat(fixture.findRun("--grep", "password").out()).doesNotContain("secret", "logz");
  }

  /** Goes on without the file and says so. */
  private static void assertLeftOut(Bloom.Run run, String message) {
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.latin1()).doesNotContain("password", "Linux version");
    assertThat(run.err()).contains("bloom: warning: ").contains(message);
  }

  @Test
  void anAbsolutePathOutsideTheRootsIsRefused() throws IOException {
    String name = "x".repeat(secret.toString().length() - "logs/".length());
    fixture.write(name, "password\n");
    Files.delete(fixture.logs().resolve("a.log"));
    fixture.make();
    assertThat(fixture.find("--trust", "password")).containsExactly(name);
    ForgedIndex.replace(fixture.index(), "logs/" + name, secret.toString());
    assertError(
        fixture.findRun("--trust", "password"),
        "lists " + secret + ", which is not below the paths that it was made for");
    assertRefused("is not below the paths");
  }

  @Test
  void aPathBesideTheRootsIsRefused() throws IOException {
    fixture.write("x.log", "password\n");
    Files.delete(fixture.logs().resolve("a.log"));
    fixture.make();
    Files.createDirectory(directory.resolve("logz"));
    Files.writeString(directory.resolve("logz/x.log"), "password\n");
    ForgedIndex.replace(fixture.index(), "logs/x", "logz/x");
    assertRefused("logz/x.log, which is not below the paths");
  }

  @Test
  void aWayUpIsRefusedWhereverItIs() throws IOException {
    fixture.write("yz/secret.txt", "password\n");
    Files.delete(fixture.logs().resolve("a.log"));
    fixture.make();
    byte[] sound = Files.readAllBytes(fixture.index());
    ForgedIndex.replace(fixture.index(), "logs/yz/", "logs/../");
    assertRefused("the path logs/../secret.txt is not as an index stores it");
    Files.write(fixture.index(), sound);
    ForgedIndex.replace(fixture.index(), "logs/yz/", "./../yz/");
    assertError(bloom("info", fixture.index()), "is not as an index stores it");
    Files.write(fixture.index(), sound);
    ForgedIndex.replace(fixture.index(), "\4logs", "\4/../");
    assertError(fixture.findRun("password"), "is not as an index stores it");
    assertError(bloom("index", "--update", fixture.index()), "is not as an index stores it");
  }

  @Test
  void aLinkOutOfTheRootIsNotFollowed() throws IOException {
    fixture.write("sub/secret.txt", "password\n");
    fixture.make();
    Files.delete(fixture.logs().resolve("sub/secret.txt"));
    Files.delete(fixture.logs().resolve("sub"));
    Files.createSymbolicLink(fixture.logs().resolve("sub"), secret.getParent());
    Bloom.Run run = fixture.findRun("--grep", "--trust", "password");
    assertLeftOut(run, "logs/sub/secret.txt: is behind a link; not read");
    assertThat(fixture.findRun("--trust", "nothing").out()).endsWith("/a.log\n");
    Files.delete(fixture.logs().resolve("sub"));
    Files.createDirectory(fixture.logs().resolve("sub"));
    Files.createSymbolicLink(fixture.logs().resolve("sub/secret.txt"), secret);
    assertLeftOut(fixture.findRun("--grep", "--trust", "password"), "is behind a link; not read");
    assertThat(fixture.find("password")).isEmpty();
  }

  @Test
  void aRootThatIsALinkMayBeNamed() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), fixture.logs());
    assertThat(bloom("index", link, "-o", fixture.index(), "-q").code()).isZero();
    assertThat(fixture.find("nothing")).containsExactly("a.log");
    assertThat(fixture.find("--trust", "nothing")).containsExactly("a.log");
    Path inside = Files.createDirectory(fixture.logs().resolve("inside"));
    Files.writeString(inside.resolve("b.log"), "password\n");
    assertThat(bloom("index", link.resolve("inside"), "-o", fixture.index(), "-qf").code())
        .isZero();
    assertThat(fixture.findRun("--trust", "password").out())
        .isEqualTo(link.toRealPath().getParent().resolve("link/inside/b.log") + "\n");
  }

  @Test
  void pipesAndDevicesAreNotOpened() throws Exception {
    Path pipe = fixture.write("pipe", "password\n");
    fixture.make();
    Files.delete(pipe);
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertLeftOut(fixture.findRun("--trust", "password"), "pipe: is not a regular file; not read");
    assertThat(fixture.find("password")).isEmpty();
    IndexFixture other = new IndexFixture(directory.resolve("other"));
    Files.writeString(Files.createDirectory(directory.resolve("other/dev5")).resolve("zero"), "0");
    assertThat(bloom("index", directory.resolve("other/dev5"), "-o", other.index(), "-q").code())
        .isZero();
    ForgedIndex.replace(other.index(), "dev5", "/dev");
    assertLeftOut(other.findRun("--trust", "0"), "/dev/zero: is not a regular file; not read");
  }

  @Test
  void whatTheKernelMakesUpIsNotRead() throws IOException {
    Path fake = Files.createDirectory(directory.resolve("proc5"));
    Files.writeString(fake.resolve("version"), "Linux\n");
    assertThat(bloom("index", fake, "-o", fixture.index(), "-q").code()).isZero();
    ForgedIndex.replace(fixture.index(), "proc5", "/proc");
    assertLeftOut(fixture.findRun("--grep", "Linux"), "/proc: is made up by the kernel");
    assertLeftOut(fixture.findRun("--grep", "--trust", "Linux"), "/proc/version: is not a regular");
    assertLeftOut(bloom("index", "--update", fixture.index()), "/proc: is made up by the kernel");
  }

  @Test
  void theUserSaysWhereAnIndexMayLead() throws IOException {
    fixture.make();
    Path here = directory.toRealPath();
    assertThat(fixture.find("--root", here, "nothing")).containsExactly("a.log");
    assertThat(fixture.find("--root", fixture.logs(), "nothing")).containsExactly("a.log");
    Path link = Files.createSymbolicLink(directory.resolve("link"), fixture.logs());
    assertThat(fixture.find("--root", "/usr", "--root", link, "nothing")).containsExactly("a.log");
    String message = "was made for %s, which is not below --root".formatted(fixture.logs());
    for (String trust : new String[] {"--trust", "-q"}) {
      assertError(fixture.findRun("--root", "/usr", trust, "nothing"), message);
      assertError(fixture.findRun("--root", here + "/log", trust, "nothing"), "no such file");
    }
    Files.createDirectory(directory.resolve("log"));
    assertError(fixture.findRun("--root", here + "/log", "nothing"), message);
    assertError(
        fixture.findRun("--root", fixture.logs().resolve("a.log"), "--no-verify", "nothing"),
        message);
  }

  /** An empty file, new, emptied or packed, holds no key and breaks nothing. */
  @Test
  void emptyFilesHoldNothing() throws IOException {
    fixture.write("was-empty", "");
    fixture.write("will-be-empty", "password\n".repeat(1000));
    fixture.make();
    assertThat(fixture.find("nothing")).containsExactly("a.log");
    fixture.write("new-empty", "");
    fixture.write("will-be-empty", "");
    Files.write(fixture.logs().resolve("empty.gz"), Inputs.gzip(""));
    for (String option : new String[] {"--grep", "-c", "--no-verify", "--trust", "--all-keys"}) {
      Bloom.Run run = fixture.findRun(option, "nothing");
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.out()).contains("a.log");
      assertThat(fixture.findRun(option, "nowhere").err()).doesNotContain("unexpected");
    }
    assertThat(fixture.find("password")).isEmpty();
    assertThat(fixture.find("--trust", "password")).isEmpty();
    fixture.make();
    assertThat(fixture.find("nothing", "password")).containsExactly("a.log");
  }

  @Test
  void emptyTablesHoldNothing() throws IOException {
    Files.delete(fixture.logs().resolve("a.log"));
    fixture.write("a.csv", "id,name\n1,Ann\n");
    fixture.make("--column", "id");
    fixture.write("b.csv", "");
    fixture.write("a.csv", "");
    assertThat(fixture.find("1")).isEmpty();
    assertThat(fixture.find("--trust", "1")).isEmpty();
  }
}
