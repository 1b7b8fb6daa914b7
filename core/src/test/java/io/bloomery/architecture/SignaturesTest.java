package io.bloomery.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.bloomery.internal.bits.Words;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** What a user of the module can see names only types that the user can name. */
final class SignaturesTest {

  private static final Set<String> EXPORTED = Core.EXPORTED;

  @Test
  void exportedSignaturesNameExportedTypes() {
    assertThat(shown(Core.MAIN)).isEmpty();
    assertThat(Core.MAIN.stream().filter(SignaturesTest::isExported).count()).isGreaterThan(300);
  }

  @Test
  void exportedPackagesSayWhatMayBeNull() throws ClassNotFoundException {
    for (String exported : EXPORTED) {
      Class<?> info = Class.forName(exported + ".package-info");
      assertThat(info.isAnnotationPresent(NullMarked.class)).as(exported).isTrue();
    }
  }

  /**
   * The rule covers results, parameters, exceptions, bounds, fields, supertypes and inherited
   * members.
   */
  @Test
  void theRuleCanFail() {
    Set<String> shown =
        shown(
            new ClassFileImporter().importClasses(Leaks.class, Leaks.Base.class, Leaks.Heir.class));
    assertThat(shown)
        .containsExactly(
            "SignaturesTest$Leaks",
            "SignaturesTest$Leaks$Heir.inherited",
            "SignaturesTest$Leaks.bounded",
            "SignaturesTest$Leaks.field",
            "SignaturesTest$Leaks.hiddenByItsPackage",
            "SignaturesTest$Leaks.parameter",
            "SignaturesTest$Leaks.result",
            "SignaturesTest$Leaks.thrown");
  }

  private static Set<String> shown(Iterable<JavaClass> types) {
    Set<String> shown = new TreeSet<>();
    for (JavaClass type : types) {
      if (!isExported(type)) {
        continue;
      }
      if (supertypes(type).anyMatch(SignaturesTest::isHidden)) {
        shown.add(simpleName(type));
      }
      for (JavaMember member : type.getAllMembers()) {
        boolean own = member.getOwner().equals(type);
        if (isVisible(member.getModifiers())
            && involved(member).anyMatch(each -> own ? !canBeNamed(each) : isHidden(each))) {
          shown.add(simpleName(type) + "." + member.getName());
        }
      }
    }
    return shown;
  }

  /** A package-private superclass is fine: its members are checked in the subclass. */
  private static Stream<JavaClass> supertypes(JavaClass type) {
    Stream<JavaType> direct =
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
    return Stream.concat(direct, type.getTypeParameters().stream())
        .flatMap(each -> each.getAllInvolvedRawTypes().stream());
  }

  private static Stream<JavaClass> involved(JavaMember member) {
    if (!(member instanceof JavaCodeUnit code)) {
      return member.getAllInvolvedRawTypes().stream();
    }
    Stream<JavaType> types =
        Stream.of(
                Stream.of(code.getReturnType()),
                code.getParameterTypes().stream(),
                code.getTypeParameters().stream())
            .flatMap(each -> each);
    return Stream.concat(
        types.flatMap(each -> each.getAllInvolvedRawTypes().stream()),
        code.getExceptionTypes().stream());
  }

  private static String simpleName(JavaClass type) {
    return type.getName().substring(type.getPackageName().length() + 1);
  }

  /** Whether it is in a package of ours that module-info does not export. */
  private static boolean isHidden(JavaClass type) {
    JavaClass base = type.getBaseComponentType();
    return base.getPackageName().startsWith(Core.ROOT)
        && !EXPORTED.contains(base.getPackageName())
        && !isLeak(base);
  }

  private static boolean canBeNamed(JavaClass type) {
    JavaClass base = type.getBaseComponentType();
    return !base.getPackageName().startsWith(Core.ROOT) || isExported(base);
  }

  private static boolean isExported(JavaClass type) {
    return !isHidden(type) && isVisible(type);
  }

  private static boolean isVisible(JavaClass type) {
    return isVisible(type.getModifiers())
        && (isLeak(type) || type.getEnclosingClass().map(SignaturesTest::isVisible).orElse(true));
  }

  /** Methods that the compiler adds, which repeat erased types of a base, are in no source. */
  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !modifiers.contains(JavaModifier.SYNTHETIC);
  }

  /** The examples below count as exported. */
  private static boolean isLeak(JavaClass type) {
    return type.getName().startsWith(Leaks.class.getName());
  }

  /** Exposes types that must stay hidden. */
  public abstract static class Leaks implements Supplier<Words> {

    /** In a field. */
    protected Words[] field;

    /** In a result. */
    public abstract Callable<? extends Words> result();

    /** In a parameter. */
    public abstract void parameter(Words words);

    /** In what is thrown. */
    public abstract void thrown() throws Unnamed;

    /** In a bound. */
    public abstract <W extends Words> void bounded(Callable<W> first, Callable<W> second);

    /** In a package that can be named, by a class that cannot. */
    public abstract Base hiddenByItsPackage();

    /** Not seen by users. */
    abstract Words unseen();

    /** A class that only its package sees. */
    abstract static class Base {
      /** Seen through a subclass. */
      public abstract Words inherited();
    }

    /** Inherits. */
    public abstract static class Heir extends Base {}
  }

  /** Thrown by an example. */
  private static final class Unnamed extends IOException {
    private static final long serialVersionUID = 1;
  }
}
