package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.frame.Labels;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/**
 * Which documents contain a word? An index that a machine can search without knowing the words:
 * Goh's Z-IDX. The owner keeps a {@link Secret}; the holder of the index gets {@linkplain
 * IndexKeys.Trapdoor trapdoors} of the words to search for, and learns only which documents match.
 *
 * <pre>{@code
 * SecureIndex index = SecureIndex.create(SecureIndexShape.forWords(1_000, 0.001), secret);
 * try (IndexKeys keys = index.keys(secret)) {
 *   index.add(keys, "letter-17", List.of("meet", "me", "at", "noon"));
 *   IndexKeys.Trapdoor noon = keys.trapdoor("noon");  // this is sent, the keys are not
 *   index.search(noon);                     // [letter-17]
 * }
 * }</pre>
 *
 * <p>A document that contains the word is always found; one that does not, at the rate of the
 * shape. Each document has a Bloom filter and a random nonce of 16 bytes. A word's trapdoor is T_i
 * = HMAC(k_i, word) for r keys, and in a document it sets the bits HMAC(T_i, nonce) mod m. So equal
 * words set unrelated bits in different documents, and a {@linkplain #replace replaced} document
 * gets a new nonce, so that the old and the new filter do not reveal which words it kept.
 * Additional random bits make each filter as full as that of a document with the most words, so the
 * fill reveals nothing about the number of words.
 *
 * <p>The holder does learn the names of documents, which are stored as they are, their number, the
 * shape, and for each trapdoor which documents match and whether it was used before.
 * docs/threats.md has more.
 *
 * <p>As a {@link Filter} its keys are the bytes of trapdoors, and {@code mightContain} says whether
 * some document matches; bytes that are not a trapdoor of this index are absent. It is not a {@link
 * io.bloomery.HashedFilter}: nothing is hashed without the owner's keys. The file holds the nonces,
 * names and filters, and a check value that detects wrong keys, but never the keys.
 *
 * <p>Threads: any number may add, replace, remove and search; a search sees each document as it was
 * before or after a change. A word takes 2r HMACs to add, about r microseconds, and 2 HMACs per
 * document to search for.
 *
 * <p>Goh 2003, "Secure Indexes", ePrint 2003/216; Tarkoma, Rothenberg and Lagerspetz 2012, sec.
 * III-W. Deviations: the r keys are derived from one secret and a nonce of the index; the nonce of
 * a document takes the place of its identifier, so that a changed document needs no new name; u is
 * a parameter, where Goh takes the length of the encrypted document.
 */
public final class SecureIndex implements Filter, Storable {

  public static final FilterKind<SecureIndex> KIND =
      Kind.of(77, "secure-index", SecureIndex.class)
          .question("which documents contain x? by a trapdoor, without showing x")
          .codec(SecureIndex::encode, SecureIndex::decode)
          .meets(Need.PRIVATE)
          .derivedKeys("trapdoors of words")
          .unplanned("takes documents with their words under a secret, not keys");

  private static final int NONCE_BYTES = DocumentTable.NONCE_WORDS * Long.BYTES;
  private static final int RANDOM_BATCH = 1 << 13;

  /** The memory of a document besides its filter and its nonce: its name in two tables. */
  private static final int DOCUMENT_BYTES = 160;

  private final SecureIndexShape shape;
  private final byte[] nonce;
  private final byte[] check;
  private final RandomGenerator random;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  private final DocumentTable documents;

  /** The fields of a file. */
  private record Header(
      SecureIndexShape shape,
      @FieldName("documents") int documents,
      @FieldName("name bytes") long nameBytes,
      @FieldName("nonce 0") long nonce0,
      @FieldName("nonce 1") long nonce1,
      @FieldName("check 0") long check0,
      @FieldName("check 1") long check1) {

    private Header {
      Arguments.inRange(
          "documents", documents, 0, DocumentTable.most(Words.wordsFor(shape.bits())));
      Arguments.inRange("nameBytes", nameBytes, 0, Labels.MAX_BYTES);
    }
  }

