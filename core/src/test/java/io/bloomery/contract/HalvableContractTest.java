package io.bloomery.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.Halvable;
import io.bloomery.ShapedFilter;
import io.bloomery.Storable;
import io.bloomery.Variant;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Shape;
import io.bloomery.testkit.Keys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every {@link Halvable} filter promises: its half is what would have been built. */
final class HalvableContractTest {

  private static final int KEYS = 2_000;
  private static final long[] SIZES = {1 << 14, 3 << 14, 5 << 13, 7 << 14, 20_001, 65_537};

  /** In wider blocks the words of a key depend on the number of blocks. */
  private static final Set<String> NEVER = Set.of("blocked-128", "blocked-256", "blocked-512");

  static Stream<Variant> halvable() {
    return Filters.kinds().stream()
        .filter(kind -> Halvable.class.isAssignableFrom(kind.type()))
        .flatMap(kind -> kind.variants().stream());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("halvable")
  void aHalfIsWordForWordWhatIsBuiltWithHalfTheSize(Variant variant) throws IOException {
    int folded = 0;
    for (long bits : SIZES) {
      Filter filter = filled(variant, variant.shape(Needs.forBudget(KEYS, bits)));
      byte[] before = bytes(filter);
      while (((Halvable<?>) filter).canHalve() && filter.sizeInBits() > 1024) {
        Filter half = ((Halvable<?>) filter).halve();
        long least = filter.sizeInBits() / 2;
        assertThat(half.sizeInBits()).isBetween(least, least + Long.SIZE);
        assertThat(bytes(half)).isEqualTo(bytes(filled(variant, shape(half))));
        assertThat(bytes(filter)).as("the whole is as it was").isEqualTo(before);
        filter = half;
        before = bytes(half);
        folded++;
      }
      if (!((Halvable<?>) filter).canHalve()) {
        assertThatThrownBy(((Halvable<?>) filter)::halve)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("cannot be halved");
      }
    }
    assertThat(folded > 0).isEqualTo(!NEVER.contains(variant.name()));
  }

  private static Filter filled(Variant variant, Shape shape) {
    AddableFilter filter = (AddableFilter) variant.create(shape, Hasher.xxh3());
    long[] members = Keys.members(KEYS);
    filter.addHashes(members, 0, KEYS);
    return filter;
  }

  private static Shape shape(Filter filter) {
    return ((ShapedFilter<?>) filter).shape();
  }

  private static byte[] bytes(Filter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ((Storable) filter).writeTo(out);
    return out.toByteArray();
  }
}
