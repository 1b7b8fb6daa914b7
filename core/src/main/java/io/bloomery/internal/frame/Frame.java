package io.bloomery.internal.frame;

import io.bloomery.FilterFormatException;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one frame holds, apart from its bytes: a hasher (or none), named numbers, and sections of
 * words. An encoder fills one with {@link #put} and {@link #section(Words)}; a decoder takes it
 * apart with checks, numbers before words, so that nothing is allocated for a shape that cannot be.
 */
public final class Frame {

  /** Delivers the words of a section after the decoder has said how many it expects. */
  interface SectionSource {
    Words load(int index) throws IOException;
  }

  private final Hasher hasher;
  private final Map<String, Object> numbers = new LinkedHashMap<>();
  private final List<Words> sections = new ArrayList<>();
  private long[] sectionLengths;
  private SectionSource source;
  private String origin = "frame";
  private long fieldsOffset;

  private Frame(Hasher hasher) {
    this.hasher = hasher;
  }

  /** An empty frame; {@code hasher} is null for a kind that hashes nothing. */
  public static Frame of(Hasher hasher) {
    return new Frame(hasher);
  }

  /** A frame that was read; sections come from {@code source} when asked for. */
  static Frame read(
      Hasher hasher,
      Map<String, Object> numbers,
      long[] sectionLengths,
      SectionSource source,
      String origin,
      long fieldsOffset) {
    Frame frame = new Frame(hasher);
    frame.numbers.putAll(numbers);
    frame.sectionLengths = sectionLengths.clone();
    frame.source = source;
    frame.origin = origin;
    frame.fieldsOffset = fieldsOffset;
    return frame;
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

  /** Adds a section of words; not copied. */
  public Frame section(Words words) {
    sections.add(words);
    return this;
  }

  /** All numbers in the order they were put, each a {@code Long} or a {@code Double}. */
  Map<String, Object> numbers() {
    return numbers;
  }

  /** The sections of a frame that is to be written. */
  List<Words> sections() {
    return sections;
  }

  /** The hasher, or null for a kind that hashes nothing. */
  public Hasher hasher() {
    return hasher;
  }

  /** A whole number that must be there and within {@code min…max}. */
  public long number(String name, long min, long max) throws FilterFormatException {
    if (!(numbers.get(name) instanceof Long value)) {
      throw problem("whole number \"" + name + "\" is missing");
    }
    if (value < min || value > max) {
      throw problem(name + " is " + value + "; it must be within " + min + "…" + max);
    }
    return value;
  }

  /** A real number that must be there and within {@code min…max}. */
  public double real(String name, double min, double max) throws FilterFormatException {
    if (!(numbers.get(name) instanceof Double value)) {
      throw problem("real number \"" + name + "\" is missing");
    }
    if (!(value >= min && value <= max)) {
      throw problem(name + " is " + value + "; it must be within " + min + "…" + max);
    }
    return value;
  }

  /** The words of section {@code index}, which must hold exactly {@code words} of them. */
  public Words section(int index, long words) throws IOException {
    if (index >= sectionLengths.length) {
      throw problem("section " + index + " is missing; there are " + sectionLengths.length);
    }
    if (sectionLengths[index] != words) {
      throw problem(
          "section " + index + " has " + sectionLengths[index] + " words; the shape needs " + words);
    }
    return source.load(index);
  }

  /** A defect of the fields, for checks that span several of them. */
  public FilterFormatException problem(String what) {
    return new FilterFormatException(origin, fieldsOffset, what);
  }
}
