package dev.chert.planner.joinorder;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.chert.planner.joinorder.Enumeration.Leaf;
import dev.chert.planner.joinorder.Enumeration.Node;
import dev.chert.planner.joinorder.Enumeration.Tree;
import dev.chert.planner.statistics.Estimator;
import dev.chert.planner.types.ChertTypeFactory;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnumerationTest {
    private final ChertTypeFactory types = new ChertTypeFactory();
    private final RexBuilder rex = new RexBuilder(types);
    private final RelOptCluster cluster =
            RelOptCluster.create(new HepPlanner(HepProgram.builder().build()), rex);
    private final RelDataType integer = types.createSqlType(SqlTypeName.INTEGER);

    /// Relations of random sizes with two columns each, joined by a chain, star or clique of random equalities.
    private JoinGraph graph(int relations, Random random) {
        RelNode tree = table(0, 1 + random.nextInt(20));
        for (int i = 1; i < relations; i++) {
            List<RexNode> conditions = new ArrayList<>();
            int edges = 1 + random.nextInt(2);
            for (int e = 0; e < edges; e++) {
                int left = random.nextInt(2 * i);
                int right = 2 * i + random.nextInt(2);
                conditions.add(rex.makeCall(
                        SqlStdOperatorTable.EQUALS, rex.makeInputRef(integer, left), rex.makeInputRef(integer, right)));
            }
            tree = LogicalJoin.create(
                    tree,
                    table(i, 1 + random.nextInt(20)),
                    List.of(),
                    RexUtil.composeConjunction(rex, conditions),
                    Set.of(),
                    JoinRelType.INNER);
        }
        JoinGraph graph = new JoinGraph(rex);
        graph.add(tree);
        graph.estimate(new Estimator());
        return graph;
    }

    private RelNode table(int index, int rows) {
        List<List<RexLiteral>> tuples = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            RexLiteral value = rex.makeExactLiteral(BigDecimal.valueOf(i), integer);
            tuples.add(List.of(value, value));
        }
        RelDataType row = types.builder()
                .add("a" + index, integer)
                .add("b" + index, integer)
                .build();
        return LogicalValues.create(
                cluster,
                row,
                ImmutableList.copyOf(tuples.stream().map(ImmutableList::copyOf).toList()));
    }

    private static void check(Tree tree, Set<Integer> seen) {
        switch (tree) {
            case Leaf leaf -> assertThat(seen.add(leaf.relation().index)).isTrue();
            case Node node -> {
                assertThat(node.relations())
                        .isEqualTo(node.left().relations() | node.right().relations());
                assertThat(node.left().relations() & node.right().relations()).isZero();
                assertThat(node.left().rows())
                        .isGreaterThanOrEqualTo(node.right().rows());
                check(node.left(), seen);
                check(node.right(), seen);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8, 12, 40})
    void joinsEveryRelationOnceAndBuildsTheSmallerSide(int relations) {
        for (long seed = 0; seed < 8; seed++) {
            JoinGraph graph = graph(relations, new Random(seed));
            Set<Integer> seen = new HashSet<>();
            check(new Enumeration(graph, Enumeration.PAIR_BUDGET).run(), seen);
            assertThat(seen).as("seed " + seed).hasSize(graph.relations.size());
        }
    }

    @Test
    void isNeverDearerThanTheGreedyOrder() {
        for (long seed = 0; seed < 20; seed++) {
            JoinGraph graph = graph(7, new Random(seed));
            double best = new Enumeration(graph, Enumeration.PAIR_BUDGET).run().cost();
            double greedy = new Enumeration(graph, 0).run().cost();
            assertThat(best).as("seed " + seed).isLessThanOrEqualTo(greedy * (1 + 1e-12));
        }
    }
}
