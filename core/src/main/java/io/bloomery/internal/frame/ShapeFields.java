package io.bloomery.internal.frame;

import io.bloomery.FilterFormatException;
import io.bloomery.FrameHeader;
import io.bloomery.plan.FieldName;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A record as fields of a header: one field for each component, in their order, under the
 * component's name in words or its {@link FieldName}. Mostly the record is the shape; a kind whose
 * files have other fields among those of the shape has a private record of them. Components are
 * {@code long}, {@code int}, {@code double}, {@code boolean} (0 or 1), enums with a method {@code
 * wireId()}, and records, whose components stand in place of them.
 *
 * <p>Ranges are those of the record's constructor: what it refuses is a {@link
 * FilterFormatException} with its message.
 */
public final class ShapeFields {

  private ShapeFields() {}

  /** The stored names of a record type, in their order. */
  public static List<String> names(Class<? extends Record> type) {
    List<String> names = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.getType().isRecord()) {
        names.addAll(names(component.getType().asSubclass(Record.class)));
      } else {
        names.add(name(component));
      }
    }
    return names;
  }

  private static String name(RecordComponent component) {
    FieldName given = component.getAnnotation(FieldName.class);
    return given != null
        ? given.value()
        : FrameHeader.storedName(
            component.getName().replaceAll("(?=[A-Z])", " ").toLowerCase(Locale.ROOT));
  }

  static void put(Frame frame, Record shape) {
    for (RecordComponent component : shape.getClass().getRecordComponents()) {
      Object value = invoke(component, shape);
      if (value instanceof Record nested) {
        put(frame, nested);
      } else if (value instanceof Double real) {
        frame.put(name(component), real.doubleValue());
      } else {
        frame.put(name(component), whole(value));
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
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = read(frame, components[i]);
    }
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw refused(frame, type, refused.getMessage());
      }
      throw new LinkageError(e.getMessage(), e);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  /** A message that begins with "component = " is a defect of that field, others of all fields. */
  private static FilterFormatException refused(
      Frame frame, Class<? extends Record> type, String message) {
    for (RecordComponent component : type.getRecordComponents()) {
      if (message.startsWith(component.getName() + " = ") && !component.getType().isRecord()) {
        return frame.problem(name(component), message);
      }
    }
    return frame.problem(message);
  }

  private static Object read(Frame frame, RecordComponent component) throws FilterFormatException {
    Class<?> type = component.getType();
    String name = type.isRecord() ? "" : name(component);
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

  private static Object invoke(RecordComponent component, Record shape) {
    try {
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      return accessor.invoke(shape);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
