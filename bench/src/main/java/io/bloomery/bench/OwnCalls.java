package io.bloomery.bench;

import io.bloomery.AddableFilter;
import io.bloomery.Filter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Calls our filters by their own class, as through a field of that type and as the peers are
 * called. Who calls through an interface leaves it to HotSpot to find the class out, and it does so
 * only if it profiled the call at the right time. The handles are constants, so there is one class
 * of filters for each copy of this class; every fork and every lane has a copy.
 */
final class OwnCalls {

  /** Set before {@link Handles} is loaded. */
  private static Class<?> type;

  private OwnCalls() {}

  /** Makes the filter's class the one that is called. */
  static synchronized void bind(Filter filter) {
    if (type != null && type != filter.getClass()) {
      throw new IllegalStateException(type + " is called here, not " + filter.getClass());
    }
    type = filter.getClass();
  }

  private static final class Handles {

    private static final MethodHandle QUERY = find("mightContain", Filter.class);
    private static final MethodHandle ADD = find("add", AddableFilter.class);

    private static synchronized MethodHandle find(String name, Class<?> called) {
      try {
        return MethodHandles.publicLookup()
            .findVirtual(
                called.isAssignableFrom(type) ? type : called,
                name,
                MethodType.methodType(boolean.class, long.class))
            .asType(MethodType.methodType(boolean.class, called, long.class));
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(name, e);
      }
    }
  }

  static boolean mightContain(Filter filter, long key) {
    try {
      return (boolean) Handles.QUERY.invokeExact(filter, key);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  static void add(AddableFilter filter, long key) {
    try {
      boolean unused = (boolean) Handles.ADD.invokeExact(filter, key);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
