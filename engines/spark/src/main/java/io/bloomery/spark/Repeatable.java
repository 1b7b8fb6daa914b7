package io.bloomery.spark;

import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Deduplicate;
import org.apache.spark.sql.catalyst.plans.logical.Distinct;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Range;
import org.apache.spark.sql.catalyst.plans.logical.Repartition;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils;
import org.apache.spark.sql.execution.LogicalRDD;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegralType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Whether a plan has the same rows each time it is computed, as far as the plan itself shows that:
 * everything that is not known to be repeatable is taken for not being so. A user-defined function
 * is what Spark takes it for, deterministic unless it is marked otherwise.
 */
final class Repeatable {

  /** Operators whose rows follow from those of their inputs, in whatever order these come. */
  private static final Set<Class<?>> OPERATORS =
      Set.of(
          Project.class,
          Filter.class,
          SubqueryAlias.class,
          View.class,
          Union.class,
          Join.class,
          Distinct.class,
          Sort.class,
          Repartition.class,
          RepartitionByExpression.class);

  private static final Set<Class<?>> CONSTANTS =
      Set.of(LocalRelation.class, OneRowRelation.class, Range.class);

  /** Aggregates that do not depend on the order of rows, whatever their type. */
  private static final Set<Class<?>> AGGREGATES = Set.of(Count.class, Min.class, Max.class);

  /** Sums of decimals have ten digits more, and so hold any number of rows. */
  private static final int MOST_DIGITS = DecimalType.MAX_PRECISION() - 10;

  private final boolean filesStay;

  private Repeatable(boolean filesStay) {
    this.filesStay = filesStay;
  }

  /** What may have other rows the next time if no file is changed in between, or null. */
  static @Nullable String problemIfFilesStay(Dataset<Row> side) {
    return new Repeatable(true).problem(side.queryExecution().analyzed());
  }

  /** Whether the rows are the same whatever happens outside of Spark. */
  static boolean isCertain(Dataset<Row> side) {
    return new Repeatable(false).problem(side.queryExecution().analyzed()) == null;
  }

  private @Nullable String problem(LogicalPlan plan) {
    if (!plan.deterministic()) {
      return "an expression that is not deterministic";
    }
    if (plan.containsPattern(TreePattern.CURRENT_LIKE())) {
      return "the current time";
    }
    if (plan.containsPattern(TreePattern.PLAN_EXPRESSION())) {
      return "a subquery";
    }
    return operatorProblem(plan);
  }

  private @Nullable String operatorProblem(LogicalPlan plan) {
    if (plan.children().isEmpty()) {
      return isRepeatableSource(plan) ? null : "its source, " + plan.nodeName();
    }
    if (!isRepeatableOperator(plan)) {
      return "the operator " + plan.nodeName();
    }
    for (LogicalPlan child : CollectionConverters.asJava(plan.children())) {
      String problem = operatorProblem(child);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private static boolean isRepeatableOperator(LogicalPlan plan) {
    if (plan instanceof Aggregate) {
      return CollectionConverters.asJava(plan.expressions()).stream()
          .allMatch(Repeatable::isFreeOfOrder);
    }
    if (plan instanceof Deduplicate deduplicate) { // rows that are equal as a whole
      return isStable(plan) && deduplicate.keys().size() == plan.output().size();
    }
    return OPERATORS.contains(plan.getClass()) && (!(plan instanceof Distinct) || isStable(plan));
  }

  /** Whether equal values of what an operator reads are the same: not in every collation. */
  private static boolean isStable(LogicalPlan plan) {
    return CollectionConverters.asJava(plan.children()).stream()
        .flatMap(child -> CollectionConverters.asJava(child.output()).stream())
        .allMatch(column -> UnsafeRowUtils.isBinaryStable(column.dataType()));
  }

  private boolean isRepeatableSource(LogicalPlan source) {
    if (source instanceof LogicalRDD rows) {
      return rows.rdd().isCheckpointed();
    }
    return CONSTANTS.contains(source.getClass())
        || (filesStay
            && source instanceof LogicalRelation relation
            && relation.relation() instanceof HadoopFsRelation);
  }

  private static boolean isFreeOfOrder(Expression expression) {
    if (!UnsafeRowUtils.isBinaryStable(expression.dataType())) {
      return false; // one of several equal values is taken
    }
    if (expression instanceof AggregateExpression aggregate) {
      Expression function = aggregate.aggregateFunction();
      return AGGREGATES.contains(function.getClass())
          || (function instanceof Sum sum && isExact(sum.child().dataType()))
          || (function instanceof Average average && isDecimal(average.child().dataType()));
    }
    return CollectionConverters.asJava(expression.children()).stream()
        .allMatch(Repeatable::isFreeOfOrder);
  }

  /** Sums of real numbers are rounded; averages of whole numbers are such sums. */
  private static boolean isExact(DataType summands) {
    return summands instanceof IntegralType || isDecimal(summands);
  }

  private static boolean isDecimal(DataType summands) {
    return summands instanceof DecimalType decimal && decimal.precision() <= MOST_DIGITS;
  }
}
