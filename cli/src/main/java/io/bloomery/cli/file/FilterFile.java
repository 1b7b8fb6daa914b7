package io.bloomery.cli.file;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.FrameHeader;
import io.bloomery.FrameHeader.Description;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A saved filter.
 *
 * @param path the file
 * @param header what its header says
 */
public record FilterFile(Path path, FrameHeader header) {

  /** Reads the header; with {@code verify} checks every byte of the file as well. */
  public static FilterFile read(Path path, boolean verify) {
    if (Files.isDirectory(path)) {
      throw new Problem(path, "is a directory, not a filter");
    }
    try {
      return new FilterFile(path, verify ? Filters.verify(path) : Filters.header(path));
    } catch (IOException e) {
      throw Problem.with(path, e);
    }
  }

  /**
   * Maps a filter of this or another system, with its key if it needs one; with {@code verify}
   * checks every byte first.
   */
  public static OpenFilter map(Path path, boolean verify, KeyFileOption key, FormatOption format) {
    if (format.isForeign(path)) {
      return foreign(path, key, format);
    }
    FilterFile file = read(path, false);
    return new OpenFilter(path, file.map(key, verify), file.header.description());
  }

  /** Reads a filter of this or another system into the heap and checks all of it. */
  public static OpenFilter open(Path path, KeyFileOption key, FormatOption format) {
    if (format.isForeign(path)) {
      return foreign(path, key, format);
    }
    FilterFile file = read(path, false);
    return new OpenFilter(path, file.open(key), file.header.description());
  }

  /**
   * Whether a file is not one of Bloomery's own, so that it can only be a filter of another system.
   */
  public static boolean isForeign(Path path) {
    if (!Files.isRegularFile(path)) {
      return false;
    }
    try {
      return !Filters.isNative(path);
    } catch (IOException e) {
      throw Problem.with(path, e);
    }
  }

  private static OpenFilter foreign(Path path, KeyFileOption key, FormatOption format) {
    if (key.isGiven()) {
      throw new Problem(path, "of another system, without a secret key; leave out --secret-file");
    }
    return new OpenFilter(path, format.open(path), Description.NONE);
  }

  /**
   * Maps the filter, with its key if it needs one; with {@code verify} checks every byte of what is
   * mapped first.
   */
  public Filter map(KeyFileOption key, boolean verify) {
    checkKey(key);
    try {
      return Filters.map(path, verify ? key.reading().verified() : key.reading());
    } catch (IOException e) {
      throw Problem.with(path, e);
    }
  }

  /** Reads the filter into the heap and checks all of it, with its key if it needs one. */
  public Filter open(KeyFileOption key) {
    return open(key, Filter.class);
  }

  /** Reads the filter in the same way; fails if it is not of the given type. */
  public <F extends Filter> F open(KeyFileOption key, Class<F> type) {
    checkKey(key);
    try {
      return Filters.open(path, key.reading(type));
    } catch (IOException e) {
      throw Problem.with(path, e);
    }
  }

  private void checkKey(KeyFileOption key) {
    if (header.isKeyed() && !key.isGiven()) {
      throw new Problem(path, "made with a secret key; give it with --secret-file");
    }
    if (!header.isKeyed() && key.isGiven()) {
      throw new Problem(path, "made without a secret key; leave out --secret-file");
    }
  }
}
