package io.bloomery.security.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars and classes that are small, and were made to take much memory or time. */
class HostileJarsTest {

  private static final int MOST = 0xFFFF;

  /** The most characters per byte of a class: an instruction of two bytes names a constant. */
  private static final int PER_BYTE = 24;

  @TempDir private Path directory;

  /** A class file whose constants are: Code, X, the class X, I, BootstrapMethods, and others. */
  private static final class ClassFile {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    ClassFile(int moreConstants) throws IOException {
      out.writeInt(0xCAFEBABE);
      shorts(0, 52, 6 + moreConstants);
      text("Code");
      text("X");
      out.writeByte(7);
      shorts(2);
      text("I");
      text("BootstrapMethods");
    }

    ClassFile text(String text) throws IOException {
      out.writeByte(1);
      out.writeUTF(text);
      return this;
    }

    ClassFile shorts(int... numbers) throws IOException {
      for (int number : numbers) {
        out.writeShort(number);
      }
      return this;
    }

    ClassFile ints(int... numbers) throws IOException {
      for (int number : numbers) {
        out.writeInt(number);
      }
      return this;
    }

    /** Flags, this class, no superclass, no interfaces. */
    ClassFile header() throws IOException {
      return shorts(1, 3, 0, 0);
    }

    byte[] toBytes() {
      return bytes.toByteArray();
    }
  }

  private static void requireSmall(byte[] file) throws IOException {
    assertThat(ClassContent.text(file).length()).isLessThan(PER_BYTE * file.length);
  }

  @Test
  void manyMembersOfOneLongName() throws IOException {
    ClassFile file = new ClassFile(1).text("L".repeat(MOST)).header().shorts(MOST);
    for (int i = 0; i < MOST; i++) {
      file.shorts(0, 6, 6, 0);
    }
    requireSmall(file.shorts(0, 0).toBytes());
  }

  @Test
  void manyConstantsOfOneLongText() throws IOException {
    int count = MOST - 8;
    ClassFile file = new ClassFile(count + 1).text("a.".repeat(MOST / 2));
    for (int i = 0; i < count; i++) {
      file.out.writeByte(8);
      file.shorts(6);
    }
    file.header().shorts(0, 1, 1, 2, 4, 1, 1).ints(12 + 3 * count, 0, 3 * count);
    for (int i = 0; i < count; i++) {
      file.out.writeByte(19);
      file.shorts(7 + i);
    }
    requireSmall(file.shorts(0, 0, 0).toBytes());
  }

  @Test
  void attributesThatOverlap() throws IOException {
    for (int length : new int[] {-6, -1, 0, 11, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      ClassFile file = new ClassFile(0).header().shorts(0, 1, 1, 2, 4, MOST, 1).ints(length);
      for (int i = 0; i < MOST; i++) {
        file.shorts(0, 1, 0);
      }
      assertThatThrownBy(() -> ClassContent.text(file.toBytes()))
          .as("%d", length)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void manyTablesOfBootstrapMethods() throws IOException {
    ClassFile file = new ClassFile(0).header().shorts(0, 0, MOST);
    for (int i = 0; i < MOST; i++) {
      file.shorts(5).ints(2).shorts(0);
    }
    assertThatThrownBy(() -> ClassContent.text(file.toBytes()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("twice");
  }

  private static byte[] jar(int copies, String suffix, byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (int i = 0; i < copies; i++) {
        out.putNextEntry(new ZipEntry(i + suffix));
        out.write(content);
        out.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void jarsThatUnpackToTooMuch() throws IOException {
    byte[] inner = jar(8, ".bin", new byte[1 << 24]);
    Path bomb = directory.resolve("bomb.jar");
    Files.write(bomb, jar(100, ".jar", jar(100, ".jar", inner)));
    assertThat(Files.size(bomb)).isLessThan(1 << 20);
    assertThatThrownBy(() -> ReleaseFinder.of(bomb, ReleaseOptions.DEFAULT))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("bomb.jar")
        .hasMessageContaining("unpacks to more than");
  }

  /** A damaged jar within a jar is counted, and the rest is read. */
  @Test
  void aDamagedJarWithin() throws IOException {
    byte[] sound = new ClassFile(0).header().shorts(0, 0, 0).toBytes();
    byte[] inner = jar(3, ".class", sound);
    for (int at = 0; at < inner.length; at++) {
      byte[] damaged = inner.clone();
      damaged[at] ^= 0x55;
      requireRead(damaged, sound);
      requireRead(Arrays.copyOf(inner, at), sound);
    }
  }

  private void requireRead(byte[] within, byte[] sound) throws IOException {
    Path outer = directory.resolve("outer.jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(outer))) {
      out.putNextEntry(new ZipEntry("a.jar"));
      out.write(within);
      out.closeEntry();
      out.putNextEntry(new ZipEntry("X.class"));
      out.write(sound);
      out.closeEntry();
    }
    ReleaseFinder finder = ReleaseFinder.of(outer, ReleaseOptions.DEFAULT);
    assertThat(finder.classes()).isBetween(1, 4);
    assertThat(finder.brokenClasses()).isBetween(0, 3);
  }
}
