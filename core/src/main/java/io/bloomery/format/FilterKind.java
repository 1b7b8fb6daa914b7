package io.bloomery.format;

import io.bloomery.Filter;
import io.bloomery.Storable;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.FrameDecoder;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One kind of filter: its number in files, its name, and how its state becomes a frame and back.
 *
 * @param <F> the filter's class
 */
public final class FilterKind<F extends Filter & Storable> {

  private final int id;
  private final String name;
  private final String question;
  private final Class<F> type;
  private final Function<? super F, Frame> encoder;
  private final FrameDecoder<F> decoder;
  private final Supplier<FilterRecipe<?>> recipe;

  /**
   * Describes a kind. For the library's own filters: the frame types are not exported.
   *
   * @param id the number in files, 1…65535, never used for anything else again
   * @param name the short name, lower case, for command lines and messages
   * @param question what the filter answers, in a few words
   * @param type the filter's class
   * @param encoder takes a snapshot of a filter
   * @param decoder rebuilds a filter from a frame
   * @param recipe gives how a filter is made of keys, or why it cannot be; asked when it is needed
   */
  @SuppressWarnings("exports")
  public FilterKind(
      int id,
      String name,
      String question,
      Class<F> type,
      Function<? super F, Frame> encoder,
      FrameDecoder<F> decoder,
      Supplier<FilterRecipe<?>> recipe) {
    if (id < 1 || id > 0xFFFF) {
      throw new IllegalArgumentException("id " + id + " is not within 1…65535");
    }
    this.id = id;
    this.name = Objects.requireNonNull(name, "name");
    this.question = Objects.requireNonNull(question, "question");
    this.type = Objects.requireNonNull(type, "type");
    this.encoder = Objects.requireNonNull(encoder, "encoder");
    this.decoder = Objects.requireNonNull(decoder, "decoder");
    this.recipe = Objects.requireNonNull(recipe, "recipe");
  }

  /**
   * The number that stands for this kind in files.
   *
   * @return 1…65535
   */
  public int id() {
    return id;
  }

  /**
   * The short name, as command lines and messages use it.
   *
   * @return lower case words joined by hyphens
   */
  public String name() {
    return name;
  }

  /**
   * What a filter of this kind answers.
   *
   * @return a few words
   */
  public String question() {
    return question;
  }

  /**
   * The filter's class.
   *
   * @return a final class
   */
  public Class<F> type() {
    return type;
  }

  /**
   * How a filter of this kind is made of keys, or why it cannot be.
   *
   * @return the recipe
   */
  public FilterRecipe<?> recipe() {
    return recipe.get();
  }

  /**
   * A snapshot of a filter of this kind.
   *
   * @param filter a filter of class {@link #type()}
   * @return its fields and words
   */
  @SuppressWarnings("exports")
  public Frame encode(Storable filter) {
    return encoder.apply(type.cast(filter));
  }

  /**
   * The filter that a frame holds.
   *
   * @param frame fields and words
   * @return the filter
   * @throws io.bloomery.FilterFormatException if the fields contradict each other
   * @throws java.io.IOException if the words cannot be read
   */
  @SuppressWarnings("exports")
  public F decode(Frame frame) throws java.io.IOException {
    return decoder.decode(frame);
  }

  @Override
  public String toString() {
    return name + " (" + id + ")";
  }
}
