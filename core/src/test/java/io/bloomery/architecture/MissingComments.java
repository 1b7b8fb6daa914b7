package io.bloomery.architecture;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeParameterTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Modifier;

/** Finds visible declarations without a comment, and comments without a parameter. */
final class MissingComments extends TreePathScanner<Void, Void> {

  /** The constants that every class of their kind has, and their types. */
  private static final Set<String> DESCRIPTORS = Set.of("FilterKind KIND", "ForeignFormat FORMAT");

  private final DocTrees docs;
  private final List<String> missing;

  MissingComments(DocTrees docs, List<String> missing) {
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
    if (!isVisible(method.getModifiers())
        || isOverride(method.getModifiers())
        || isCompactConstructor(method)
        || isEmptyConstructor(method)) {
      return null;
    }
    List<String> parameters =
        method.getParameters().stream().map(parameter -> parameter.getName().toString()).toList();
    Set<String> names = new HashSet<>(parameters);
    method.getTypeParameters().forEach(parameter -> names.add(name(parameter)));
    String name = method.getName().toString();
    check(method.getReturnType() == null ? name + parameters : name, names);
    return null;
  }

  @Override
  public Void visitVariable(VariableTree field, Void unused) {
    if (isVisible(field.getModifiers()) && !isDescriptor(field)) {
      check(field.getName().toString(), Set.of());
    }
    return null;
  }

  private static String name(TypeParameterTree parameter) {
    return parameter.getName().toString();
  }

  private void check(String what, Set<String> parameters) {
    String place = CommentsTest.place(getCurrentPath(), what);
    DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
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
        && (owner.getKind() == Tree.Kind.INTERFACE || owner.getKind() == Tree.Kind.ANNOTATION_TYPE);
  }

  private static boolean isDescriptor(VariableTree field) {
    return field.getType() instanceof ParameterizedTypeTree type
        && DESCRIPTORS.contains(type.getType() + " " + field.getName());
  }

  /** Between its name and its body it has no parenthesis. */
  private boolean isCompactConstructor(MethodTree method) {
    if (method.getReturnType() != null
        || getCurrentPath().getParentPath().getLeaf().getKind() != Tree.Kind.RECORD) {
      return false;
    }
    CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
    SourcePositions positions = docs.getSourcePositions();
    long modifiers = positions.getEndPosition(unit, method.getModifiers());
    long begin = Math.max(modifiers, positions.getStartPosition(unit, method));
    long body = positions.getStartPosition(unit, method.getBody());
    return source(unit).substring((int) begin, (int) body).indexOf('(') < 0;
  }

  private static String source(CompilationUnitTree unit) {
    try {
      return unit.getSourceFile().getCharContent(true).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isEmptyConstructor(MethodTree method) {
    return method.getReturnType() == null
        && method.getParameters().isEmpty()
        && method.getBody() != null
        && method.getBody().getStatements().isEmpty();
  }

  private static boolean isOverride(ModifiersTree modifiers) {
    return modifiers.getAnnotations().stream()
        .map(AnnotationTree::getAnnotationType)
        .anyMatch(type -> type.toString().equals("Override"));
  }
}
