package io.bloomery.plan;

import io.bloomery.lookup.BankShape;
import io.bloomery.lookup.CombinatorialShape;
import io.bloomery.lookup.CountingBankShape;
import io.bloomery.lookup.SpatialShape;
import java.util.List;
import java.util.Set;

/** What the planner knows of the filters of many sets. */
final class BankRules {

  private static final String LOOKUP = "io.bloomery.lookup.";

  /** The sets that a bank is planned for, since needs do not tell. */
  static final int SETS = 64;

  /** The values that codes are planned for, since needs do not tell. */
  static final int VALUES = 255;

  private BankRules() {}

  static List<PlanRule<?>> all() {
    return List.of(
        RuleParts.rule(
            "filter-bank",
            LOOKUP + "FilterBank",
            Set.of(Need.MANY_SETS),
            RuleParts.sized(
                needs ->
                    BankShape.forKeys(needs.keys(), RuleParts.rate(needs), SETS, BankShape.ONE_HOT),
                needs ->
                    BankShape.forBudget(
                        needs.keys(), RuleParts.bits(needs), SETS, BankShape.ONE_HOT)),
            BankShape::probes,
            BankShape::wordsPerQuery,
            "Tells all sets of a key in one pass over as many rows as one filter has probes; sized"
                + " for 64 sets of the same size"),
        RuleParts.rule(
            "filter-bank-binary",
            LOOKUP + "FilterBank",
            Set.of(Need.VALUES),
            RuleParts.sized(
                needs ->
                    BankShape.forKeys(
                        needs.keys(), RuleParts.rate(needs), VALUES, BankShape.BINARY),
                needs ->
                    BankShape.forBudget(
                        needs.keys(), RuleParts.bits(needs), VALUES, BankShape.BINARY)),
            shape -> 2 * shape.probes(),
            BankShape::wordsPerQuery,
            "Takes keys with their values one by one, a filter for each binary digit; a value may"
                + " be wrong; sized for 255 values"),
        RuleParts.rule(
            "spatial",
            LOOKUP + "SpatialBloomFilter",
            Set.of(Need.VALUES),
            RuleParts.sized(
                needs -> SpatialShape.forKeys(needs.keys(), RuleParts.rate(needs), VALUES),
                needs -> SpatialShape.forBudget(needs.keys(), RuleParts.bits(needs), VALUES)),
            SpatialShape::probes,
            SpatialShape::probes,
            "Values are priorities: a key never has a lower one than its own, and the highest are"
                + " hardly ever wrong; sized for 255 values"),
        RuleParts.rule(
            "combinatorial",
            LOOKUP + "CombinatorialBloomFilter",
            Set.of(Need.MANY_SETS, Need.VALUES),
            RuleParts.sized(
                needs -> CombinatorialShape.forKeys(needs.keys(), RuleParts.rate(needs), VALUES),
                needs -> CombinatorialShape.forBudget(needs.keys(), RuleParts.bits(needs), VALUES)),
            shape -> shape.probes() * shape.groups(),
            shape -> shape.probes() * shape.groups(),
            "Sets of any size share one array, and an ambiguous answer shows; sized for 255 sets"),
        new PlanRule<>(
            "counting-bank",
            LOOKUP + "CountingFilterBank",
            Set.of(Need.MANY_SETS, Need.DELETES),
            RuleParts.where(
                Set.of(Need.MANY_SETS),
                RuleParts.sized(
                    needs -> CountingBankShape.forKeys(needs.keys(), RuleParts.rate(needs), SETS),
                    needs ->
                        CountingBankShape.forBudget(needs.keys(), RuleParts.bits(needs), SETS))),
            shape -> shape.bank().probes(),
            shape -> shape.bank().wordsPerQuery(),
            true,
            "Keys may leave their sets and move to others; sized for 64 sets of the same size"));
  }
}
