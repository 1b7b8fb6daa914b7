package io.bloomery.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What code outside a module can name: one line for each public type of an exported package and for
 * each of its public and protected members. A member is listed with the type that introduces it:
 * neither an override nor a move into a hidden superclass changes a line.
 */
final class Signatures {

  private final Set<Class<?>> own = new LinkedHashSet<>();
  private final Predicate<String> exported;

  private Signatures(Path classes) {
    exported = exportedPackages(classes);
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = classes.relativize(file).toString().replace('/', '.').replace('\\', '.');
        if (name.endsWith(".class")
            && !name.endsWith("-info.class")
            && !name.startsWith("META-INF.")) {
          String type = name.substring(0, name.length() - ".class".length());
          own.add(Class.forName(type, false, Thread.currentThread().getContextClassLoader()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The lines of a module, sorted.
   *
   * @param classes the directory of its compiled classes; all packages are exported if there is no
   *     module descriptor in it
   */
  static List<String> of(Path classes) {
    Signatures signatures = new Signatures(classes);
    Set<String> lines = new TreeSet<>();
    for (Class<?> type : signatures.own) {
      if (signatures.isVisible(type)) {
        signatures.describe(type, lines);
      }
    }
    return List.copyOf(lines);
  }

  private static Predicate<String> exportedPackages(Path classes) {
    Path descriptor = classes.resolve("module-info.class");
    if (!Files.exists(descriptor)) {
      return name -> true;
    }
    try (InputStream in = Files.newInputStream(descriptor)) {
      return ModuleDescriptor.read(in).exports().stream()
              .filter(export -> !export.isQualified())
              .map(ModuleDescriptor.Exports::source)
              .collect(Collectors.toUnmodifiableSet())
          ::contains;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether code outside can name a type of the module: it and its enclosing types are public. */
  private boolean isVisible(Class<?> type) {
    if (type.isSynthetic() || type.isAnonymousClass() || type.isLocalClass()) {
      return false;
    }
    Class<?> outer = type.getEnclosingClass();
    return outer == null
        ? Modifier.isPublic(type.getModifiers()) && exported.test(type.getPackageName())
        : isVisible(outer) && isOpen(type.getModifiers(), outer);
  }

  /** Whether a member is public, or protected in a type that can be extended. */
  private static boolean isOpen(int modifiers, Class<?> owner) {
    return Modifier.isPublic(modifiers)
        || (Modifier.isProtected(modifiers) && !Modifier.isFinal(owner.getModifiers()));
  }

  private void describe(Class<?> type, Set<String> lines) {
    String name = type.getCanonicalName();
    View self = new View(type, Map.of());
    lines.add(name + " " + header(self));
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isOpen(constructor.getModifiers(), type) && !constructor.isSynthetic()) {
        lines.add(name + ".new" + self.call(constructor));
      }
    }
    Set<String> inherited = new HashSet<>();
    for (View above : self.ancestors()) {
      if (!isHidden(above.type)) {
        for (Method method : above.type.getDeclaredMethods()) {
          if (isOpen(method.getModifiers(), above.type)
              && !Modifier.isStatic(method.getModifiers())) {
            inherited.add(above.signature(method));
          }
        }
      }
    }
    for (View view : withHidden(self)) {
      for (Field field : view.type.getDeclaredFields()) {
        if (isOpen(field.getModifiers(), type) && !field.isSynthetic()) {
          String words = words(field.getModifiers(), Modifier.STATIC | Modifier.FINAL);
          lines.add(
              "%s.%s %s%s"
                  .formatted(name, field.getName(), words, view.text(field.getGenericType())));
        }
      }
      for (Method method : view.type.getDeclaredMethods()) {
        if (isOpen(method.getModifiers(), type)
            && !method.isSynthetic()
            && !isImplied(method)
            && !inherited.contains(view.signature(method))) {
          lines.add("%s.%s".formatted(name, line(view, method, type)));
        }
      }
    }
  }

  private static String line(View view, Method method, Class<?> type) {
    int shown = Modifier.PROTECTED | Modifier.STATIC | Modifier.ABSTRACT;
    if (!Modifier.isFinal(type.getModifiers())) {
      shown |= Modifier.FINAL;
    }
    return "%s%s %s%s%s"
        .formatted(
            method.getName(),
            view.call(method),
            method.isDefault() ? "default " : "",
            words(method.getModifiers(), shown),
            view.text(method.getGenericReturnType()));
  }

  private boolean isHidden(Class<?> type) {
    return own.contains(type) && !isVisible(type);
  }

  /** A type and those of its supertypes whose members only it shows. */
  private List<View> withHidden(View view) {
    List<View> views = new ArrayList<>(List.of(view));
    for (View above : view.parents()) {
      if (isHidden(above.type)) {
        views.addAll(withHidden(above));
      }
    }
    return views;
  }

  /** Whether the method is one that every enum has. */
  private static boolean isImplied(Method method) {
    return method.getDeclaringClass().isEnum()
        && Modifier.isStatic(method.getModifiers())
        && ((method.getName().equals("values") && method.getParameterCount() == 0)
            || (method.getName().equals("valueOf")
                && Arrays.equals(method.getParameterTypes(), new Class<?>[] {String.class})));
  }

  private String header(View view) {
    Class<?> type = view.type;
    int shown = Modifier.PROTECTED;
    if (!type.isInterface() && !type.isEnum()) {
      shown |= type.isRecord() ? 0 : Modifier.ABSTRACT | Modifier.FINAL;
    }
    String kind =
        type.isAnnotation()
            ? "@interface"
            : type.isInterface()
                ? "interface"
                : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    Set<String> above = new TreeSet<>();
    visibleParents(view, above);
    return words(type.getModifiers(), shown)
        + (type.isSealed() && !type.isEnum() ? "sealed " : "")
        + kind
        + view.variables(type.getTypeParameters())
        + (above.isEmpty() ? "" : " : " + String.join(", ", above));
  }

  /** The supertypes that others can name; in place of a hidden one, its own. */
  private void visibleParents(View view, Set<String> into) {
    for (View above : view.parents()) {
      if (isHidden(above.type)) {
        visibleParents(above, into);
      } else if (above.type != Object.class
          && above.type != Enum.class
          && above.type != Record.class) {
        into.add(above.name());
      }
    }
  }

  private static String words(int modifiers, int shown) {
    String words = Modifier.toString(modifiers & shown);
    return words.isEmpty() ? "" : words + " ";
  }

  /** A type as one of its subtypes sees it: with texts for its type variables. */
  private record View(Class<?> type, Map<TypeVariable<?>, String> names) {

    List<View> parents() {
      List<Type> generic = new ArrayList<>(Arrays.asList(type.getGenericInterfaces()));
      if (type.getSuperclass() != null) {
        generic.add(type.getGenericSuperclass());
      } else if (type.isInterface()) {
        generic.add(Object.class);
      }
      List<View> parents = new ArrayList<>();
      for (Type parent : generic) {
        if (parent instanceof ParameterizedType parameterized) {
          Class<?> raw = (Class<?>) parameterized.getRawType();
          Type[] arguments = parameterized.getActualTypeArguments();
          Map<TypeVariable<?>, String> texts = new HashMap<>();
          for (int i = 0; i < arguments.length; i++) {
            texts.put(raw.getTypeParameters()[i], text(arguments[i]));
          }
          parents.add(new View(raw, texts));
        } else {
          parents.add(new View((Class<?>) parent, Map.of()));
        }
      }
      return parents;
    }

    List<View> ancestors() {
      List<View> all = new ArrayList<>();
      for (View parent : parents()) {
        all.add(parent);
        all.addAll(parent.ancestors());
      }
      return all;
    }

    String name() {
      TypeVariable<?>[] variables = type.getTypeParameters();
      return text(type)
          + (variables.length == 0
              ? ""
              : Arrays.stream(variables)
                  .map(this::text)
                  .collect(Collectors.joining(", ", "<", ">")));
    }

    /** What an overriding method has in common with the overridden one. */
    String signature(Method method) {
      return method.getName() + parameters(method) + " " + text(method.getGenericReturnType());
    }

    /** Type parameters, parameters and exceptions. */
    String call(Executable executable) {
      String thrown =
          Arrays.stream(executable.getGenericExceptionTypes())
              .map(this::text)
              .sorted()
              .collect(Collectors.joining(", "));
      return variables(executable.getTypeParameters())
          + parameters(executable)
          + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private String parameters(Executable executable) {
      List<String> texts =
          Arrays.stream(executable.getGenericParameterTypes())
              .map(this::text)
              .collect(Collectors.toCollection(ArrayList::new));
      if (executable.isVarArgs()) {
        int last = texts.size() - 1;
        texts.set(last, texts.get(last).replaceFirst("\\[]$", "..."));
      }
      return "(" + String.join(", ", texts) + ")";
    }

    String variables(TypeVariable<?>[] variables) {
      return variables.length == 0
          ? ""
          : Arrays.stream(variables)
              .map(variable -> variable.getName() + bounds(" extends ", variable.getBounds()))
              .collect(Collectors.joining(", ", "<", ">"));
    }

    private String bounds(String word, Type[] bounds) {
      return bounds.length == 0 || (bounds.length == 1 && bounds[0] == Object.class)
          ? ""
          : Arrays.stream(bounds).map(this::text).collect(Collectors.joining(" & ", word, ""));
    }

    /** A type with its package, except java.lang. */
    String text(Type some) {
      if (some instanceof ParameterizedType parameterized) {
        return text(parameterized.getRawType())
            + Arrays.stream(parameterized.getActualTypeArguments())
                .map(this::text)
                .collect(Collectors.joining(", ", "<", ">"));
      }
      if (some instanceof GenericArrayType array) {
        return text(array.getGenericComponentType()) + "[]";
      }
      if (some instanceof WildcardType wildcard) {
        return wildcard.getLowerBounds().length > 0
            ? "?" + bounds(" super ", wildcard.getLowerBounds())
            : "?" + bounds(" extends ", wildcard.getUpperBounds());
      }
      if (some instanceof TypeVariable<?> variable) {
        return names.getOrDefault(variable, variable.getName());
      }
      String name = ((Class<?>) some).getCanonicalName();
      return name.replaceFirst("^java\\.lang\\.(?=[A-Z])", "");
    }
  }
}
