package io.bloomery.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.ErroneousTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.TextTree;
import com.sun.source.doctree.UnknownBlockTagTree;
import com.sun.source.doctree.UnknownInlineTagTree;
import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.ModuleTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeParameterTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTreeScanner;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Everything public or protected in an exported package has a comment that names every parameter,
 * except where a comment could only repeat the declaration: the constants {@code KIND} and {@code
 * FORMAT}, compact constructors of records, and empty constructors without parameters. Doclint
 * checks that comments are right; what is missing is checked here, because doclint would have the
 * constructor of a record repeat the record's own parameters, and ask for a {@code @return} where
 * the first sentence has said it. Broken tags are found here as well, in all modules and whether
 * visible or not: the compiler's doclint, unlike javadoc's, takes unknown ones for somebody's own,
 * and to both a tag without its opening brace is text.
 */
final class CommentsTest {

  private static final Path MAIN = Path.of("src", "main", "java", "io", "bloomery");

  /** Whose packages are not exported. */
  private static final List<String> HIDDEN = List.of("internal", "foreign/hash");

  /** The constants that every class of their kind has, and their types. */
  private static final Set<String> DESCRIPTORS = Set.of("FilterKind KIND", "ForeignFormat FORMAT");

  /** An inline tag that is text because it lacks its brace. */
  private static final Pattern LOST_TAG =
      Pattern.compile("@(code|link|linkplain|literal|value|inheritDoc|snippet|index)\\b");

  @Test
  void everythingVisibleIsDescribed() throws IOException {
    List<Path> sources =
        Core.sources(MAIN).stream()
            .filter(file -> !file.endsWith("package-info.java"))
            .filter(file -> HIDDEN.stream().noneMatch(name -> file.startsWith(MAIN.resolve(name))))
            .toList();
    assertThat(sources).hasSizeGreaterThan(200);
    assertThat(problems(sources, Scanner::new)).isEmpty();
  }

