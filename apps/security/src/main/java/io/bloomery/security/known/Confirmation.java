package io.bloomery.security.known;

import io.bloomery.security.known.HashedTree.Content;
import io.bloomery.security.known.KnownOptions.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which of the files that a filter takes for known are really in lists. */
final class Confirmation {

  private final Digest digest;
  private final boolean places;
  private final Map<ByteBuffer, Boolean> digests = new HashMap<>();
  private final Map<String, Content> files = new HashMap<>();
  private final Set<String> confirmed = new HashSet<>();

  Confirmation(Digest digest, boolean places) {
    this.digest = digest;
    this.places = places;
  }

  /** Adds a file that is perhaps known. */
  void add(Content file) {
    if (places) {
      files.put(file.name(), file);
    } else {
      digests.putIfAbsent(ByteBuffer.wrap(file.digest()), false);
    }
  }

  /** Reads the lists. */
  void read(List<Path> lists) throws IOException {
    ListReader reader = new ListReader(digest, false);
    for (Path list : lists) {
      reader.read(list, this::line, bytes -> {});
    }
    if (reader.digests() == 0) {
      throw new IOException(
          "no line of the lists has a digest of %s%s"
              .formatted(
                  digest.label(),
                  reader.broken().isEmpty() ? "" : ": " + String.join("; ", reader.broken())));
    }
  }

  private void line(DigestList list) {
    if (places) {
      String name = list.name();
      Content file = name == null ? null : files.get(plain(name));
      boolean isListed =
          file != null
              && ByteBuffer.wrap(file.digest()).equals(ByteBuffer.wrap(list.value()))
              && (list.size() < 0 || list.size() == file.size());
      if (file != null && isListed) {
        confirmed.add(file.name());
      }
    } else {
      digests.computeIfPresent(ByteBuffer.wrap(list.value()), (value, is) -> true);
    }
  }

  /** A name below the directory in which the list was made. */
  private static String plain(String name) {
    return name.startsWith("./") ? name.substring(2) : name;
  }

  /** Whether a file is in the lists. */
  boolean isListed(Content file) {
    return places
        ? confirmed.contains(file.name())
        : digests.getOrDefault(ByteBuffer.wrap(file.digest()), false);
  }
}
