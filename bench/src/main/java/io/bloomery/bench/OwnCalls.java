package io.bloomery.bench;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Calls filters by their own class, as through a field of that type, where a subject represents
 * several classes. For a call through an interface, HotSpot must discover the class, which it does
 * only if it profiled the call at the right time: the same filter took 5.0 ns in one JVM and 8.0 in
 * the next. The handles are constants, so there is one class of filters for each copy of this
 * class; every fork and every lane has a copy.
 */
final class OwnCalls {

  /** Set before the handles are looked up. */
  private static Class<?> type;

  private OwnCalls() {}

  /** Makes the filter's class the one that is called. */
  static synchronized void bind(Object filter) {
    if (type != null && type != filter.getClass()) {
      throw new IllegalStateException(type + " is called here, not " + filter.getClass());
    }
    type = filter.getClass();
  }

  /** A method of the class, for callers that know it as {@code known} only. */
  private static synchronized MethodHandle find(Class<?> known, String name) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(type, name, MethodType.methodType(boolean.class, long.class))
          .asType(MethodType.methodType(boolean.class, known, long.class));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(name, e);
    }
  }

  private static final class Query {
    private static final MethodHandle CALL = find(Filter.class, "mightContain");
  }

  private static final class Add {
    private static final MethodHandle CALL = find(AddableFilter.class, "add");
  }

  private static final class FastQuery {
    private static final MethodHandle CALL = find(org.fastfilter.Filter.class, "mayContain");
  }

  static boolean mightContain(Filter filter, long key) {
    try {
      return (boolean) Query.CALL.invokeExact(filter, key);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  static boolean add(AddableFilter filter, long key) {
    try {
      return (boolean) Add.CALL.invokeExact(filter, key);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  static boolean mayContain(org.fastfilter.Filter filter, long key) {
    try {
      return (boolean) FastQuery.CALL.invokeExact(filter, key);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
