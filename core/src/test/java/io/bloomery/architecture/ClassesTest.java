package io.bloomery.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.RemovableFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.plan.Shape;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Leaves are final, stored numbers are written and unique. */
final class ClassesTest {

  /** Public classes that others extend; they cannot be sealed, since the root knows no family. */
  private static final Set<Class<?>> BASES = Set.of(ShapedFilter.class);

  /** Views, which save the filter that they hold. */
  private static final Set<Class<?>> LOCKED_VIEWS =
      Set.of(
          AddableFilter.Locked.class, RemovableFilter.Locked.class, FrequencyFilter.Locked.class);

  /** What is abstract is one of the declared bases, or sealed and seen by its own package only. */
  @Test
  void leavesAreFinal() {
    List<JavaClass> leaves =
        Core.MAIN.stream()
            .filter(type -> type.isAssignableTo(Filter.class) && !type.isInterface())
            .filter(type -> BASES.stream().noneMatch(type::isEquivalentTo))
            .filter(type -> !isSealedBase(type))
            .toList();
    assertThat(leaves).isNotEmpty();
    assertThat(leaves).allMatch(type -> type.getModifiers().contains(JavaModifier.FINAL));
  }

  private static boolean isSealedBase(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.ABSTRACT)
        && !type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.reflect().isSealed();
  }

  /** No class can be extended from outside: it is final, or sealed with final subclasses. */
  @Test
  void everyPublicClassIsFinalOrSealed() {
    List<JavaClass> open =
        Core.MAIN.stream()
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(type -> !type.isInterface() && !type.isEnum())
            .filter(type -> !type.getModifiers().contains(JavaModifier.FINAL))
            .filter(type -> !type.reflect().isSealed())
            .filter(type -> BASES.stream().noneMatch(type::isEquivalentTo))
            .toList();
    assertThat(open).isEmpty();
  }

  /** A filter that can be saved and is not in {@link Filters} could never be opened again. */
  @Test
  void everyStorableKindIsRegistered() {
    Set<String> storable =
        Core.MAIN.stream()
            .filter(type -> type.isAssignableTo(Storable.class) && !type.isInterface())
            .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT))
            .filter(type -> !LOCKED_VIEWS.contains(type.reflect()))
            .map(JavaClass::getName)
            .collect(Collectors.toSet());
    assertThat(Filters.kinds().stream().map(kind -> kind.type().getName()))
        .containsExactlyInAnyOrderElementsOf(storable);
  }

  /** Numbers that files hold: never two for one thing, never one for two. */
  @Test
  void wireIdsAreUnique() {
    assertThat(Filters.kinds().stream().map(FilterKind::id)).doesNotHaveDuplicates();
    assertThat(Arrays.stream(IndexScheme.values()).map(IndexScheme::wireId))
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(Hasher.XXH3_64).isEqualTo(1);
    assertThat(Hasher.SIPHASH_2_4_OLD).isEqualTo(2);
    assertThat(Hasher.SIPHASH_2_4_NONCE_OLD).isEqualTo(3);
    assertThat(Hasher.SIPHASH_2_4).isEqualTo(4);
    assertThat(Hasher.SIPHASH_2_4_NONCE).isEqualTo(5);
  }

  /** A shape's enum is stored by a number of its own, which inserting a constant cannot change. */
  @Test
  void everyEnumOfAShapeHasUniqueWireIds() throws ReflectiveOperationException {
    Set<Class<?>> enums = new LinkedHashSet<>();
    for (JavaClass type : Core.MAIN) {
      if (type.isAssignableTo(Shape.class) && type.isRecord()) {
        collectEnums(type.reflect(), enums);
      }
    }
    assertThat(enums).contains(IndexScheme.class);
    for (Class<?> type : enums) {
      assertThat(type.getMethods())
          .as("%s is a component of a shape", type)
          .anyMatch(method -> method.getName().equals("wireId") && method.getParameterCount() == 0);
      Method wireId = type.getMethod("wireId");
      List<Object> ids = new ArrayList<>();
      for (Object constant : type.getEnumConstants()) {
        ids.add(wireId.invoke(constant));
      }
      assertThat(ids).as(type.getName()).doesNotHaveDuplicates().doesNotContainNull();
    }
  }

  private static void collectEnums(Class<?> record, Set<Class<?>> enums) {
    for (RecordComponent component : record.getRecordComponents()) {
      if (component.getType().isEnum()) {
        enums.add(component.getType());
      } else if (component.getType().isRecord()) {
        collectEnums(component.getType(), enums);
      }
    }
  }
}
