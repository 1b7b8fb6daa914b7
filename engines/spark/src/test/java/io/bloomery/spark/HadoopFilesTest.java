package io.bloomery.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files are whole on file systems of every sort that is at hand. */
final class HadoopFilesTest {

  @TempDir private java.nio.file.Path directory;

  /** Local files with checksums beside them. */
  @Test
  void localFiles() throws IOException {
    isReplacedWhole(new Configuration(false), directory.toUri().toString());
  }

  @Test
  void localFilesWithoutChecksums() throws IOException {
    Configuration raw = new Configuration(false);
    raw.set("fs.file.impl", RawLocalFileSystem.class.getName());
    raw.set("fs.AbstractFileSystem.file.impl", "org.apache.hadoop.fs.local.RawLocalFs");
    raw.setBoolean("fs.file.impl.disable.cache", true);
    isReplacedWhole(raw, directory.toUri().toString());
  }

  /** A table of mounts, as clusters of several name nodes have it. */
  @Test
  void mountedFiles() throws IOException {
    Configuration mounts = new Configuration();
    mounts.set("fs.viewfs.mounttable.cluster.link./filters", directory.toUri().toString());
    isReplacedWhole(mounts, "viewfs://cluster/filters/");
  }

  /** A file system that has the older interface only. */
  public static final class Odd extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("odd:///");
    }

    @Override
    public String getScheme() {
      return "odd";
    }
  }

  @Test
  void fileSystemsWithoutAContext() throws IOException {
    Configuration odd = new Configuration();
    odd.set("fs.odd.impl", Odd.class.getName());
    isReplacedWhole(odd, "odd://" + directory.toUri().getPath());
  }

  private void isReplacedWhole(Configuration hadoop, String root) throws IOException {
    Path file = new Path(root + "sub/name.bloom");
    HadoopFiles.replace(hadoop, file, out -> out.write("first".getBytes(UTF_8)));
    HadoopFiles.replace(hadoop, file, out -> out.write("second".getBytes(UTF_8)));
    assertThat(HadoopFiles.read(hadoop, file, InputStream::readAllBytes))
        .isEqualTo("second".getBytes(UTF_8));
    assertThatThrownBy(
            () ->
                HadoopFiles.replace(
                    hadoop,
                    file,
                    out -> {
                      out.write("third".getBytes(UTF_8));
                      throw new IOException("no room, as the test wants");
                    }))
        .hasMessageContaining("no room");
    assertThat(HadoopFiles.read(hadoop, file, InputStream::readAllBytes))
        .isEqualTo("second".getBytes(UTF_8));
    try (var files = Files.list(directory.resolve("sub"))) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .allMatch(name -> name.equals("name.bloom") || name.equals(".name.bloom.crc"));
    }
  }
}
