package dev.chert.planner.rules;

import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.planner.catalog.Catalog;
import dev.chert.planner.catalog.CatalogTable;
import dev.chert.source.ColumnPredicate;
import dev.chert.source.PredicateUse;
import dev.chert.source.Statistics;
import dev.chert.source.TableSource;
import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.rel.rules.SubQueryRemoveRule;
import org.junit.jupiter.api.Test;

class RulesTest {
    private static final RelOptRule TO_MARK = SubQueryRemoveRule.Config.FILTER_ENABLE_MARK_JOIN.toRule();

    private final Catalog catalog = new Catalog();

    RulesTest() {
        Schema schema = Schema.of(
                new Field("a", ScalarType.INTEGER, false),
                new Field("b", ScalarType.INTEGER, false),
                new Field("n", ScalarType.INTEGER, true));
        catalog.add(new Catalog.Table("t", new Fixed(schema)), false);
    }

    /// A table without rows.
    private record Fixed(Schema schema) implements CatalogTable, TableSource {
        @Override
        public TableSource source() {
            return this;
        }

        @Override
        public Statistics statistics() {
            return Statistics.unknown(schema.size());
        }

        @Override
        public String describe() {
            return "t";
        }

        @Override
        public PredicateUse use(ColumnPredicate predicate) {
            return PredicateUse.IGNORED;
        }

        @Override
        public SplitList splits(ScanRequest request) {
            return new SplitList(List.of(), 0);
        }
    }

    private RuleFixture rule(RelOptRule rule) {
        return RuleFixture.rule(catalog, rule);
    }

    @Test
    void filterFactorsPullsWhatAllAlternativesShare() {
        rule(FilterFactors.INSTANCE)
                .sql("SELECT a FROM t WHERE (a = 1 AND b = 2) OR (b = 3 AND a = 1)")
                .becomes("""
                LogicalProject(a=[$0])
                  LogicalFilter(condition=[AND(=($0, 1), OR(=($1, 2), =($1, 3)))])
                    LogicalTableScan(table=[[t]])
                """);
        rule(FilterFactors.INSTANCE)
                .sql("SELECT a FROM t WHERE (a = 1 AND b = 2) OR b = 3")
                .doesNotFire();
    }

    @Test
    void simplifyFilterComputesConstants() {
        rule(Simplification.FILTER).sql("SELECT a FROM t WHERE a > 1 + 2 * 3").becomes("""
                LogicalProject(a=[$0])
                  LogicalFilter(condition=[>($0, 7)])
                    LogicalTableScan(table=[[t]])
                """);
        rule(Simplification.FILTER).sql("SELECT a FROM t WHERE a > 1").doesNotFire();
    }

    @Test
    void simplifyProjectLeavesWhatMayFailToTheRun() {
        rule(Simplification.PROJECT)
                .sql("SELECT 1 / 0 AS x, 2147483647 + 1 AS y FROM t")
                .doesNotFire();
    }

    @Test
    void markFilterKnowsTheMarkAboveItsFilter() {
        rule(MarkFilter.INSTANCE)
                .after(TO_MARK)
                .sql("SELECT a FROM t WHERE a IN (SELECT b FROM t) AND b > 1")
                .becomes("""
                LogicalProject(a=[$0])
                  LogicalProject(a=[$0], b=[$1], n=[$2])
                    LogicalProject(a=[$0], b=[$1], n=[$2], markCol=[true])
                      LogicalFilter(condition=[>($1, 1)])
                        LogicalJoin(condition=[=($0, $3)], joinType=[semi])
                          LogicalTableScan(table=[[t]])
                          LogicalProject(b=[$1])
                            LogicalTableScan(table=[[t]])
                """);
        rule(MarkFilter.INSTANCE)
                .after(TO_MARK)
                .sql("SELECT a FROM t WHERE a IN (SELECT b FROM t) OR b > 1")
                .doesNotFire();
    }

    @Test
    void markFilterLeavesAMarkThatMayBeNull() {
        rule(MarkFilter.INSTANCE)
                .after(TO_MARK)
                .sql("SELECT a FROM t WHERE a NOT IN (SELECT n FROM t)")
                .doesNotFire();
    }

    @Test
    void correlatedMarkJoinsOnThePredicate() {
        rule(CorrelatedMark.INSTANCE)
                .after(TO_MARK)
                .sql("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM t AS u WHERE u.n = t.a AND u.b > 1)")
                .becomes("""
                        LogicalProject(a=[$0])
                          LogicalProject(a=[$0], b=[$1], n=[$2])
                            LogicalFilter(condition=[$3])
                              LogicalJoin(condition=[IS TRUE(=($5, $0))], joinType=[left_mark])
                                LogicalTableScan(table=[[t]])
                                LogicalFilter(condition=[>($1, 1)])
                                  LogicalTableScan(table=[[t]])
                        """);
        rule(CorrelatedMark.INSTANCE)
                .after(TO_MARK)
                .sql("SELECT a FROM t WHERE EXISTS (SELECT max(u.b) FROM t AS u WHERE u.n = t.a HAVING max(u.b) > 1)")
                .doesNotFire();
    }
}
