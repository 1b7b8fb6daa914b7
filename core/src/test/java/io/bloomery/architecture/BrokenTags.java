package io.bloomery.architecture;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.ErroneousTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.TextTree;
import com.sun.source.doctree.UnknownBlockTagTree;
import com.sun.source.doctree.UnknownInlineTagTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModuleTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTreeScanner;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePathScanner;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds tags that are unknown, unfinished or lack a brace, in the comments of all declarations. */
final class BrokenTags extends TreePathScanner<Void, Void> {

  /** An inline tag that is text because it lacks its brace. */
  private static final Pattern LOST_TAG =
      Pattern.compile("@(code|link|linkplain|literal|value|inheritDoc|snippet|index)\\b");

  private final DocTrees docs;
  private final List<String> broken;

  BrokenTags(DocTrees docs, List<String> broken) {
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
      String place = CommentsTest.place(getCurrentPath(), what);
      new Comment(tag -> broken.add(place + " has " + tag)).scan(comment, null);
    }
  }

  /** Visits a comment. */
  private static final class Comment extends DocTreeScanner<Void, Void> {
    private final Consumer<String> broken;
    private int depth;

    Comment(Consumer<String> broken) {
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
