package io.bloomery;

import io.bloomery.plan.Need;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Describes one kind of filter: its number in files, its name and the {@linkplain Variant variants}
 * in which it is sized and built. The planner, the command line, the contract tests and the
 * documentation all read it from {@link Filters#kinds()}; there is no second list.
 *
 * <p>Implemented by this library only, which also knows how a filter of the kind is stored.
 *
 * @param <F> the filter's class
 */
public interface FilterKind<F extends Storable> {

  /**
   * The number that identifies this kind in files.
   *
   * @return 1…65535
   */
  int id();

  /**
   * The short name, as command lines and messages use it.
   *
   * @return lower case words joined by hyphens
   */
  String name();

  /**
   * The question that a filter of this kind answers.
   *
   * @return a few words
   */
  String question();

  /**
   * The filter's class.
   *
   * @return a final class
   */
  Class<F> type();

  /**
   * Whether its filters have a hasher, which their files name.
   *
   * @return true for every {@link HashedFilter}, and for kinds that hash parts of their input
   */
  boolean isHashed();

  /**
   * The ways in which filters of this kind are sized and built.
   *
   * @return an unmodifiable list; empty if there is a {@link #refusal()}
   */
  List<Variant> variants();

  /**
   * The needs that this kind meets though the planner does not support it.
   *
   * @return an unmodifiable set; empty if it has variants, which state their own
   */
  Set<Need> meets();

  /**
   * Why the planner does not support this kind.
   *
   * @return the end of a sentence that begins with its name; empty if it has variants
   */
  Optional<String> refusal();

  /**
   * What the keys of its filters are, if they are not the user's own keys but values computed from
   * them with a secret; a query for a user's own key would then always return "absent".
   *
   * @return a plural noun such as "trapdoors of words"; empty for nearly all kinds
   */
  Optional<String> derivedKeys();
}
