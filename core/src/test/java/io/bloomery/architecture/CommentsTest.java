package io.bloomery.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.UnknownBlockTagTree;
import com.sun.source.doctree.UnknownInlineTagTree;
import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeParameterTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTreeScanner;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Everything public or protected in an exported package has a comment that names every parameter.
 * Doclint checks that comments are right; what is missing is checked here, because doclint would
 * have the constructor of a record repeat the record's own parameters, and ask for a {@code
 * @return} where the first sentence has said it. Tags that do not exist are found here, too: the
 * compiler's doclint, unlike javadoc's, takes them for somebody's own.
 */
final class CommentsTest {

  private static final Path MAIN = Path.of("src", "main", "java", "io", "bloomery");

  /** Whose packages are not exported. */
  private static final List<String> HIDDEN = List.of("internal", "foreign/hash");

  @Test
  void everythingVisibleIsDescribed() throws IOException {
    List<String> missing = new ArrayList<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjectsFromPaths(sources()));
      DocTrees docs = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        new Scanner(docs, missing).scan(unit, null);
      }
    }
    assertThat(missing).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(MAIN)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("package-info.java"))
          .filter(file -> HIDDEN.stream().noneMatch(name -> file.startsWith(MAIN.resolve(name))))
          .toList();
    }
  }

  /** Visits visible declarations only. */
  private static final class Scanner extends TreePathScanner<Void, Void> {
    private final DocTrees docs;
    private final List<String> missing;

    Scanner(DocTrees docs, List<String> missing) {
      this.docs = docs;
      this.missing = missing;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      if (!isVisible(type.getModifiers())) {
        return null;
      }
      Set<String> names = new HashSet<>();
      type.getTypeParameters().forEach(parameter -> names.add(name(parameter)));
      check(type.getSimpleName().toString(), names);
      for (Tree member : type.getMembers()) {
        scan(member, null);
      }
      return null;
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      if (!isVisible(method.getModifiers())) {
        return null;
      }
      if (isOverride(method.getModifiers())) {
        checkTags(method.getName().toString());
      } else {
        Set<String> names = new HashSet<>();
        if (isOfRecord() && method.getReturnType() == null) {
          check("constructor", names);
          return null;
        }
        method.getParameters().forEach(parameter -> names.add(parameter.getName().toString()));
        method.getTypeParameters().forEach(parameter -> names.add(name(parameter)));
        check(method.getName().toString(), names);
      }
      return null;
    }

    @Override
    public Void visitVariable(VariableTree field, Void unused) {
      if (isVisible(field.getModifiers())) {
        check(field.getName().toString(), Set.of());
      }
      return null;
    }

    private static String name(TypeParameterTree parameter) {
      return parameter.getName().toString();
    }

    private void check(String what, Set<String> parameters) {
      TreePath path = getCurrentPath();
      String place = place(path) + "." + what;
      DocCommentTree comment = docs.getDocCommentTree(path);
      if (comment == null) {
        missing.add(place + " has no comment");
        return;
      }
      Set<String> left = new HashSet<>(parameters);
      for (DocTree tag : comment.getBlockTags()) {
        if (tag instanceof ParamTree parameter) {
          left.remove(parameter.getName().toString());
        }
      }
      left.forEach(name -> missing.add(place + " has no @param " + name));
      checkTags(what);
    }

    private void checkTags(String what) {
      String place = place(getCurrentPath()) + "." + what;
      DocTreeScanner<Void, Void> tags =
          new DocTreeScanner<>() {
            @Override
            public Void visitUnknownBlockTag(UnknownBlockTagTree tag, Void unused) {
              missing.add(place + " has an unknown " + tag);
              return null;
            }

            @Override
            public Void visitUnknownInlineTag(UnknownInlineTagTree tag, Void unused) {
              missing.add(place + " has an unknown " + tag);
              return null;
            }
          };
      tags.scan(docs.getDocCommentTree(getCurrentPath()), null);
    }

    private static String place(TreePath path) {
      String file = path.getCompilationUnit().getSourceFile().getName();
      return file.substring(file.lastIndexOf('/') + 1);
    }

    /** Members of interfaces and enum constants have no modifier and are public. */
    private boolean isVisible(ModifiersTree modifiers) {
      Set<Modifier> flags = modifiers.getFlags();
      if (flags.contains(Modifier.PUBLIC) || flags.contains(Modifier.PROTECTED)) {
        return true;
      }
      return !flags.contains(Modifier.PRIVATE)
          && getCurrentPath().getParentPath() != null
          && getCurrentPath().getParentPath().getLeaf() instanceof ClassTree owner
          && (owner.getKind() == Tree.Kind.INTERFACE
              || owner.getKind() == Tree.Kind.ANNOTATION_TYPE);
    }

    private boolean isOfRecord() {
      return getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.RECORD;
    }

    private static boolean isOverride(ModifiersTree modifiers) {
      return modifiers.getAnnotations().stream()
          .map(AnnotationTree::getAnnotationType)
          .anyMatch(type -> type.toString().equals("Override"));
    }
  }
}
