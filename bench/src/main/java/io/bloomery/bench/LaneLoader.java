package io.bloomery.bench;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.BiFunction;

/**
 * Loads a separate copy of the benchmark's own classes for each loader. HotSpot compiles a loop for
 * the types that its call sites have seen. With its own copy, every filter of a race is called by
 * loops that have seen no other, as in a program that uses one filter in one place, while the
 * library and the peers are the same classes for all lanes.
 */
final class LaneLoader extends ClassLoader {

  static {
    registerAsParallelCapable();
  }

  private static final String OWN = LaneLoader.class.getPackageName() + ".";

  private LaneLoader() {
    super(LaneLoader.class.getClassLoader());
  }

  /** A lane whose loops no other filter has run through. */
  static Lane lane(Row row) {
    try {
      Class<?> copy = new LaneLoader().loadClass(Maker.class.getName());
      Object maker = copy.getDeclaredConstructor().newInstance();
      @SuppressWarnings("unchecked") // a copy of Maker
      BiFunction<String, String, Lane> typed = (BiFunction<String, String, Lane>) maker;
      return typed.apply(row.workload().id(), row.name());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes a lane of its own copy of the classes; public, since another copy calls it. */
  public static final class Maker implements BiFunction<String, String, Lane> {

    /** Called by reflection. */
    public Maker() {}

    @Override
    public Lane apply(String workload, String row) {
      return switch (Workload.of(workload)) {
        case STRING -> new TimedLane.OfObjects<>(Rows.strings(row));
        case BYTES -> new TimedLane.OfObjects<>(Rows.bytes(row));
        case RECENT -> new LongLane(Rows.events(row));
        default -> new LongLane(Rows.longs(row));
      };
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OWN) || isShared(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private static boolean isShared(String name) {
    String lane = Lane.class.getName();
    return name.equals(lane) || name.startsWith(lane + "$");
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
