package io.bloomery.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PublicApiTest {

  @Test
  void aLineForEverythingThatOthersCanName() {
    String samples = SignatureSamples.class.getName();
    assertThat(
            Signatures.of(Path.of("target", "test-classes")).stream()
                .filter(line -> line.startsWith(samples))
                .map(line -> line.substring(samples.length()).strip())
                .toList())
        .containsExactly(
            "final class",
            ".Color enum",
            ".Color.RED static final io.bloomery.testkit.SignatureSamples.Color",
            ".Known sealed interface",
            ".Known.once() default void",
            ".Leaf abstract class : java.util.function.Function<String, java.util.List<String>>",
            ".Leaf.MOST static final int",
            ".Leaf.fail<E extends Exception & Runnable>(Class<E>) throws E abstract E[]",
            ".Leaf.first String",
            ".Leaf.merge(java.util.List<? super String>) final void",
            ".Leaf.new(int...) throws java.io.IOException",
            ".Pair record",
            ".Pair.left() long",
            ".Pair.new(long, java.util.List<? extends Number>)",
            ".Pair.right() java.util.List<? extends Number>");
  }

  @Test
  void aDifferenceIsWhatWentAndWhatCame() {
    assertThat(PublicApi.difference(List.of("a", "b", "d"), List.of("a", "c", "d")))
        .containsExactly("- b", "+ c");
    assertThat(PublicApi.difference(List.of("b", "a"), List.of("a", "b")))
        .containsExactly("the lines are not sorted");
  }
}
