package io.bloomery.similarity;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;

/**
 * The parameters of a {@link NoveltyFilter}.
 *
 * @param inputs d, the receptor types whose firing rates are an odour, 1 … 65536
 * @param tags M, the cells that respond to odours, 1 … 2^24
 * @param inputsPerTag how many distinct inputs each of them sums up, 1 … 255 and at most inputs
 * @param activeTags how many of them, those of the highest sums, are the tag of an odour, 1 … tags
 * @param decay the factor applied to the weight of an active tag when an odour is learnt, 0 … 1;
 *     with 0 a learnt odour has no novelty left
 * @param recovery the amount added to the weight of every other tag at each step, up to a weight of
 *     1; 0 … 1
 * @param threshold an odour below this novelty is familiar, 0 … 1
 */
public record NoveltyShape(
    @FieldName("inputs") int inputs,
    @FieldName("tags") int tags,
    @FieldName("inputs per tag") int inputsPerTag,
    @FieldName("active tags") int activeTags,
    @FieldName("decay") double decay,
    @FieldName("recovery") double recovery,
    @FieldName("threshold") double threshold) {

  /** The most inputs. */
  public static final int MAX_INPUTS = 1 << 16;

  /** The most tags. */
  public static final int MAX_TAGS = 1 << 24;

  /** The most inputs of a tag. */
  public static final int MAX_INPUTS_PER_TAG = 255;

  public NoveltyShape {
    Arguments.inRange("inputs", inputs, 1, MAX_INPUTS);
    Arguments.inRange("tags", tags, 1, MAX_TAGS);
    Arguments.inRange("inputsPerTag", inputsPerTag, 1, Math.min(inputs, MAX_INPUTS_PER_TAG));
    Arguments.inRange("activeTags", activeTags, 1, tags);
    Arguments.inRange("decay", decay, 0, 1);
    Arguments.inRange("recovery", recovery, 0, 1);
    Arguments.inRange("threshold", threshold, 0, 1);
  }

  /**
   * The fruit fly: 50 receptor types, 2,000 Kenyon cells of 6 inputs each, 5 % of which respond; an
   * odour is familiar if its novelty is below half that of an unknown one.
   *
   * @param decay see the record
   * @param recovery see the record
   * @return the shape
   */
  public static NoveltyShape fly(double decay, double recovery) {
    return new NoveltyShape(50, 2_000, 6, 100, decay, recovery, 0.5);
  }
}
