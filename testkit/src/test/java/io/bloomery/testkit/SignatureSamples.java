package io.bloomery.testkit;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/** Types for {@link PublicApiTest}. */
@SuppressWarnings("unused")
public final class SignatureSamples {

  private SignatureSamples() {}

  /** Hidden, but for its members in {@link Leaf}. */
  abstract static class Base<T extends Comparable<T>> implements Function<T, List<T>> {

    @Override
    public List<T> apply(T value) {
      return List.of(value);
    }

    public final void merge(List<? super T> others) {}

    protected T first;

    void hidden() {}
  }

  /** Not final, so that protected members count. */
  public abstract static class Leaf extends Base<String> {

    public static final int MOST = 7;

    protected Leaf(int... numbers) throws IOException {}

    public abstract <E extends Exception & Runnable> E[] fail(Class<E> type) throws E;

    @Override
    public String toString() {
      return "";
    }
  }

  /** Final, so that protected members do not count. */
  public record Pair(long left, List<? extends Number> right) {

    @SuppressWarnings("ProtectedMembersInFinalClass") // what the test is about
    protected void unseen() {}
  }

  public enum Color {
    RED
  }

  public sealed interface Known permits Only {

    default void once() {}
  }

  record Only() implements Known {}
}