  private SecureIndex(
      SecureIndexShape shape,
      byte[] nonce,
      byte[] check,
      RandomGenerator random,
      DocumentTable documents) {
    this.shape = shape;
    this.nonce = nonce;
    this.check = check;
    this.random = random;
    this.documents = documents;
  }

  /**
   * An index without documents, with a fresh nonce.
   *
   * @param shape bits, hashes per word and the most words of a document
   * @param secret the secret, whose holder can add documents and search for words
   * @return the index
   * @throws IllegalStateException if the secret is closed
   */
  public static SecureIndex create(SecureIndexShape shape, Secret secret) {
    return create(shape, secret, new SecureRandom());
  }

  /** The same with another source of nonces and random bits, for tests. */
  static SecureIndex create(SecureIndexShape shape, Secret secret, RandomGenerator random) {
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(secret, "secret");
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try (IndexKeys keys = IndexKeys.derive(secret, nonce, shape)) {
      return new SecureIndex(
          shape, nonce, keys.check(), random, DocumentTable.empty(filterWords(shape)));
    }
  }

  private static int filterWords(SecureIndexShape shape) {
    return Math.toIntExact(Words.wordsFor(shape.bits()));
  }

  private Frame encode() {
    lock.readLock().lock();
    try {
      long[] n = longs(nonce);
      long[] c = longs(check);
      int size = documents.size();
      long nameBytes = Labels.bytes(documents.names());
      Header header = new Header(shape, size, nameBytes, n[0], n[1], c[0], c[1]);
      return documents.encode(Frame.of(null).put(header));
    } finally {
      lock.readLock().unlock();
    }
  }

  private static SecureIndex decode(Frame frame) throws IOException {
    Header header = frame.shape(Header.class);
    SecureIndexShape shape = header.shape;
    frame.requireMemory(2 * header.nameBytes + (long) header.documents * DOCUMENT_BYTES);
    DocumentTable documents =
        DocumentTable.decode(frame, filterWords(shape), header.documents, header.nameBytes);
    frame.requireOfWords(
        () -> documents.isClean(shape.bits()), "a document's filter has bits beyond its last");
    return new SecureIndex(
        shape,
        bytes(header.nonce0, header.nonce1),
        bytes(header.check0, header.check1),
        new SecureRandom(),
        documents);
  }

  private static long[] longs(byte[] bytes) {
    long[] longs = new long[bytes.length / Long.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(longs);
    return longs;
  }

  private static byte[] bytes(long... longs) {
    ByteBuffer bytes =
        ByteBuffer.allocate(longs.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(longs);
    return bytes.array();
  }

  @Override
  public FilterKind<SecureIndex> kind() {
    return KIND;
  }

  /**
   * The parameters of this index.
   *
   * @return bits, hashes per word and the most words of a document
   */
  public SecureIndexShape shape() {
    return shape;
  }

  /**
   * The keys of this index, for its owner.
   *
   * @param secret the one it was created with
   * @return the keys, to be closed after use
   * @throws IllegalArgumentException if it was created with another secret or another shape
   * @throws IllegalStateException if the secret is closed
   */
  public IndexKeys keys(Secret secret) {
    Objects.requireNonNull(secret, "secret");
    return own(IndexKeys.derive(secret, nonce, shape))
        .or(() -> own(IndexKeys.deriveOld(secret, nonce, shape.hashesPerWord())))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "wrong key: the index was made with another secret, or its shape was changed"));
  }

  private Optional<IndexKeys> own(IndexKeys keys) {
    if (MessageDigest.isEqual(keys.check(), check)) {
      return Optional.of(keys);
    }
    keys.close();
    return Optional.empty();
  }

  /**
   * Adds a document.
   *
   * @param keys the keys of this index
   * @param document its name, which must be new; stored as it is
   * @param words its words in any order, each as often as it occurs
   * @throws IllegalArgumentException if the index has a document of this name, the document has
   *     more distinct words than the shape allows, or the keys are of another index
   * @throws IllegalStateException if the keys are closed, or the index is a mapped file
   */
  public void add(IndexKeys keys, CharSequence document, Iterable<? extends CharSequence> words) {
    String name = requireName(document);
    require(!contains(name), already(name));
    put(keys, name, words, true);
  }

