package io.bloomery.internal.frame;

import io.bloomery.FilterFormatException;
import io.bloomery.FilterKind;
import io.bloomery.FrameHeader;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The contents of one frame, independent of its bytes: a hasher (or none), named numbers, and
 * sections of words. An encoder fills it with {@link #put} and {@link #section(Words)}; a decoder
 * parses it with checks, numbers before words, so that nothing is allocated for an impossible
 * shape. A decoder reads every number and every section that its encoder writes: a frame with more
 * is rejected. A frame that was filled here can also be decoded, which passes bits from one kind to
 * another without copying.
 */
public final class Frame {

  /** Delivers all sections, checked, when the decoder first reads one. */
  interface SectionSource {
    List<Words> load() throws IOException;
  }

  /** The purpose of a frame's words. */
  enum Purpose {
    /** Words of this process, known to be valid for their kind. */
    TRUSTED,
    /** A mapped file, whose words are not read until a query needs them. */
    MAPPED,
    /** A filter on the heap. */
    LOADED,
    /** Verification only; the decoded filter is discarded. */
    VERIFIED
  }

  private final @Nullable Hasher hasher;
  private final Map<String, Number> numbers;
  private final List<Words> sections = new ArrayList<>();

  // Only for a frame that was read.
  private final @Nullable FrameHeader header;
  private final @Nullable SectionSource source;
  private final String origin;
  private final long budget;
  private final Purpose purpose;
  private final Set<String> usedNumbers = new HashSet<>();
  private final Set<Integer> usedSections = new HashSet<>();

  private Frame(
      @Nullable Hasher hasher,
      Map<String, Number> numbers,
      @Nullable FrameHeader header,
      @Nullable SectionSource source,
      String origin,
      long budget,
      Purpose purpose) {
    this.hasher = hasher;
    this.numbers = numbers;
    this.header = header;
    this.source = source;
    this.origin = origin;
    this.budget = budget;
    this.purpose = purpose;
    if (header != null && header.nonce().isPresent()) {
      usedNumbers.addAll(FrameHeader.NONCE_FIELDS); // the reader of the header has checked them
    }
  }

  /** An empty frame; {@code hasher} is null for a kind that hashes nothing. */
  public static Frame of(@Nullable Hasher hasher) {
    return new Frame(
        hasher, new LinkedHashMap<>(), null, null, "frame", Long.MAX_VALUE, Purpose.TRUSTED);
  }

  /** A snapshot of a filter: its fields and its words, which are not copied. */
  public static Frame encode(Storable filter) {
    return ((Kind<?>) filter.kind()).encode(filter);
  }

  /** The filter of this frame, if it is of a given kind. */
  public <F extends Storable> F decodeAs(FilterKind<F> kind) throws IOException {
    return Objects.requireNonNull(verifyAs(kind), "only verified");
  }

  /** The same, or null if the frame is only verified and its kind then decodes nothing. */
  <F extends Storable> @Nullable F verifyAs(FilterKind<F> kind) throws IOException {
    return ((Kind<F>) kind).decode(this);
  }

  /** The filter that is a part of this one: its shape, and the section with all its bits. */
  public <F extends Storable> F decodePart(FilterKind<F> kind, Record shape, int index, long bits)
      throws IOException {
    return part().put(shape).section(bits(index, bits)).decodeAs(kind);
  }

  /** A frame that was read; sections come from {@code source} when one is first read. */
  static Frame read(
      FrameHeader header,
      @Nullable Hasher hasher,
      SectionSource source,
      String origin,
      long budget,
      Purpose purpose) {
    return new Frame(hasher, header.numbers(), header, source, origin, budget, purpose);
  }

  /** An empty frame for a filter that is a part of this one; its words are checked as these are. */
  public Frame part() {
    return new Frame(hasher, new LinkedHashMap<>(), null, null, "frame", budget, purpose);
  }

  /** Adds a whole number. */
  public Frame put(String name, long value) {
    numbers.put(name, value);
    return this;
  }

  /** Adds a real number. */
  public Frame put(String name, double value) {
    numbers.put(name, value);
    return this;
  }

  /** Adds the components of a record, mostly a shape, as {@link ShapeFields} names them. */
  public Frame put(Record fields) {
    ShapeFields.put(this, fields);
    return this;
  }

  /** Adds a section of words; not copied. */
  public Frame section(Words words) {
    sections.add(words);
    return this;
  }

  /** The header under which this frame is written. */
  FrameHeader header(FilterKind<?> kind) {
    return new FrameHeader(
        FrameHeader.VERSION,
        kind,
        hasher == null ? 0 : hasher.wireId(),
        hasher == null ? 0 : hasher.seedOrKeyCheck(),
        numbersWithNonce(),
        sections.stream().map(Words::length).toList(),
        FrameHeader.Description.NONE);
  }

  private Map<String, Number> numbersWithNonce() {
    byte[] nonce = hasher == null ? null : hasher.nonce().orElse(null);
    if (nonce == null) {
      return numbers;
    }
    Map<String, Number> all = new LinkedHashMap<>(numbers);
    ByteBuffer bytes = ByteBuffer.wrap(nonce).order(ByteOrder.LITTLE_ENDIAN);
    FrameHeader.NONCE_FIELDS.forEach(name -> all.put(name, bytes.getLong()));
    return all;
  }

  /** The sections of a frame to write. */
  public List<Words> sections() {
    return sections;
  }

  /** The names of all numbers, in their order. */
  public List<String> names() {
    return List.copyOf(numbers.keySet());
  }

  /** The number of a name, a {@code Long} or a {@code Double}; null if there is none. */
  public @Nullable Number get(String name) {
    return numbers.get(name);
  }

  /** The hasher of a kind that hashes keys. */
  public Hasher hasher() {
    return Objects.requireNonNull(hasher, "a kind without a hasher");
  }

  /** The hasher, or null for a kind that hashes nothing. */
  @Nullable Hasher hasherOrNull() {
    return hasher;
  }

  /** A required integer within {@code min…max}. */
  public long number(String name, long min, long max) throws FilterFormatException {
    usedNumbers.add(name);
    if (!(numbers.get(name) instanceof Long value)) {
      throw problem("whole number \"" + name + "\" is missing");
    }
    if (value < min || value > max) {
      throw problem(name, Arguments.outside(name, value, min, max));
    }
    return value;
  }

  /** A required real number within {@code min…max}. */
  public double real(String name, double min, double max) throws FilterFormatException {
    usedNumbers.add(name);
    if (!(numbers.get(name) instanceof Double value)) {
      throw problem("real number \"" + name + "\" is missing");
    }
    if (!(value >= min && value <= max)) {
      throw problem(name, Arguments.outside(name, value, min, max));
    }
    return value;
  }

  /** A record whose components are required and accepted by its constructor. */
  public <R extends Record> R shape(Class<R> type) throws FilterFormatException {
    return ShapeFields.read(this, type);
  }

  /** Builds an object from the fields; an argument that it rejects is a defect of the fields. */
  public <T> T make(Supplier<T> maker) throws FilterFormatException {
    try {
      return maker.get();
    } catch (IllegalArgumentException e) {
      throw problem(e.getMessage());
    }
  }

  /** The words of section {@code index}, which must hold exactly {@code words} of them. */
  public Words section(int index, long words) throws IOException {
    int count = sectionCount();
    if (index >= count) {
      throw problem("section " + index + " is missing; there are " + count);
    }
    long found = sectionWords(index);
    if (found != words) {
      throw new FilterFormatException(
          origin,
          HeaderCodec.SECTIONS_AT + (long) index * Long.BYTES,
          "section " + index + " has " + found + " words; the shape needs " + words);
    }
    usedSections.add(index);
    if (sections.isEmpty() && source != null) {
      sections.addAll(source.load());
    }
    return sections.get(index);
  }

  /** The words of section {@code index}, in any number, for a kind that passes them on. */
  public Words section(int index) throws IOException {
    return section(index, index < sectionCount() ? sectionWords(index) : 0);
  }

  private int sectionCount() {
    return header == null ? sections.size() : header.sectionWords().size();
  }

  private long sectionWords(int index) {
    return header == null ? sections.get(index).length() : header.sectionWords().get(index);
  }

  /** Section {@code index} as {@code bits} bits; those that fill up the last word must be zero. */
  public Words bits(int index, long bits) throws IOException {
    Words words = section(index, Words.wordsFor(bits));
    int used = (int) (bits & (Long.SIZE - 1));
    if (used != 0 && words.get(words.length() - 1) >>> used != 0) {
      throw problem("section " + index + " has bits beyond the " + bits + " of the shape");
    }
    return words;
  }

  /**
   * Section {@code index} as counters that leave no room for another in any but the last word. Bits
   * outside counters must be zero; in a mapped file only the last word is checked.
   */
  public Counters counters(int index, long count, int width, boolean sticky) throws IOException {
    Words words = section(index, Counters.wordsFor(count, width));
    int used = (int) ((count - 1) % (Long.SIZE / width) + 1) * width;
    if (count > 0 && used != Long.SIZE && words.get(words.length() - 1) >>> used != 0) {
      throw problem("section " + index + " has bits beyond its " + count + " counters");
    }
    Counters counters = new Counters(words, count, width, sticky);
    requireOfWords(
        counters::isClean, "section " + index + " has bits that belong to none of its counters");
    return counters;
  }

  /**
   * Throws if a decoder that needs more memory than its sections would exceed the reader's budget
   * by more than the page through which every frame is read. Call it before allocating that memory.
   */
  public void requireMemory(long bytes) throws FilterFormatException {
    if (bytes - FrameHeader.PAGE_BYTES > budget) {
      throw problem("decoded it takes " + bytes + " bytes; the budget is " + budget);
    }
  }

  /**
   * Throws if sections on the heap and what is made of them would together take more than the heap
   * is meant for, or than the reader's budget if that is larger. For decoders that copy their
   * sections; call it before reading them.
   *
   * @param decodedBytes what is allocated beside the sections
   */
  public void requireHeap(long decodedBytes) throws FilterFormatException {
    long needed = (header == null ? 0 : header.payloadBytes()) + decodedBytes;
    long most = Math.max(budget, Memory.budget());
    if (purpose == Purpose.LOADED && needed > most) {
      throw problem("reading it takes " + needed + " bytes; " + most + " are available");
    }
  }

  /** A defect of the fields, for checks that span several of them. */
  public FilterFormatException problem(@Nullable String what) {
    return new FilterFormatException(origin, fieldsOffset(), String.valueOf(what));
  }

  /** A defect of one field. */
  FilterFormatException problem(String name, String what) {
    return new FilterFormatException(origin, offsetOf(name), what);
  }

  /** Throws unless a condition on the fields holds, for rules that their shape does not check. */
  public void require(boolean sound, String problem) throws FilterFormatException {
    if (!sound) {
      throw problem(problem);
    }
  }

  /** Returns the value; throws if it is null. */
  public <T> T present(@Nullable T value, String problem) throws FilterFormatException {
    if (value == null) {
      throw problem(problem);
    }
    return value;
  }

  /** Whether all words must be checked against every rule of their kind. */
  public boolean isThorough() {
    return purpose == Purpose.LOADED || purpose == Purpose.VERIFIED;
  }

  /** Whether the frame is only checked: a decoder that takes memory for more may return null. */
  public boolean isOnlyVerified() {
    return purpose == Purpose.VERIFIED;
  }

  /** Throws unless a condition on words holds, if all words must be checked. */
  public void requireOfWords(BooleanSupplier sound, String problem) throws FilterFormatException {
    require(!isThorough() || sound.getAsBoolean(), problem);
  }

  private long fieldsOffset() {
    return header == null ? 0 : header.fieldsOffset();
  }

  /** Throws if the decoder left a number or a section unread. */
  public void checkAllUsed() throws FilterFormatException {
    for (String name : numbers.keySet()) {
      if (!usedNumbers.contains(name)) {
        throw problem(name, kind() + " has no field \"" + name + '"');
      }
    }
    if (usedSections.size() < sectionCount()) {
      throw problem(
          "%d sections; %s has %d".formatted(sectionCount(), kind(), usedSections.size()));
    }
  }

  private String kind() {
    return header == null ? "its kind" : "kind " + header.kind();
  }

  private long offsetOf(String name) {
    long offset = fieldsOffset();
    for (String before : numbers.keySet()) {
      if (before.equals(name)) {
        break;
      }
      offset += FrameHeader.fieldBytes(before);
    }
    return offset;
  }
}
