package io.bloomery.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A channel whose operations {@link FaultyFileSystem} counts and lets fail. */
final class FaultyChannel extends FileChannel {

  private final FileChannel real;
  private final FaultyFileSystem system;
  private final String suffix;

  /** Counts operations under their names and a suffix. */
  FaultyChannel(FileChannel real, FaultyFileSystem system, String suffix) {
    this.real = real;
    this.system = system;
    this.suffix = suffix;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return real.read(into);
  }

  @Override
  public long read(ByteBuffer[] into, int offset, int length) throws IOException {
    return real.read(into, offset, length);
  }

  @Override
  public int read(ByteBuffer into, long position) throws IOException {
    return real.read(into, position);
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    system.count("write");
    return real.write(from);
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) throws IOException {
    system.count("write");
    return real.write(from, offset, length);
  }

  @Override
  public int write(ByteBuffer from, long position) throws IOException {
    system.count("write");
    return real.write(from, position);
  }

  @Override
  public long position() throws IOException {
    return real.position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    real.position(position);
    return this;
  }

  @Override
  public long size() throws IOException {
    return real.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    real.truncate(size);
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    system.count("force" + suffix);
    real.force(metaData);
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return real.transferTo(position, count, target);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    system.count("write");
    return real.transferFrom(source, position, count);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    return real.map(mode, position, size);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    system.count("lock");
    return real.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    system.count("lock");
    return real.tryLock(position, size, shared);
  }

  /** The file is closed even if that fails, as by the system. */
  @Override
  protected void implCloseChannel() throws IOException {
    real.close();
    system.count("close" + suffix);
  }
}
