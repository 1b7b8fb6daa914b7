package io.bloomery.internal.frame;

import io.bloomery.FilterFormatException;
import io.bloomery.internal.check.FieldName;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A record as fields of a header: one field for each component, in their order, under its {@link
 * FieldName}, so that files do not depend on the names of components. Mostly the record is the
 * shape; a kind whose files have other fields among those of the shape has a private record of
 * them. Components are {@code long}, {@code int}, {@code double}, {@code boolean} (0 or 1), enums
 * with a method {@code wireId()}, and records, which are replaced by their components.
 *
 * <p>Ranges are those of the record's constructor: a value that it refuses leads to a {@link
 * FilterFormatException} with its message.
 */
public final class ShapeFields {

  /** Reflection data of record types, cached per type because files are read often. */
  private static final ClassValue<Layout> LAYOUTS =
      new ClassValue<>() {
        @Override
        protected Layout computeValue(Class<?> type) {
          return layout(type.asSubclass(Record.class));
        }
      };

  /** A record type: its constructor and its components in their order. */
  private record Layout(Constructor<? extends Record> constructor, List<Part> parts) {}

  /** A component, with its stored name if it is not a record. */
  private record Part(String component, Class<?> type, Method accessor, String name) {}

  private ShapeFields() {}

  private static Layout layout(Class<? extends Record> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<? extends Record> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return new Layout(constructor, Arrays.stream(components).map(ShapeFields::part).toList());
    } catch (NoSuchMethodException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static Part part(RecordComponent component) {
    Method accessor = component.getAccessor();
    accessor.setAccessible(true);
    String name = component.getType().isRecord() ? "" : name(component);
    return new Part(component.getName(), component.getType(), accessor, name);
  }

  /** The stored names of a record type, in their order. */
  public static List<String> names(Class<? extends Record> type) {
    List<String> names = new ArrayList<>();
    for (Part part : LAYOUTS.get(type).parts) {
      if (part.type.isRecord()) {
        names.addAll(names(part.type.asSubclass(Record.class)));
      } else {
        names.add(part.name);
      }
    }
    return names;
  }

  private static String name(RecordComponent component) {
    FieldName given = component.getAnnotation(FieldName.class);
    if (given == null) {
      throw new LinkageError(component + " of a stored record has no @FieldName");
    }
    return given.value();
  }

  static void put(Frame frame, Record shape) {
    for (Part part : LAYOUTS.get(shape.getClass()).parts) {
      Object value = invoke(part.accessor, shape);
      if (value instanceof Record nested) {
        put(frame, nested);
      } else if (value instanceof Double real) {
        frame.put(part.name, real.doubleValue());
      } else {
        frame.put(part.name, whole(value));
      }
    }
  }

  private static long whole(Object value) {
    if (value instanceof Number number) {
      return number.longValue();
    }
    if (value instanceof Boolean flag) {
      return flag ? 1 : 0;
    }
    return wireId((Enum<?>) value);
  }

  static <R extends Record> R read(Frame frame, Class<R> type) throws FilterFormatException {
    Layout layout = LAYOUTS.get(type);
    Object[] values = new Object[layout.parts.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = read(frame, layout.parts.get(i));
    }
    try {
      return type.cast(layout.constructor.newInstance(values));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw refused(frame, type, String.valueOf(refused.getMessage()));
      }
      throw new LinkageError(e.getMessage(), e);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  /** A message that begins with "component = " is a defect of that field, others of all fields. */
  private static FilterFormatException refused(
      Frame frame, Class<? extends Record> type, String message) {
    for (Part part : LAYOUTS.get(type).parts) {
      if (message.startsWith(part.component + " = ") && !part.type.isRecord()) {
        return frame.problem(part.name, message);
      }
    }
    return frame.problem(message);
  }

  private static Object read(Frame frame, Part part) throws FilterFormatException {
    Class<?> type = part.type;
    String name = part.name;
    if (type.isRecord()) {
      return read(frame, type.asSubclass(Record.class));
    } else if (type == double.class) {
      return frame.real(name, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    } else if (type == long.class) {
      return frame.number(name, Long.MIN_VALUE, Long.MAX_VALUE);
    } else if (type == int.class) {
      return (int) frame.number(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
    } else if (type == boolean.class) {
      return frame.number(name, 0, 1) == 1;
    }
    long id = frame.number(name, Long.MIN_VALUE, Long.MAX_VALUE);
    List<String> known = new ArrayList<>();
    for (Object constant : type.getEnumConstants()) {
      known.add(Long.toString(wireId((Enum<?>) constant)));
      if (wireId((Enum<?>) constant) == id) {
        return constant;
      }
    }
    throw frame.problem(name, name + " = " + id + " is not one of " + String.join(", ", known));
  }

  /** The written number of an enum's constant; an ordinal would change when one is inserted. */
  private static long wireId(Enum<?> constant) {
    try {
      Method wireId = constant.getDeclaringClass().getMethod("wireId");
      wireId.setAccessible(true);
      return ((Number) wireId.invoke(constant)).longValue();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(constant.getDeclaringClass() + " has no wireId()", e);
    }
  }

  private static Object invoke(Method accessor, Record shape) {
    try {
      return accessor.invoke(shape);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
