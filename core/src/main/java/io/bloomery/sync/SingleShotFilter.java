package io.bloomery.sync;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Limits;
import io.bloomery.internal.probe.Mix;
import io.bloomery.membership.DirectBitSet;
import io.bloomery.membership.DirectShape;
import io.bloomery.sync.transport.Transport;
import io.bloomery.theory.DistributedMath;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * One Bloom filter with one hash per element, distributed over the processes of a group that trust
 * each other, that finds the elements that several of them have. Of s bits, process p of P owns
 * those from p·s/P to (p + 1)·s/P. To add elements, each process hashes and sorts its own and sends
 * the positions, Golomb-coded, to their owners; the owners answer which of them came from several
 * processes or were set before.
 *
 * <p>No duplicate is missed. An element that no other process has is marked falsely with
 * probability {@link DistributedMath#falseDuplicateRate}, about n/s; {@link #confirm} compares the
 * marked elements themselves. A position costs about log2(s·P/n) + 1.5 bits ({@link
 * DistributedMath#singleShotBits}): at s = 64·n on 8 processes 15 % of sending 8-byte hashes.
 *
 * <p>All methods except {@link #part} are collective: every process of the group must call the same
 * methods in the same order, with filters of equal size and seed; a process that does not is
 * reported as a {@link Transport.PeerException}.
 *
 * <p>It has no file format of its own: the part of a process is a {@link DirectBitSet}, which is
 * saved and opened like every filter, and {@link #resume} continues with it.
 *
 * <p>Sanders, Schlag and Müller 2013, "Communication efficient algorithms for fundamental big data
 * problems". Deviations: equal positions within a process do not cause a mark, because it can
 * compare the whole hashes, which leaves (P − 1)/P of the false marks; the order of senders is that
 * of the process numbers, not of time, so that results are reproducible; and the second filtering
 * step must have a <em>lower</em> rate than the first, where the encyclopedia article prints
 * "higher" twice.
 */
public final class SingleShotFilter {

  /** Which of several equal elements are marked. */
  public enum Marks {

    /** All of them: an unmarked element certainly occurs once. */
    ALL,

    /**
     * All but the first, in the order of processes and of elements within a process: the unmarked
     * elements contain every element exactly once, except those that are marked falsely.
     */
    LATER
  }

  private static final byte ADD = 1;
  private static final byte QUERY = 2;
  private static final byte ANSWER = 3;

  private static final double MAX_BITS_PER_ELEMENT = 1e9;

  /** The part of the heap that the own part of a filter may take if others decide its size. */
  private static final double HEAP_SHARE = 2;

  private final Transport transport;
  private final long bits;
  private final long seed;
  private final DirectBitSet part;
  private final Messages messages;

  private SingleShotFilter(Transport transport, long bits, long seed, DirectBitSet part) {
    this.transport = transport;
    this.bits = bits;
    this.seed = seed;
    this.part = part;
    this.messages = new Messages(bits, seed);
  }

  /**
   * This process's part of an empty filter.
   *
   * @param transport connects the processes
   * @param bits s, of all parts together; at least one for each process, at most 2^53
   * @return this process's part
   */
  public static SingleShotFilter create(Transport transport, long bits) {
    return create(transport, bits, 0);
  }

  /**
   * This process's part of an empty filter with another hash function.
   *
   * @param transport connects the processes
   * @param bits s, of all parts together; at least one for each process, at most 2^53
   * @param seed selects the function from hashes to positions; 0 takes the high bits
   * @return this process's part
   */
  public static SingleShotFilter create(Transport transport, long bits, long seed) {
    long own = checkedPart(transport, bits);
    return new SingleShotFilter(transport, bits, seed, DirectBitSet.create(new DirectShape(own)));
  }

  /**
   * Continues with a part that was saved.
   *
   * @param transport connects as many processes, and gives this one the same number
   * @param bits s, as before
   * @param seed as before
   * @param part the result of {@link #part}; not copied
   * @return this process's part
   * @throws IllegalArgumentException if the part has another size
   */
  public static SingleShotFilter resume(
      Transport transport, long bits, long seed, DirectBitSet part) {
    long own = checkedPart(transport, bits);
    if (part.shape().universe() != own) {
      throw new IllegalArgumentException(
          "the part has %d bits; process %d of %d owns %d of %d"
              .formatted(part.shape().universe(), transport.rank(), transport.size(), own, bits));
    }
    return new SingleShotFilter(transport, bits, seed, part);
  }

  private static long checkedPart(Transport transport, long bits) {
    Objects.requireNonNull(transport, "transport");
    Arguments.inRange("bits", bits, transport.size(), Limits.MAX_LOAD);
    int rank = transport.rank();
    long own = first(rank + 1, bits, transport.size()) - first(rank, bits, transport.size());
    Arguments.inRange("bits of a process", own, 1, Limits.MAX_BITS);
    return own;
  }

  /** ⌊p·s/P⌋ without overflow. */
  private static long first(int rank, long bits, int size) {
    return bits / size * rank + bits % size * rank / size;
  }

  private long first(int rank) {
    return first(rank, bits, transport.size());
  }

  /**
   * The bits that this process owns, in the form in which they are saved.
   *
   * @return the positions that are set, counted from the first that this process owns; not a copy
   */
  public DirectBitSet part() {
    return part;
  }

  /**
   * The size of the whole filter.
   *
   * @return s
   */
  public long sizeInBits() {
    return bits;
  }

  /**
   * Adds elements and marks those that may also occur elsewhere, among these elements or among
   * those that any process added before.
   *
   * @param hashes the hashes of this process's elements; may be empty, and may have duplicates
   * @param marks which of equal elements are marked; an element that was there before this call is
   *     always marked
   * @return the indexes of possible duplicates; other elements certainly are none
   * @throws Transport.PeerException if a process fails or violates the protocol
   * @throws IOException if the transport is closed
   */
  public BitSet add(long[] hashes, Marks marks) throws IOException {
    Objects.requireNonNull(marks, "marks");
    long[] mixed = mixed(hashes);
    long[] found = ask(positions(mixed), ADD, marks);
    BitSet marked = new BitSet(hashes.length);
    Set<Long> repeated = repeated(mixed);
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < hashes.length; i++) {
      long value = mix(hashes[i]);
      boolean again = repeated.contains(value) && (!seen.add(value) || marks == Marks.ALL);
      if (again || Arrays.binarySearch(found, Mix.reduce(value, bits)) >= 0) {
        marked.set(i);
      }
    }
    return marked;
  }

  /**
   * Looks up elements; each is sent to the process that owns its position.
   *
   * @param hashes the hashes of elements; may be empty
   * @return the indexes of those that are probably present; others are certainly absent
   * @throws Transport.PeerException if a process fails or violates the protocol
   * @throws IOException if the transport is closed
   */
  public BitSet mightContain(long[] hashes) throws IOException {
    long[] found = ask(positions(mixed(hashes)), QUERY, Marks.ALL);
    BitSet present = new BitSet(hashes.length);
    for (int i = 0; i < hashes.length; i++) {
      if (Arrays.binarySearch(found, Mix.reduce(mix(hashes[i]), bits)) >= 0) {
        present.set(i);
      }
    }
    return present;
  }

  private long mix(long hash) {
    return seed == 0 ? hash : Mix.mix(hash + seed * Mix.GOLDEN);
  }

  /** The hashes of this filter, sorted as unsigned numbers, which is the order of positions. */
  private long[] mixed(long[] hashes) {
    long[] mixed = new long[Objects.requireNonNull(hashes, "hashes").length];
    for (int i = 0; i < mixed.length; i++) {
      mixed[i] = mix(hashes[i]) ^ Long.MIN_VALUE;
    }
    Arrays.sort(mixed);
    for (int i = 0; i < mixed.length; i++) {
      mixed[i] ^= Long.MIN_VALUE;
    }
    return mixed;
  }

  /** The values that occur more than once in a sorted list. */
  private static Set<Long> repeated(long[] sorted) {
    Set<Long> repeated = new HashSet<>();
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        repeated.add(sorted[i]);
      }
    }
    return repeated;
  }

  /** The distinct positions of sorted hashes, in ascending order. */
  private long[] positions(long[] sorted) {
    long[] positions = new long[sorted.length];
    int count = 0;
    for (long value : sorted) {
      long position = Mix.reduce(value, bits);
      if (count == 0 || positions[count - 1] != position) {
        positions[count++] = position;
      }
    }
    return Arrays.copyOf(positions, count);
  }

  /** Sends positions to their owners; returns those that the owners report, in ascending order. */
  private long[] ask(long[] positions, byte tag, Marks marks) throws IOException {
    int size = transport.size();
    int[] from = new int[size + 1];
    byte[][] requests = new byte[size][];
    for (int owner = 0; owner < size; owner++) {
      int end = from[owner];
      while (end < positions.length && positions[end] < first(owner + 1)) {
        positions[end] -= first(owner);
        end++;
      }
      from[owner + 1] = end;
      requests[owner] =
          messages.encode(tag, Arrays.copyOfRange(positions, from[owner], end), universe(owner));
    }
    byte[][] received = transport.exchange(requests);
    long[][] lists = new long[size][];
    for (int sender = 0; sender < size; sender++) {
      lists[sender] = messages.decode(sender, received[sender], tag, universe(transport.rank()));
    }
    long[][] answers = tag == QUERY ? present(lists) : collisions(lists, marks);
    byte[][] replies = new byte[size][];
    for (int sender = 0; sender < size; sender++) {
      replies[sender] = messages.encode(ANSWER, answers[sender], Math.max(1, lists[sender].length));
    }
    byte[][] answered = transport.exchange(replies);
    long[] found = new long[positions.length];
    int count = 0;
    for (int owner = 0; owner < size; owner++) {
      int sent = from[owner + 1] - from[owner];
      for (long index : messages.decode(owner, answered[owner], ANSWER, Math.max(1, sent))) {
        if (index >= sent) {
          throw new Transport.PeerException(owner, "answered for a position that it was not sent");
        }
        found[count++] = positions[from[owner] + (int) index] + first(owner);
      }
    }
    return Arrays.copyOf(found, count);
  }

  private long universe(int owner) {
    return first(owner + 1) - first(owner);
  }

  /** Which of the positions in each list are set, as indexes of the list. */
  private long[][] present(long[][] lists) {
    long[][] answers = new long[lists.length][];
    for (int sender = 0; sender < lists.length; sender++) {
      answers[sender] = where(lists[sender], part::contains);
    }
    return answers;
  }

  /** Sets all positions; returns those that were set before or are in several lists. */
  private long[][] collisions(long[][] lists, Marks marks) {
    long[][] answers = new long[lists.length][];
    for (int sender = 0; sender < lists.length; sender++) {
      answers[sender] = where(lists[sender], position -> !part.add(position));
    }
    if (marks == Marks.LATER) {
      return answers;
    }
    long[] collided = collided(lists, answers);
    for (int sender = 0; sender < lists.length; sender++) {
      answers[sender] =
          where(lists[sender], position -> Arrays.binarySearch(collided, position) >= 0);
    }
    return answers;
  }

  /** The positions that the answers mean, sorted. */
  private static long[] collided(long[][] lists, long[][] answers) {
    long[] collided = new long[Arrays.stream(answers).mapToInt(list -> list.length).sum()];
    int count = 0;
    for (int sender = 0; sender < lists.length; sender++) {
      for (long index : answers[sender]) {
        collided[count++] = lists[sender][(int) index];
      }
    }
    Arrays.sort(collided);
    return collided;
  }

  private interface Test {
    boolean holds(long position);
  }

  private static long[] where(long[] list, Test test) {
    long[] indexes = new long[list.length];
    int count = 0;
    for (int i = 0; i < list.length; i++) {
      if (test.holds(list[i])) {
        indexes[count++] = i;
      }
    }
    return Arrays.copyOf(indexes, count);
  }

  /**
   * Compares elements that were marked: each goes to the process that owns its position, where
   * equal ones meet. For a correct answer, all of several equal elements must be marked, as {@link
   * Marks#ALL} does.
   *
   * @param elements this process's elements, whose hashes were added
   * @param hashes their hashes
   * @param marked which of them to compare
   * @param marks which of equal elements are to be marked in the end
   * @return the indexes of duplicates, without error
   * @throws Transport.PeerException if a process fails or violates the protocol
   * @throws IOException if the transport is closed
   */
  public BitSet confirm(List<byte[]> elements, long[] hashes, BitSet marked, Marks marks)
      throws IOException {
    Objects.requireNonNull(marks, "marks");
    if (elements.size() != hashes.length) {
      throw new IllegalArgumentException(
          elements.size() + " elements and " + hashes.length + " hashes");
    }
    Comparison comparison = new Comparison(transport, messages);
    for (int i = marked.nextSetBit(0); i >= 0; i = marked.nextSetBit(i + 1)) {
      Objects.checkIndex(i, hashes.length);
      comparison.add(i, elements.get(i), owner(Mix.reduce(mix(hashes[i]), bits)));
    }
    return comparison.run(marks);
  }

  private int owner(long position) {
    int owner = (int) (position / Math.max(1, bits / transport.size()));
    owner = Math.min(owner, transport.size() - 1);
    while (position < first(owner)) {
      owner--;
    }
    while (position >= first(owner + 1)) {
      owner++;
    }
    return owner;
  }

  /**
   * Finds possible duplicates in one or several steps, each with its own hash function and only on
   * the elements that the previous step marked. A coarse first step leaves few elements for a finer
   * second one, which together send less than one fine step. More than two steps gain little.
   *
   * @param transport connects the processes
   * @param hashes the hashes of this process's elements
   * @param marks which of equal elements are marked
   * @param bitsPerElement the size of each step's filter, in bits per element that takes part in
   *     it; rising, about the inverse of its rate
   * @return the indexes of possible duplicates; other elements certainly are none
   * @throws Transport.PeerException if a process fails or violates the protocol, or claims to have
   *     so many elements that this process's part of the filter takes more than half of the heap
   * @throws IOException if the transport is closed
   */
  public static BitSet findDuplicates(
      Transport transport, long[] hashes, Marks marks, double... bitsPerElement)
      throws IOException {
    Objects.requireNonNull(marks, "marks");
    Arguments.inRange("steps", bitsPerElement.length, 1, 16);
    BitSet candidates = new BitSet(hashes.length);
    candidates.set(0, hashes.length);
    for (int step = 0; step < bitsPerElement.length; step++) {
      Arguments.inRange("bitsPerElement", bitsPerElement[step], 1, MAX_BITS_PER_ELEMENT);
      double most = Runtime.getRuntime().maxMemory() / HEAP_SHARE * Byte.SIZE * transport.size();
      long total =
          Messages.total(transport, candidates.cardinality(), (long) (most / bitsPerElement[step]));
      long bits =
          Math.max(transport.size(), (long) Math.ceil(bitsPerElement[step] * (double) total));
      boolean last = step == bitsPerElement.length - 1;
      long[] left = candidates.stream().mapToLong(i -> hashes[i]).toArray();
      BitSet marked = create(transport, bits, step).add(left, last ? marks : Marks.ALL);
      BitSet next = new BitSet(hashes.length);
      int at = 0;
      for (int i = candidates.nextSetBit(0); i >= 0; i = candidates.nextSetBit(i + 1)) {
        next.set(i, marked.get(at++));
      }
      candidates = next;
    }
    return candidates;
  }
}
