package dev.chert.planner.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.planner.catalog.Catalog;
import dev.chert.planner.parse.SqlText;
import dev.chert.planner.parse.Statement;
import dev.chert.planner.parse.StatementParser;
import dev.chert.planner.types.ChertTypeFactory;
import dev.chert.planner.validate.Conformance;
import dev.chert.planner.validate.QueryValidator;
import dev.chert.query.Settings;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;

/// Applies rules to a query: `rule(X).sql("…").becomes("""…""")`.
final class RuleFixture {
    private final Catalog catalog;
    private final List<RelOptRule> before = new ArrayList<>();
    private final RelOptRule rule;
    private RelNode query;

    private RuleFixture(Catalog catalog, RelOptRule rule) {
        this.catalog = catalog;
        this.rule = rule;
    }

    static RuleFixture rule(Catalog catalog, RelOptRule rule) {
        return new RuleFixture(catalog, rule);
    }

    /// Rules that bring the query into the form that the rule is for.
    RuleFixture after(RelOptRule... rules) {
        before.addAll(List.of(rules));
        return this;
    }

    RuleFixture sql(String sql) {
        ChertTypeFactory factory = new ChertTypeFactory();
        HepPlanner planner = new HepPlanner(HepProgram.builder().build());
        planner.setExecutor(new ConstantFolder());
        RelOptCluster cluster = RelOptCluster.create(planner, new RexBuilder(factory));
        cluster.setMetadataQuerySupplier(Metadata::new);
        Statement statement = new StatementParser(Conformance.INSTANCE).parse(SqlText.of(sql));
        query = new QueryValidator(catalog, null, Settings.defaults(), factory, cluster)
                .convert(((Statement.Query) statement).query())
                .project();
        if (!before.isEmpty()) {
            query = apply(before, query);
        }
        return this;
    }

    private static RelNode apply(List<RelOptRule> rules, RelNode rel) {
        HepProgramBuilder program = HepProgram.builder();
        program.addRuleCollection(rules);
        HepPlanner planner = new HepPlanner(program.build());
        planner.setRoot(rel);
        return planner.findBestExp();
    }

    void becomes(String plan) {
        assertThat(RelOptUtil.toString(apply(List.of(rule), query)).replace("\r", ""))
                .isEqualTo(plan);
    }

    void doesNotFire() {
        assertThat(RelOptUtil.toString(apply(List.of(rule), query))).isEqualTo(RelOptUtil.toString(query));
    }
}
