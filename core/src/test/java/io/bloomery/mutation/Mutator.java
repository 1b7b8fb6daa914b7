package io.bloomery.mutation;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssertTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import io.bloomery.mutation.Mutation.Operator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Finds every place of a source file where one of the rules makes an error. Messages of exceptions,
 * {@code toString}, {@code hashCode}, assertions and annotations are left alone. Mutations that do
 * not compile are detected later.
 */
final class Mutator extends TreePathScanner<Void, Void> {

  private static final Set<String> LEFT_ALONE = Set.of("toString", "hashCode");

  private static final Map<Tree.Kind, Rule> BINARY =
      Map.ofEntries(
          Map.entry(Tree.Kind.PLUS, new Rule(Operator.ARITHMETIC, "+", "-")),
          Map.entry(Tree.Kind.MINUS, new Rule(Operator.ARITHMETIC, "-", "+")),
          Map.entry(Tree.Kind.MULTIPLY, new Rule(Operator.ARITHMETIC, "*", "/")),
          Map.entry(Tree.Kind.DIVIDE, new Rule(Operator.ARITHMETIC, "/", "*")),
          Map.entry(Tree.Kind.REMAINDER, new Rule(Operator.ARITHMETIC, "%", "*")),
          Map.entry(Tree.Kind.AND, new Rule(Operator.ARITHMETIC, "&", "|")),
          Map.entry(Tree.Kind.OR, new Rule(Operator.ARITHMETIC, "|", "&")),
          Map.entry(Tree.Kind.XOR, new Rule(Operator.ARITHMETIC, "^", "|")),
          Map.entry(Tree.Kind.LEFT_SHIFT, new Rule(Operator.ARITHMETIC, "<<", ">>>")),
          Map.entry(Tree.Kind.RIGHT_SHIFT, new Rule(Operator.ARITHMETIC, ">>", "<<")),
          Map.entry(Tree.Kind.UNSIGNED_RIGHT_SHIFT, new Rule(Operator.ARITHMETIC, ">>>", "<<")),
          Map.entry(Tree.Kind.LESS_THAN, new Rule(Operator.BOUNDARY, "<", "<=")),
          Map.entry(Tree.Kind.LESS_THAN_EQUAL, new Rule(Operator.BOUNDARY, "<=", "<")),
          Map.entry(Tree.Kind.GREATER_THAN, new Rule(Operator.BOUNDARY, ">", ">=")),
          Map.entry(Tree.Kind.GREATER_THAN_EQUAL, new Rule(Operator.BOUNDARY, ">=", ">")),
          Map.entry(Tree.Kind.EQUAL_TO, new Rule(Operator.NEGATION, "==", "!=")),
          Map.entry(Tree.Kind.NOT_EQUAL_TO, new Rule(Operator.NEGATION, "!=", "==")),
          Map.entry(Tree.Kind.CONDITIONAL_AND, new Rule(Operator.NEGATION, "&&", "||")),
          Map.entry(Tree.Kind.CONDITIONAL_OR, new Rule(Operator.NEGATION, "||", "&&")));

  private final Path file;
  private final String source;
  private final CompilationUnitTree unit;
  private final SourcePositions positions;
  private final List<Mutation> found = new ArrayList<>();
  private String constant = "";

  private record Rule(Operator operator, String symbol, String instead) {}

  private Mutator(Path file, String source, CompilationUnitTree unit, SourcePositions positions) {
    this.file = file;
    this.source = source;
    this.unit = unit;
    this.positions = positions;
  }

