package io.bloomery.internal.frame;

import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.Variant;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A kind of filter with its codec: how its state is encoded in a frame and decoded, which the
 * public interface of a kind does not expose.
 *
 * @param <F> the filter's class
 */
public final class Kind<F extends Storable> implements FilterKind<F> {

  private final int id;
  private final String name;
  private final String question;
  private final Class<F> type;
  private final Function<? super F, Frame> encoder;
  private final FrameDecoder<F> decoder;
  private final @Nullable WordAccess<F, ?> words;
  private final Supplier<List<Variant>> variants;
  private final @Nullable String refusal;
  private final boolean hashed;
  private final Set<Need> meets;
  private final @Nullable String derivedKeys;
  private @Nullable List<Variant> stated;

  private Kind(Builder<F> facts, Supplier<List<Variant>> variants, @Nullable String refusal) {
    this.id = Arguments.inRange("id", facts.id, 1, 0xFFFF);
    this.name = Objects.requireNonNull(facts.name, "name");
    this.question = Objects.requireNonNull(facts.question, "question");
    this.type = Objects.requireNonNull(facts.type, "type");
    this.encoder = Objects.requireNonNull(facts.encoder, "encoder");
    this.decoder = Objects.requireNonNull(facts.decoder, "decoder");
    this.words = facts.words;
    this.meets = Set.copyOf(facts.meets);
    this.hashed = facts.hashed || HashedFilter.class.isAssignableFrom(type);
    this.derivedKeys = facts.derivedKeys;
    this.variants = variants;
    this.refusal = refusal;
  }

  /**
   * Starts the description of a kind.
   *
   * @param id the number in files, 1…65535, never reused
   * @param name the short name, lower case, for command lines and messages
   * @param type the filter's class
   * @param <F> the filter's class
   * @return a builder for the rest; {@code variants} or {@code unplanned} completes it
   */
  public static <F extends Storable> Builder<F> of(int id, String name, Class<F> type) {
    return new Builder<>(id, name, type);
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String question() {
    return question;
  }

  @Override
  public Class<F> type() {
    return type;
  }

  @Override
  public boolean isHashed() {
    return hashed;
  }

  @Override
  public synchronized List<Variant> variants() {
    if (stated == null) {
      stated = List.copyOf(variants.get());
    }
    return stated;
  }

  @Override
  public Set<Need> meets() {
    return meets;
  }

  @Override
  public Optional<String> refusal() {
    return Optional.ofNullable(refusal);
  }

  @Override
  public Optional<String> derivedKeys() {
    return Optional.ofNullable(derivedKeys);
  }

  /** A snapshot of a filter of this kind: its fields and words. */
  Frame encode(Storable filter) {
    return encoder.apply(type.cast(filter));
  }

  /** Decodes the filter in a frame. */
  @Nullable F decode(Frame frame) throws IOException {
    return decoder.decode(frame);
  }

  /** The words of its filters, for packages whose filters are built on them. */
  WordAccess<F, ?> words() {
    if (words == null) {
      throw new IllegalStateException(this + " does not share its words");
    }
    return words;
  }

  @Override
  public String toString() {
    return name + " (" + id + ")";
  }

  /**
   * Builds the description of a kind.
   *
   * @param <F> the filter's class
   */
  public static final class Builder<F extends Storable> {
    private final int id;
    private final String name;
    private final Class<F> type;
    private @Nullable String question;
    private @Nullable Function<? super F, Frame> encoder;
    private @Nullable FrameDecoder<F> decoder;
    private @Nullable WordAccess<F, ?> words;
    private boolean hashed;
    private @Nullable String derivedKeys;
    private final Set<Need> meets = EnumSet.noneOf(Need.class);

    private Builder(int id, String name, Class<F> type) {
      this.id = id;
      this.name = name;
      this.type = type;
    }

    /**
     * The question that a filter of this kind answers.
     *
     * @param question a few words
     * @return this
     */
    public Builder<F> question(String question) {
      this.question = question;
      return this;
    }

    /**
     * How its state is stored.
     *
     * @param encoder takes a snapshot of a filter
     * @param decoder rebuilds a filter from a frame
     * @return this
     */
    public Builder<F> codec(Function<? super F, Frame> encoder, FrameDecoder<F> decoder) {
      this.encoder = encoder;
      this.decoder = decoder;
      return this;
    }

    /**
     * Shares the words of its filters with the other packages of this module, by {@link
     * WordAccess}.
     *
     * @param words the words of a filter, not copied
     * @param shape the class of shapes
     * @param maker a filter over given words
     * @param <S> the class of shapes
     * @return this
     */
    public <S extends Record> Builder<F> sharesWords(
        Function<F, Words> words, Class<S> shape, WordAccess.Maker<F, S> maker) {
      this.words = new WordAccess<>(words, shape, maker);
      return this;
    }

    /**
     * Files name a hash function although the class is not a {@link HashedFilter}: it does not
     * represent its input by one hash, but hashes parts of it.
     *
     * @return this
     */
    public Builder<F> hashesParts() {
      this.hashed = true;
      return this;
    }

    /**
     * Keys are not the user's own, but computed from them with a secret.
     *
     * @param keys a plural noun for them
     * @return this
     */
    public Builder<F> derivedKeys(String keys) {
      this.derivedKeys = keys;
      return this;
    }

    /**
     * Completes a kind that the planner supports.
     *
     * @param variants supplies the variants when they are first needed
     * @return the kind
     */
    public FilterKind<F> variants(Supplier<List<Variant>> variants) {
      Objects.requireNonNull(variants, "variants");
      return new Kind<>(this, variants, null);
    }

    /**
     * Needs that a kind without variants meets, so that the planner can mention it where it has no
     * plan.
     *
     * @param needs what it can do
     * @return this
     */
    public Builder<F> meets(Need... needs) {
      meets.addAll(List.of(needs));
      return this;
    }

    /**
     * Completes a kind that the planner does not support.
     *
     * @param refusal why, as the end of a sentence that begins with its name
     * @return the kind
     */
    public FilterKind<F> unplanned(String refusal) {
      Objects.requireNonNull(refusal, "refusal");
      return new Kind<>(this, List::of, refusal);
    }
  }
}
