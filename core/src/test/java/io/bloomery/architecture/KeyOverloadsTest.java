package io.bloomery.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaParameter;
import com.tngtech.archunit.core.domain.JavaType;
import io.bloomery.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Overloads by the type of a key are not misleading. */
final class KeyOverloadsTest {

  /**
   * Where text and numbers are keys, a char would silently be a number without its own overload.
   */
  @Test
  void aCharIsNoNumberWhereTextIsAKey() {
    Set<String> missing = new TreeSet<>();
    int checked = 0;
    for (JavaClass type : Core.MAIN) {
      if (!type.getModifiers().contains(JavaModifier.PUBLIC)
          || type.getPackageName().startsWith(Core.ROOT + ".internal")) {
        continue;
      }
      Set<String> signatures = new TreeSet<>();
      type.getAllMethods().stream()
          .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
          .forEach(method -> signatures.add(signature(method)));
      for (String signature : signatures) {
        String text = signature.replace("(long", "(java.lang.CharSequence");
        if (signature.contains("(long") && signatures.contains(text)) {
          checked++;
          if (!signatures.contains(signature.replace("(long", "(char"))) {
            missing.add(type.getName() + "." + signature);
          }
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(checked).isGreaterThan(100);
  }

  private static String signature(JavaMethod method) {
    return method.getName()
        + method.getRawParameterTypes().stream()
            .map(JavaClass::getName)
            .collect(Collectors.joining(",", "(", ")"));
  }

  /** A factory of longs says whether they are keys or hashes. */
  @Test
  void factoriesOfLongsSayWhatTheyTake() {
    List<String> unclear = new ArrayList<>();
    List<String> clear = new ArrayList<>();
    for (JavaClass type : Core.MAIN) {
      if (!type.isAssignableTo(Filter.class)
          || !type.getModifiers().contains(JavaModifier.PUBLIC)) {
        continue;
      }
      for (JavaMethod method : type.getMethods()) {
        List<JavaParameter> parameters = method.getParameters();
        JavaType result = method.getReturnType();
        if (method.getModifiers().contains(JavaModifier.PUBLIC)
            && method.getModifiers().contains(JavaModifier.STATIC)
            && result.toErasure().isAssignableTo(Filter.class)
            && parameters.stream().anyMatch(p -> p.getRawType().isEquivalentTo(long[].class))) {
          boolean says = method.getName().contains("Keys") || method.getName().contains("Hashes");
          (says ? clear : unclear).add(type.getSimpleName() + "." + method.getName());
        }
      }
    }
    // The bits to begin with.
    assertThat(unclear).containsExactly("GeneralizedBloomFilter.of");
    assertThat(clear)
        .contains("FuseFilter.ofKeys", "FuseFilter.ofHashes", "BloomierMap.ofKeys")
        .hasSizeGreaterThan(25);
    for (String factory : clear) {
      // These hold values of a protocol under a secret, never a user's keys.
      boolean secret =
          Set.of("ObliviousFilter.ofHashes", "EncryptedFilter.ofHashes").contains(factory);
      if (factory.endsWith(".ofHashes") && !secret) {
        assertThat(clear).contains(factory.replace("ofHashes", "ofKeys"));
      }
    }
  }
}
