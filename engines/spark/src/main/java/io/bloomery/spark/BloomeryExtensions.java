package io.bloomery.spark;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.aggregate.V2Aggregator;
import org.apache.spark.sql.catalyst.expressions.objects.Invoke;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.errors.QueryCompilationErrors;
import scala.PartialFunction;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/**
 * Gives {@code bloom_agg} its constant arguments during analysis, so that wrong ones are reported
 * there, and a group without rows has a filter of the right size. Looks at filters that are
 * constants, mostly names, so that those that do not exist or have keys of another type are
 * reported there, too. Spark loads it into every session by itself, from {@code META-INF/services};
 * where that file is lost, by the option {@code
 * spark.sql.extensions=io.bloomery.spark.BloomeryExtensions}.
 */
public final class BloomeryExtensions implements SparkSessionExtensionsProvider {

  /** For Spark, which finds the class by its name. */
  public BloomeryExtensions() {}

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectPostHocResolutionRule(session -> new Constants());
    extensions.injectCheckRule(session -> new KnownFilters());
    return BoxedUnit.UNIT;
  }

  /** The rule; it changes nothing but {@code bloom_agg}. */
  private static final class Constants extends Rule<LogicalPlan> {

    private static final PartialFunction<Expression, Expression> AGGREGATES =
        new AbstractPartialFunction<>() {
          @Override
          public boolean isDefinedAt(Expression expression) {
            return expression instanceof V2Aggregator<?, ?> aggregator
                && aggregator.aggrFunc() instanceof BloomAggregate function
                && !function.hasConstants()
                && aggregator.resolved()
                && isConstant(aggregator);
          }

          @Override
          public Expression apply(Expression expression) {
            return withConstants((V2Aggregator<?, ?>) expression);
          }
        };

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      return plan.containsPattern(TreePattern.AGGREGATE_EXPRESSION())
          ? plan.transformAllExpressions(AGGREGATES)
          : plan;
    }

    private static boolean isConstant(V2Aggregator<?, ?> aggregator) {
      for (int i = 1; i < aggregator.children().size(); i++) {
        Expression child = aggregator.children().apply(i);
        if (!child.foldable() || child.containsPattern(TreePattern.CURRENT_LIKE())) {
          return false;
        }
      }
      return true;
    }

    private static Expression withConstants(V2Aggregator<?, ?> aggregator) {
      BloomAggregate function = (BloomAggregate) aggregator.aggrFunc();
      Object name =
          aggregator.children().size() == 3
              ? BloomAggregate.DEFAULT
              : aggregator.children().apply(3).eval(null);
      try {
        return new V2Aggregator<>(
            function.with(
                (Long) aggregator.children().apply(1).eval(null),
                (Double) aggregator.children().apply(2).eval(null),
                name == null ? null : name.toString()),
            aggregator.children(),
            aggregator.mutableAggBufferOffset(),
            aggregator.inputAggBufferOffset());
      } catch (IllegalArgumentException e) {
        throw refused(function, BloomAggregate.USAGE, aggregator.children(), e);
      }
    }
  }

  /** The check; plans that were analysed before are not looked at again. */
  private static final class KnownFilters extends AbstractFunction1<LogicalPlan, BoxedUnit> {

    @Override
    public BoxedUnit apply(LogicalPlan plan) {
      if (!plan.analyzed()) {
        CollectionConverters.asJava(plan.children()).forEach(this::apply);
        CollectionConverters.asJava(plan.expressions()).forEach(KnownFilters::check);
      }
      return BoxedUnit.UNIT;
    }

    private static void check(Expression expression) {
      if (expression.containsPattern(TreePattern.INVOKE())) {
        CollectionConverters.asJava(expression.children()).forEach(KnownFilters::check);
        if (expression instanceof Invoke call && call.targetObject() instanceof Literal target) {
          checkCall(call, target.value());
        }
      }
    }

    private static void checkCall(Invoke call, Object function) {
      if (function instanceof ContainsFunction contains) {
        check(call, contains, contains.filters());
      } else if (function instanceof AnswerFunction answer) {
        check(call, answer, answer.filters());
      }
    }

    private static void check(Invoke call, BoundFunction function, FilterArgument filters) {
      Expression filter = call.arguments().apply(0);
      if (!filter.foldable()
          || filter.containsPattern(TreePattern.CURRENT_LIKE())
          || !(filter.eval(null) instanceof byte[] bytes)) {
        return;
      }
      try {
        filters.check(bytes);
      } catch (IllegalArgumentException e) {
        String usage = function.name() + "(filter, key)";
        throw refused(function, usage, call.arguments(), e);
      }
    }
  }

  private static RuntimeException refused(
      BoundFunction function,
      String usage,
      Seq<Expression> arguments,
      IllegalArgumentException problem) {
    return sneaky(
        QueryCompilationErrors.functionCannotProcessInputError(
            Functions.of(function.name(), usage, types -> function),
            arguments,
            new UnsupportedOperationException(usage + ": " + problem.getMessage(), problem)));
  }

  /** Spark's own error is a checked exception, which its rules throw without declaring it. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException sneaky(Throwable error) throws E {
    throw (E) error;
  }
}