  /**
   * Replaces the document with the same name, or adds a new one. Its filter is rebuilt under a new
   * nonce and has nothing in common with the old one.
   *
   * @param keys the keys of this index
   * @param document its name
   * @param words its words in any order, each as often as it occurs
   * @throws IllegalArgumentException if the document has more distinct words than the shape allows,
   *     or the keys are of another index
   * @throws IllegalStateException if the keys are closed, or the index is a mapped file
   */
  public void replace(
      IndexKeys keys, CharSequence document, Iterable<? extends CharSequence> words) {
    put(keys, requireName(document), words, false);
  }

  private static String already(String name) {
    return "the index has a document \"" + name + "\" already; replace it";
  }

  /** A name as stored in files, without unpaired surrogates. */
  private static String requireName(CharSequence document) {
    Objects.requireNonNull(document, "document");
    return new String(document.toString().getBytes(UTF_8), UTF_8);
  }

  private static void require(boolean sound, String problem) {
    if (!sound) {
      throw new IllegalArgumentException(problem);
    }
  }

  /** Builds and blinds the filter of a document under a new nonce, and only then takes the lock. */
  private void put(
      IndexKeys keys, String name, Iterable<? extends CharSequence> words, boolean isNew) {
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(words, "words");
    require(MessageDigest.isEqual(keys.check(), check), "wrong key: the keys are of another index");
    Set<String> distinct = new HashSet<>();
    for (CharSequence word : words) {
      distinct.add(Objects.requireNonNull(word, "word").toString());
      require(
          distinct.size() <= shape.maxWords(),
          "\"" + name + "\" has more than the " + shape.maxWords() + " words of a document");
    }
    byte[] own = new byte[NONCE_BYTES];
    random.nextBytes(own);
    long[] filter = new long[filterWords(shape)];
    try (Hmac hmac = new Hmac()) {
      for (String word : distinct) {
        for (byte[] code : keys.codes(word, hmac)) {
          set(filter, longs(hmac.of(code, own))[0]);
        }
      }
    }
    blind(filter, ((long) shape.maxWords() - distinct.size()) * shape.hashesPerWord());
    lock.writeLock().lock();
    try {
      require(!isNew || !documents.contains(name), already(name));
      documents.put(name, longs(own), filter);
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void set(long[] filter, long codeword) {
    long bit = Long.remainderUnsigned(codeword, shape.bits());
    filter[(int) (bit >>> 6)] |= 1L << bit;
  }

  /** Sets random bits, as many as missing words would. */
  private void blind(long[] filter, long bits) {
    byte[] batch = new byte[RANDOM_BATCH];
    for (long left = bits; left > 0; left -= RANDOM_BATCH / Long.BYTES) {
      random.nextBytes(batch);
      long[] drawn = longs(batch);
      for (int i = 0; i < Math.min(left, drawn.length); i++) {
        set(filter, drawn[i]);
      }
    }
  }

  /**
   * Removes a document.
   *
   * @param document its name
   * @return whether there was one
   * @throws IllegalStateException if the index is a mapped file
   */
  public boolean remove(CharSequence document) {
    String name = requireName(document);
    lock.writeLock().lock();
    try {
      return documents.remove(name);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /**
   * Whether there is a document of this name.
   *
   * @param document the name
   * @return true if it was added and not removed
   */
  public boolean contains(CharSequence document) {
    String name = requireName(document);
    lock.readLock().lock();
    try {
      return documents.contains(name);
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * The names of all documents.
   *
   * @return an unmodifiable copy; in the order in which they were added, until one is removed
   */
  public List<String> documents() {
    lock.readLock().lock();
    try {
      return List.copyOf(documents.names());
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * The documents that may contain a word: all that do, and others at the rate of the shape.
   *
   * @param trapdoor of the word, by the keys of this index
   * @return the names of documents, in the order of {@link #documents}
   * @throws IllegalArgumentException if it was made by the keys of another index
   */
  public List<String> search(IndexKeys.Trapdoor trapdoor) {
    Objects.requireNonNull(trapdoor, "trapdoor");
    require(isOwn(trapdoor), "wrong key: the trapdoor is of another index");
    List<String> found = new ArrayList<>();
    matches(
        trapdoor,
        row -> {
          found.add(documents.names().get(row));
          return false;
        });
    return found;
  }

  private boolean isOwn(IndexKeys.Trapdoor trapdoor) {
    return trapdoor.codes() == shape.hashesPerWord() && trapdoor.isOf(check);
  }

  /** Calls a predicate for each matching row until it returns true; returns whether it did. */
  private boolean matches(IndexKeys.Trapdoor trapdoor, IntPredicate found) {
    byte[][] codes = new byte[trapdoor.codes()][];
    Arrays.setAll(codes, trapdoor::code);
    lock.readLock().lock();
    try (Hmac hmac = new Hmac()) {
      for (int row = 0; row < documents.size(); row++) {
        if (isIn(row, codes, hmac) && found.test(row)) {
          return true;
        }
      }
      return false;
    } finally {
      lock.readLock().unlock();
    }
  }

  private boolean isIn(int row, byte[][] codes, Hmac hmac) {
    byte[] own = bytes(documents.nonce(row, 0), documents.nonce(row, 1));
    for (byte[] code : codes) {
      long bit = Long.remainderUnsigned(longs(hmac.of(code, own))[0], shape.bits());
      if (!documents.bit(row, bit)) {
        return false;
      }
    }
    return true;
  }

  /** {@inheritDoc} Here: whether the key is a trapdoor that some document matches. */
  @Override
  public boolean mightContain(byte[] key) {
    Objects.requireNonNull(key, "key");
    if (key.length != IndexKeys.Trapdoor.length(shape.hashesPerWord())) {
      return false;
    }
    IndexKeys.Trapdoor trapdoor = IndexKeys.Trapdoor.of(key);
    return isOwn(trapdoor) && matches(trapdoor, row -> true);
  }

  /** {@inheritDoc} Here: as for a whole array. */
  @Override
  public boolean mightContain(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return mightContain(Arrays.copyOfRange(bytes, offset, offset + length));
  }

  /** {@inheritDoc} Here: as for its UTF-8 bytes, which are almost never a trapdoor. */
  @Override
  public boolean mightContain(CharSequence key) {
    return mightContain(Objects.requireNonNull(key, "key").toString().getBytes(UTF_8));
  }

  /** {@inheritDoc} Here: absent, since no trapdoor has 8 bytes. */
  @Override
  public boolean mightContain(long key) {
    return false;
  }

  /** {@inheritDoc} Here: as for the bytes of its fields. */
  @Override
  public <T> boolean mightContain(T key, Funnel<? super T> funnel) {
    return mightContain(Funnel.Fields.bytesOf(key, funnel));
  }

  /**
   * {@inheritDoc} Here: the probability that some document matches the trapdoor of a word that none
   * has.
   */
  @Override
  public double falsePositiveRate() {
    lock.readLock().lock();
    try {
      double none = 1;
      for (int row = 0; row < documents.size(); row++) {
        // A mapped file may have bits beyond the last.
        double fill = Math.min(1, (double) documents.ones(row) / shape.bits());
        none *= 1 - Math.pow(fill, shape.hashesPerWord());
      }
      return 1 - none;
    } finally {
      lock.readLock().unlock();
    }
  }

  /** The words of a document's filter, for tests. */
  long[] filter(String document) {
    lock.readLock().lock();
    try {
      return documents.filter(document);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** {@inheritDoc} Here: those of the documents' filters. */
  @Override
  public long sizeInBits() {
    return documents().size() * shape.bits();
  }

  /**
   * A copy in heap memory that shares nothing with this index.
   *
   * @return an index with the same documents, writable even if this one is mapped
   */
  public SecureIndex copy() {
    lock.readLock().lock();
    try {
      return new SecureIndex(shape, nonce, check, random, documents.copy());
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public String toString() {
    return "SecureIndex[" + shape + ", " + documents().size() + " documents]";
  }
}
