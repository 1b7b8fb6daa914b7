package io.bloomery.testkit;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The default file system with one fault: the n-th operation that changes something fails like a
 * bad disk, before it has any effect, or another process interferes. Operations are opening for
 * writing, opening a directory, write, force, lock, close, rename and delete; {@link #operations}
 * names those that were done.
 */
public final class FaultyFileSystem extends FileSystem {

  /** What happens right before an operation. */
  @FunctionalInterface
  public interface Event {
    /** Runs the event; an exception it throws is the result of the operation. */
    void happen() throws IOException;
  }

  /** The system's message for EIO. */
  public static final String MESSAGE = "Input/output error";

  private final FileSystem real;
  private final Provider provider = new Provider();
  private final int number;
  private final Event event;
  private final List<String> operations = new ArrayList<>();

  /** Fails the operation with a number, counted from 1; 0 fails none. */
  public FaultyFileSystem(Path anyReal, int failing) {
    this(
        anyReal,
        failing,
        () -> {
          throw new IOException(MESSAGE);
        });
  }

  /** Something happens right before the operation with a number, counted from 1. */
  public FaultyFileSystem(Path anyReal, int number, Event event) {
    this.real = anyReal.getFileSystem();
    this.number = number;
    this.event = event;
  }

  /** The same file in this file system. */
  public Path path(Path path) {
    return (Path)
        Proxy.newProxyInstance(
            Path.class.getClassLoader(),
            new Class<?>[] {Path.class},
            (proxy, method, args) -> {
              if (method.getName().equals("getFileSystem")) {
                return this;
              }
              Object[] unwrapped = args == null ? new Object[0] : args.clone();
              for (int i = 0; i < unwrapped.length; i++) {
                unwrapped[i] = unwrapped[i] instanceof Path other ? real(other) : unwrapped[i];
              }
              Object result;
              try {
                result = method.invoke(path, unwrapped);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              return result instanceof Path other ? path(other) : result;
            });
  }

  /**
   * The operations so far; the last one is the one that failed, if one did and nothing followed.
   */
  public List<String> operations() {
    return operations;
  }

  void count(String operation) throws IOException {
    operations.add(operation);
    if (operations.size() == number) {
      event.happen();
    }
  }

  private Path real(Path path) {
    return path.getFileSystem() == this ? real.getPath(path.toString()) : path;
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return real.getSeparator();
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return real.getFileStores();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return real.supportedFileAttributeViews();
  }

  @Override
  public Path getPath(String first, String... more) {
    return path(real.getPath(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(String syntaxAndPattern) {
    throw new UnsupportedOperationException();
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return real.getUserPrincipalLookupService();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException();
  }

  private final class Provider extends FileSystemProvider {

    @Override
    public String getScheme() {
      return "faulty";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
      return FaultyFileSystem.this;
    }

    @Override
    public Path getPath(URI uri) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel newFileChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      boolean directory = Files.isDirectory(real(path));
      count(directory ? "open directory" : "open");
      FileChannel channel = FileChannel.open(real(path), options, attributes);
      return new FaultyChannel(channel, FaultyFileSystem.this, directory ? " directory" : "");
    }

    @Override
    public SeekableByteChannel newByteChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      return newFileChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(
        Path directory, DirectoryStream.Filter<? super Path> filter) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
      Files.createDirectory(real(directory), attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
      count("delete");
      Files.delete(real(path));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
      count("rename");
      Files.move(real(source), real(target), options);
    }

    @Override
    public Path readSymbolicLink(Path link) throws IOException {
      return path(Files.readSymbolicLink(real(link)));
    }

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
      return Files.isSameFile(real(one), real(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
      return Files.isHidden(real(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
      return Files.getFileStore(real(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
      real.provider().checkAccess(real(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(
        Path path, Class<V> type, LinkOption... options) {
      return Files.getFileAttributeView(real(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
        Path path, Class<A> type, LinkOption... options) throws IOException {
      return Files.readAttributes(real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
        throws IOException {
      return Files.readAttributes(real(path), names, options);
    }

    @Override
    public void setAttribute(Path path, String name, Object value, LinkOption... options)
        throws IOException {
      Files.setAttribute(real(path), name, value, options);
    }
  }
}
