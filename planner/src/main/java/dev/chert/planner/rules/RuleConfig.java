package dev.chert.planner.rules;

import java.util.function.Function;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.tools.RelBuilderFactory;

/// How one of our rules is configured: its name, its pattern and its constructor.
record RuleConfig(
        String description,
        Function<RuleConfig, RelOptRule> constructor,
        RelRule.OperandTransform operandSupplier,
        RelBuilderFactory relBuilderFactory)
        implements RelRule.Config {
    static RuleConfig of(
            String name, Function<RuleConfig, RelOptRule> constructor, RelRule.OperandTransform operandSupplier) {
        return new RuleConfig(name, constructor, operandSupplier, RelFactories.LOGICAL_BUILDER);
    }

    @Override
    public RelOptRule toRule() {
        return constructor.apply(this);
    }

    @Override
    public RuleConfig withRelBuilderFactory(RelBuilderFactory factory) {
        return new RuleConfig(description, constructor, operandSupplier, factory);
    }

    @Override
    public RuleConfig withDescription(String name) {
        return new RuleConfig(name, constructor, operandSupplier, relBuilderFactory);
    }

    @Override
    public RuleConfig withOperandSupplier(RelRule.OperandTransform operands) {
        return new RuleConfig(description, constructor, operands, relBuilderFactory);
    }
}
