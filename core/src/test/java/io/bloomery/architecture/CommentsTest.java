package io.bloomery.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
 * checks that comments are correct; missing ones are checked here, because doclint would require
 * the constructor of a record to repeat the record's own parameters, and a {@code @return} where
 * the first sentence has already said it. Broken tags are also found here, in all modules and
 * regardless of visibility: the compiler's doclint, unlike javadoc's, accepts unknown tags as
 * custom ones, and to both a tag without its opening brace is text.
 */
final class CommentsTest {

  private static final Path MAIN = Path.of("src", "main", "java", "io", "bloomery");

  /** Packages that are not exported. */
  private static final List<String> HIDDEN = List.of("internal", "foreign/hash");

  @Test
  void everythingVisibleIsDescribed() throws IOException {
    List<Path> sources =
        Core.sources(MAIN).stream()
            .filter(file -> !file.endsWith("package-info.java"))
            .filter(file -> HIDDEN.stream().noneMatch(name -> file.startsWith(MAIN.resolve(name))))
            .toList();
    assertThat(sources).hasSizeGreaterThan(200);
    assertThat(problems(sources, MissingComments::new)).isEmpty();
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
    assertThat(problems(sources, BrokenTags::new)).isEmpty();
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
    assertThat(problems(sample, MissingComments::new))
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
    assertThat(problems(sample, BrokenTags::new))
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

  static String place(TreePath path, String what) {
    String file = path.getCompilationUnit().getSourceFile().getName();
    return file.substring(file.lastIndexOf('/') + 1) + "." + what;
  }
}