  /** All errors that the rules can make in a source file, in the order of the text. */
  static List<Mutation> mutations(Path file, String source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavacTask task =
        (JavacTask) compiler.getTask(null, null, null, null, null, List.of(text(file, source)));
    try {
      CompilationUnitTree unit = task.parse().iterator().next();
      Mutator mutator = new Mutator(file, source, unit, Trees.instance(task).getSourcePositions());
      mutator.scan(unit, null);
      return mutator.found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A source file that the compiler is given as a text. */
  static JavaFileObject text(Path file, String source) {
    URI name = URI.create("string:///" + file.toString().replace('\\', '/'));
    return new SimpleJavaFileObject(name, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
      }
    };
  }

  private int start(Tree tree) {
    return (int) positions.getStartPosition(unit, tree);
  }

  private int end(Tree tree) {
    return (int) positions.getEndPosition(unit, tree);
  }

  private void add(Operator operator, int from, int to, String text) {
    found.add(new Mutation(file, operator, from, to, text, constant));
  }

  @Override
  public Void visitBinary(BinaryTree tree, Void unused) {
    Rule rule = BINARY.get(tree.getKind());
    if (rule != null && !joinsText(tree)) {
      int gap = end(tree.getLeftOperand());
      int at = source.indexOf(rule.symbol(), gap);
      if (at >= gap && at < start(tree.getRightOperand())) {
        add(rule.operator(), at, at + rule.symbol().length(), rule.instead());
      }
    }
    return super.visitBinary(tree, null);
  }

  private static boolean joinsText(Tree tree) {
    if (tree.getKind() == Tree.Kind.PLUS) {
      BinaryTree sum = (BinaryTree) tree;
      return joinsText(sum.getLeftOperand()) || joinsText(sum.getRightOperand());
    }
    return tree.getKind() == Tree.Kind.STRING_LITERAL;
  }

  @Override
  public Void visitLiteral(LiteralTree tree, Void unused) {
    if (tree.getKind() == Tree.Kind.INT_LITERAL || tree.getKind() == Tree.Kind.LONG_LITERAL) {
      long value = ((Number) tree.getValue()).longValue();
      String suffix = tree.getKind() == Tree.Kind.LONG_LITERAL ? "L" : "";
      add(Operator.CONSTANT, start(tree), end(tree), (value + 1) + suffix);
      add(
          Operator.CONSTANT,
          start(tree),
          end(tree),
          value == 0 ? "(-1" + suffix + ")" : (value - 1) + suffix);
    }
    return null;
  }

  @Override
  public Void visitExpressionStatement(ExpressionStatementTree tree, Void unused) {
    if (getCurrentPath().getParentPath().getLeaf() instanceof BlockTree
        && !source.startsWith("this(", start(tree))
        && !source.startsWith("super(", start(tree))) {
      add(Operator.REMOVAL, start(tree), end(tree), ";");
    }
    return super.visitExpressionStatement(tree, null);
  }

  @Override
  public Void visitIf(IfTree tree, Void unused) {
    negate(tree.getCondition());
    return super.visitIf(tree, null);
  }

  @Override
  public Void visitConditionalExpression(ConditionalExpressionTree tree, Void unused) {
    negate(tree.getCondition());
    return super.visitConditionalExpression(tree, null);
  }

  private void negate(ExpressionTree condition) {
    String text = source.substring(start(condition), end(condition));
    add(Operator.NEGATION, start(condition), end(condition), "(!(" + text + "))");
  }

  @Override
  public Void visitVariable(VariableTree tree, Void unused) {
    Set<Modifier> modifiers = tree.getModifiers().getFlags();
    boolean shared =
        modifiers.contains(Modifier.STATIC)
            && modifiers.contains(Modifier.FINAL)
            && !modifiers.contains(Modifier.PRIVATE);
    String outside = constant;
    constant = shared ? tree.getName().toString() : outside;
    super.visitVariable(tree, null);
    constant = outside;
    return null;
  }

  @Override
  public Void visitMethod(MethodTree tree, Void unused) {
    return LEFT_ALONE.contains(tree.getName().toString()) ? null : super.visitMethod(tree, null);
  }

  @Override
  public Void visitThrow(ThrowTree tree, Void unused) {
    return null;
  }

  @Override
  public Void visitAssert(AssertTree tree, Void unused) {
    return null;
  }

  @Override
  public Void visitAnnotation(AnnotationTree tree, Void unused) {
    return null;
  }
}