  @Test
  void noTagIsBroken() throws IOException {
    List<Path> sources;
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      sources =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.toString().contains("target"))
              .toList();
    }
    assertThat(sources).hasSizeGreaterThan(1000);
    assertThat(problems(sources, TagScanner::new)).isEmpty();
  }

  @Test
  void missingCommentsAreFound() throws IOException {
    String sample =
        """
        /** A record. */
        public record Sample(int a) {
          public static final FilterKind<Sample> KIND = null;
          public static final FilterKind<Sample> OTHER = null;
          public static final int FORMAT = 1;
          public Sample { a++; }
          public Sample(long b) { this((int) b); }
          public Sample() { this(0); }
          /** Is documented. */
          public int incomplete(int c) { return c; }
          public int bare() { return 0; }
          int hidden() { return 0; }
          /** Has constructors. */
          public static class Empty {
            public Empty() {}
            public Empty(int d) {}
          }
          public interface Naked { int method(); }
        }
        """;
    assertThat(problems(sample, Scanner::new))
        .containsExactlyInAnyOrder(
            "Sample.java.OTHER has no comment",
            "Sample.java.FORMAT has no comment",
            "Sample.java.<init>[b] has no comment",
            "Sample.java.<init>[] has no comment",
            "Sample.java.incomplete has no @param c",
            "Sample.java.bare has no comment",
            "Sample.java.<init>[d] has no comment",
            "Sample.java.Naked has no comment",
            "Sample.java.method has no comment");
  }

  @Test
  void brokenTagsAreFound() throws IOException {
    String sample =
        """
        /** Good: {@code {a}}, {@link Sample}, a set {1, 2}, <pre>{@code int[] a = {}; }</pre>. */
        final class Sample {
          /** True for every;@link HashedFilter}. */
          private int lost;
          /** A set that {nobody closes. */
          private int open;
          /** A set that nobody opened}. */
          private int closed;
          /** Ends {@code without a brace. */
          private int unfinished;
          /** Uses {@cod something}. */
          private int inline;
          /**
           * Names it.
           *
           * @retrun nothing
           */
          private void block() {}
        }
        """;
    assertThat(problems(sample, TagScanner::new))
        .extracting(problem -> problem.substring(0, problem.indexOf(" has ")))
        .contains(
            "Sample.java.lost",
            "Sample.java.open",
            "Sample.java.closed",
            "Sample.java.unfinished",
            "Sample.java.inline",
            "Sample.java.block")
        .doesNotContain("Sample.java.Sample");
  }

  private interface ScannerFactory {
    TreePathScanner<Void, Void> create(DocTrees docs, List<String> problems);
  }

  private static List<String> problems(List<Path> sources, ScannerFactory factory)
      throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      return problems(files.getJavaFileObjectsFromPaths(sources), factory);
    }
  }

  private static List<String> problems(String sample, ScannerFactory factory) throws IOException {
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("string:///Sample.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return sample;
          }
        };
    return problems(List.of(file), factory);
  }

  private static List<String> problems(
      Iterable<? extends JavaFileObject> sources, ScannerFactory factory) throws IOException {
    List<String> problems = new ArrayList<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavacTask task =
        (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, sources);
    DocTrees docs = DocTrees.instance(task);
    for (CompilationUnitTree unit : task.parse()) {
      factory.create(docs, problems).scan(unit, null);
    }
    return problems;
  }

  private static String place(TreePath path, String what) {
    String file = path.getCompilationUnit().getSourceFile().getName();
    return file.substring(file.lastIndexOf('/') + 1) + "." + what;
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
      String place = place(getCurrentPath(), what);
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
          && (owner.getKind() == Tree.Kind.INTERFACE
              || owner.getKind() == Tree.Kind.ANNOTATION_TYPE);
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

  /** Visits every declaration. */
  private static final class TagScanner extends TreePathScanner<Void, Void> {
    private final DocTrees docs;
    private final List<String> broken;

    TagScanner(DocTrees docs, List<String> broken) {
      this.docs = docs;
      this.broken = broken;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      check(type.getSimpleName().toString());
      return super.visitClass(type, null);
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      check(method.getName().toString());
      return super.visitMethod(method, null);
    }

    @Override
    public Void visitVariable(VariableTree field, Void unused) {
      check(field.getName().toString());
      return super.visitVariable(field, null);
    }

    @Override
    public Void visitPackage(PackageTree name, Void unused) {
      check(name.getPackageName().toString());
      return super.visitPackage(name, null);
    }

    @Override
    public Void visitModule(ModuleTree module, Void unused) {
      check(module.getName().toString());
      return super.visitModule(module, null);
    }

    private void check(String what) {
      DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
      if (comment != null) {
        String place = place(getCurrentPath(), what);
        new BrokenTags(tag -> broken.add(place + " has " + tag)).scan(comment, null);
      }
    }
  }

  /** Visits a comment. */
  private static final class BrokenTags extends DocTreeScanner<Void, Void> {
    private final Consumer<String> broken;
    private int depth;

    BrokenTags(Consumer<String> broken) {
      this.broken = broken;
    }

    @Override
    public Void visitDocComment(DocCommentTree comment, Void unused) {
      super.visitDocComment(comment, null);
      if (depth != 0) {
        broken.accept("braces that do not match");
      }
      return null;
    }

    @Override
    public Void visitUnknownBlockTag(UnknownBlockTagTree tag, Void unused) {
      broken.accept("an unknown " + tag);
      return null;
    }

    @Override
    public Void visitUnknownInlineTag(UnknownInlineTagTree tag, Void unused) {
      broken.accept("an unknown " + tag);
      return null;
    }

    @Override
    public Void visitErroneous(ErroneousTree tag, Void unused) {
      broken.accept("a broken " + tag);
      return null;
    }

    /** What it quotes may be anything. */
    @Override
    public Void visitLiteral(LiteralTree literal, Void unused) {
      return null;
    }

    @Override
    public Void visitText(TextTree text, Void unused) {
      Matcher lost = LOST_TAG.matcher(text.getBody());
      if (lost.find()) {
        broken.accept("a lost " + lost.group());
      }
      for (char letter : text.getBody().toCharArray()) {
        depth += letter == '{' ? 1 : letter == '}' ? -1 : 0;
      }
      return null;
    }
  }
}
