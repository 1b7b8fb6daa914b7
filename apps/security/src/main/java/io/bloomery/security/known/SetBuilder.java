package io.bloomery.security.known;

import io.bloomery.Filters;
import io.bloomery.Storable;
import io.bloomery.foreign.AddableForeignFilter;
import io.bloomery.foreign.ForeignFormat;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.frozen.FrozenBuilder;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.frozen.RibbonShape;
import io.bloomery.hash.Hasher;
import io.bloomery.secure.KeyedFilters;
import io.bloomery.secure.Secret;
import io.bloomery.security.known.KnownFiles.Built;
import io.bloomery.security.known.KnownOptions.Digest;
import io.bloomery.security.known.KnownOptions.Form;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Reads lists and trees, and writes their set. */
final class SetBuilder {

  /** The format's name in core. */
  static final String DCSO = "dcso";

  private static final long FEWEST_DCSO = 1000;
  private static final long MANY_DCSO = 1_000_000;

  private final KnownOptions options;
  private final List<Path> lists = new ArrayList<>();
  private final List<Path> roots = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();
  private long unreadFiles;

  SetBuilder(KnownOptions options) {
    this.options = options;
  }

  Built build(List<Path> sources, Path target, LongFunction<LongConsumer> progress)
      throws IOException {
    for (Path source : sources) {
      (Files.isDirectory(source) ? roots : lists).add(source);
    }
    if (options.places() && (roots.size() != 1 || !lists.isEmpty())) {
      throw new IOException("names and sizes are those of one directory, not of lists or several");
    }
    HashedTree tree = new HashedTree(roots, Set.of(target));
    boolean isCounting = options.form() == Form.DCSO; // a filter that is sized first
    long bytes = tree.bytes();
    for (Path list : lists) {
      bytes += Files.isRegularFile(list) ? (isCounting ? 2 : 1) * Files.size(list) : 0;
    }
    LongConsumer reading = progress.apply(bytes);
    Digest digest = roots.isEmpty() ? options.digest() : treeDigest();
    return isCounting
        ? buildDcso(tree, digest, target, reading)
        : buildNative(tree, digest, target, reading);
  }

  private Digest treeDigest() {
    Digest asked = options.digest();
    return asked == null ? Digest.SHA256 : asked;
  }

  private Built buildNative(
      HashedTree tree, @Nullable Digest digest, Path target, LongConsumer progress)
      throws IOException {
    Secret secret = options.secret();
    FrozenBuilder<RibbonShape, RibbonFilter> builder =
        RibbonFilter.builder().falsePositiveRate(options.rate()).heapKeys(options.heapKeys());
    if (secret != null) {
      builder.hasher(KeyedFilters.of(secret).newHasher());
    }
    Hasher hasher = builder.hasher();
    if (options.temporaryDirectory() != null) {
      builder.temporaryDirectory(options.temporaryDirectory());
    }
    try {
      ListReader reader = new ListReader(digest, options.strict());
      for (Path list : lists) {
        reader.read(list, line -> builder.addHash(SetKeys.content(hasher, line.value())), progress);
      }
      if (!roots.isEmpty()) {
        tree.read(
            treeDigest(),
            options.threads(),
            file -> {
              if (noted(file)) {
                builder.addHash(
                    options.places()
                        ? SetKeys.place(hasher, file.name(), file.size(), file.digest())
                        : SetKeys.content(hasher, file.digest()));
              }
            },
            progress);
      }
      Built built = built(reader, tree);
      boolean sharded = builder.addedKeys() > options.heapKeys();
      Storable filter = sharded ? builder.buildSharded() : builder.build();
      SetFacts facts =
          new SetFacts(built.digest(), built.files(), options.places(), options.rate());
      Filters.write(
          filter,
          secret == null ? facts.description() : facts.sealed(Seal.of(secret, facts, filter)),
          target);
      return built;
    } finally {
      builder.discard();
    }
  }

  private Built buildDcso(
      HashedTree tree, @Nullable Digest digest, Path target, LongConsumer progress)
      throws IOException {
    ListReader counted = new ListReader(digest, options.strict());
    for (Path list : lists) {
      counted.read(list, line -> {}, progress);
    }
    AddableForeignFilter filter = emptyDcso(counted.digests() + tree.files());
    ListReader reader = new ListReader(counted.digest(), options.strict());
    for (Path list : lists) {
      reader.read(
          list, line -> filter.add(SetKeys.text(line.value(), options.lowerCase())), progress);
    }
    if (!roots.isEmpty()) {
      tree.read(
          treeDigest(),
          options.threads(),
          file -> {
            if (noted(file)) {
              filter.add(SetKeys.text(file.digest(), options.lowerCase()));
            }
          },
          progress);
    }
    Built built = built(reader, tree);
    filter.writeTo(target);
    return built;
  }

  /**
   * An empty filter with room for so many keys. Where the number of bits is even, bits of a key
   * depend on each other, which raises the rate of small filters: these get an odd number.
   */
  private AddableForeignFilter emptyDcso(long keys) {
    ForeignFormat.Maker maker = ForeignFormats.named(DCSO).maker().orElseThrow();
    long expected = Math.max(FEWEST_DCSO, keys);
    AddableForeignFilter filter = maker.create(expected, options.rate());
    while (filter.sizeInBits() % 2 == 0 && keys < MANY_DCSO) {
      filter = maker.create(++expected, options.rate());
    }
    return filter;
  }

  /** Whether a file was read; what was not is noted. */
  private boolean noted(HashedTree.Content file) {
    if (file.problem() == null) {
      return true;
    }
    unreadFiles++;
    unread.add(file.problem());
    return false;
  }

  private Built built(ListReader reader, HashedTree tree) throws IOException {
    long files = reader.digests() + tree.files() - unreadFiles(tree);
    if (files == 0) {
      throw new IOException(
          reader.brokenLines() > 0
              ? "no line of the lists can be read: " + String.join("; ", reader.broken())
              : unread.isEmpty()
                  ? "there is no file and no digest to know"
                  : "no file can be read: " + unread.get(0));
    }
    Digest digest = roots.isEmpty() ? reader.digest() : treeDigest();
    return new Built(
        digest == null ? Digest.SHA256 : digest,
        files,
        tree.links(),
        reader.brokenLines(),
        reader.broken(),
        unread);
  }

  /** How many of the listed files could not be read; directories are not among them. */
  private long unreadFiles(HashedTree tree) {
    return unreadFiles - tree.unlisted();
  }
}
