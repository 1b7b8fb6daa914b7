package io.bloomery.cli;

import io.bloomery.AddableFilter;
import io.bloomery.Filters;
import io.bloomery.Storable;
import io.bloomery.format.FilterKind;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BankedBloomFilter;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomGFilter;
import io.bloomery.membership.SplitBlockBloomFilter;
import io.bloomery.membership.TwoChoiceBloomFilter;
import io.bloomery.plan.BankedShape;
import io.bloomery.plan.Shape;
import io.bloomery.plan.TwoChoiceShape;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The kinds of filters that {@code bloom build} makes from a number of keys and a rate or size. */
final class Kinds {

  /**
   * What a filter is made for.
   *
   * @param keys how many different keys, 1 or more
   * @param rate the promised rate, or 0 if the size is given
   * @param bits the size in bits, or 0 if the rate is given
   * @param blockBits the width of a block, or 0 for the best
   * @param hasher the hash function
   */
  record Wish(long keys, double rate, long bits, int blockBits, Hasher hasher) {}

  /**
   * An empty filter.
   *
   * @param filter takes the keys
   * @param storable the same, to be saved
   * @param shape the same, to be predicted
   */
  record Fresh(AddableFilter filter, Storable storable, Shape shape) {
    private static <F extends AddableFilter & Storable> Fresh of(F filter, Shape shape) {
      return new Fresh(filter, filter, shape);
    }
  }

  /** The kinds' names, for help and completion. */
  static final class Names implements Iterable<String> {
    /** For picocli. */
    Names() {}

    @Override
    public Iterator<String> iterator() {
      return offered().stream().map(recipe -> recipe.kind.name()).iterator();
    }
  }

  private record Recipe(FilterKind<?> kind, boolean takesBits, Function<Wish, Fresh> maker) {}

  private static final List<Recipe> RECIPES =
      List.of(
          new Recipe(BlockedBloomFilter.KIND, true, Kinds::blocked),
          new Recipe(BloomFilter.KIND, true, Kinds::bloom),
          new Recipe(SplitBlockBloomFilter.KIND, true, Kinds::splitBlock),
          new Recipe(BloomGFilter.KIND, true, Kinds::bloomG),
          new Recipe(TwoChoiceBloomFilter.KIND, false, Kinds::twoChoice),
          new Recipe(BankedBloomFilter.KIND, false, Kinds::banked));

  private Kinds() {}

  /** The kind that {@code build} makes unless told otherwise. */
  static String defaultName() {
    return BlockedBloomFilter.KIND.name();
  }

  /** Only what can be opened again is offered. */
  private static List<Recipe> offered() {
    return RECIPES.stream().filter(recipe -> Filters.kinds().contains(recipe.kind)).toList();
  }

  /** Fails, before anything is read, if this kind cannot be made from these options. */
  static void check(String name, boolean bits, boolean blockBits) {
    Recipe recipe = recipe(name);
    if (bits && !recipe.takesBits) {
      throw new Problem(
          "--bits-per-key does not go with kind %s; kinds that take it: %s"
              .formatted(name, names(offered().stream().filter(Recipe::takesBits).toList())));
    }
    if (blockBits && recipe.kind != BlockedBloomFilter.KIND) {
      throw new Problem("--block-bits goes with kind blocked only, not with " + name);
    }
  }

  /** An empty filter of the kind with this name. */
  static Fresh make(String name, Wish wish) {
    return recipe(name).maker.apply(wish);
  }

  private static Recipe recipe(String name) {
    List<Recipe> offered = offered();
    return offered.stream()
        .filter(recipe -> recipe.kind.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new Problem("--kind %s is not one of: %s".formatted(name, names(offered))));
  }

  private static String names(List<Recipe> recipes) {
    return recipes.stream().map(recipe -> recipe.kind.name()).collect(Collectors.joining(", "));
  }

  private static Fresh blocked(Wish wish) {
    BlockedBloomFilter.Builder builder =
        BlockedBloomFilter.builder()
            .expectedKeys(wish.keys)
            .blockBits(wish.blockBits)
            .hasher(wish.hasher)
            .shared(false);
    BlockedBloomFilter filter =
        (wish.bits > 0 ? builder.bits(wish.bits) : builder.falsePositiveRate(wish.rate)).build();
    return Fresh.of(filter, filter.shape());
  }

  private static Fresh bloom(Wish wish) {
    BloomFilter.Builder builder =
        BloomFilter.builder().expectedKeys(wish.keys).hasher(wish.hasher).shared(false);
    BloomFilter filter =
        (wish.bits > 0 ? builder.bits(wish.bits) : builder.falsePositiveRate(wish.rate)).build();
    return Fresh.of(filter, filter.shape());
  }

  private static Fresh splitBlock(Wish wish) {
    SplitBlockBloomFilter.Builder builder =
        SplitBlockBloomFilter.builder().hasher(wish.hasher).shared(false);
    if (wish.bits > 0) {
      builder.blocks(Math.max(1, wish.bits / 256));
    } else {
      builder.expectedKeys(wish.keys).falsePositiveRate(wish.rate);
    }
    SplitBlockBloomFilter filter = builder.build();
    return Fresh.of(filter, filter.shape());
  }

  private static Fresh bloomG(Wish wish) {
    BloomGFilter.Builder builder =
        BloomGFilter.builder().hasher(wish.hasher).expectedKeys(wish.keys).shared(false);
    if (wish.bits > 0) {
      builder.words(Math.max(1, wish.bits / Long.SIZE));
    } else {
      builder.falsePositiveRate(wish.rate);
    }
    BloomGFilter filter = builder.build();
    return Fresh.of(filter, filter.shape());
  }

  private static Fresh twoChoice(Wish wish) {
    TwoChoiceShape shape = TwoChoiceShape.forKeys(wish.keys, wish.rate);
    return Fresh.of(TwoChoiceBloomFilter.of(shape, wish.hasher), shape);
  }

  private static Fresh banked(Wish wish) {
    BankedShape shape = BankedShape.forKeys(wish.keys, wish.rate);
    return Fresh.of(BankedBloomFilter.of(shape, wish.hasher), shape);
  }
}
