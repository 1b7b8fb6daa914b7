package io.bloomery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.testkit.Keys;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A filter for no keys, as of a day without events, is a tiny filter. */
final class EmptySetsTest {

  private static List<Method> factories() {
    List<Method> found = new ArrayList<>();
    for (FilterKind<?> kind : Filters.kinds()) {
      try {
        found.add(kind.type().getMethod("create", long.class, double.class));
      } catch (NoSuchMethodException e) {
        // Not sized by keys and rate alone.
      }
    }
    return found;
  }

  @Test
  void everyKindThatIsSizedByKeys() throws ReflectiveOperationException {
    List<Method> factories = factories();
    assertThat(factories).hasSizeGreaterThan(35);
    for (Method create : factories) {
      AddableFilter filter = (AddableFilter) create.invoke(null, 0L, 0.01);
      String name = filter.getClass().getSimpleName();
      assertThat(filter.sizeInBits()).as(name).isLessThanOrEqualTo(1 << 16);
      for (long hash : Keys.members(100, 6)) {
        assertThat(filter.mightContainHash(hash)).as(name).isFalse();
      }
      filter.add("one");
      assertThat(filter.mightContain("one")).as(name).isTrue();
    }
  }

  @Test
  void fewerThanNoneAreRefused() throws ReflectiveOperationException {
    for (Method create : factories()) {
      assertThatThrownBy(() -> create.invoke(null, -1L, 0.01))
          .as(create.getDeclaringClass().getSimpleName())
          .isInstanceOf(InvocationTargetException.class)
          .hasCauseInstanceOf(IllegalArgumentException.class);
    }
    assertThat(BlockedBloomFilter.create(0, 0.01).sizeInBits())
        .isEqualTo(BlockedBloomFilter.create(1, 0.01).sizeInBits());
  }
}
