package dev.chert.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chert.plan.PhysicalPlan;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Plans the queries of TPC-H over the statistics of scale factor 1.
class TpchPlansTest {
    private final PlannerFixture fixture = new PlannerFixture();

    private static String query(int number) throws IOException {
        String corpus =
                System.getProperty("chert.corpus", System.getenv().getOrDefault("CHERT_CORPUS", "../shared/corpus"));
        Path path = Path.of(corpus, "benchmarks", "tpch", "queries", "q%02d.sql".formatted(number));
        assumeTrue(Files.exists(path), "the public corpus is absent: " + path);
        return Files.readString(path).replaceAll(";\\s*$", "");
    }

    private String plan(int number) throws IOException {
        return fixture.physical(query(number));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
    void plansEveryQueryWithoutAProductOfTables(int number) throws IOException {
        // Compared with by a nested loop: a sub-query of one row, and in Q7 one pair of nations with another.
        int scalars = number == 7 || number == 11 || number == 22 ? 1 : 0;
        assertThat(plan(number).split("NestedLoopJoin")).hasSize(1 + scalars);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 13, 16, 21})
    void plansSurviveSerialisation(int number) throws IOException, ClassNotFoundException {
        PhysicalPlan plan = ((Planned.Query) fixture.plan(query(number))).plan();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(plan);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(plan);
        }
    }

    @Test
    void handsDateRangesToTheScan() throws IOException {
        assertThat(plan(6)).isEqualTo("""
                HashAggregate keys=[] aggregates=[sum(#0)]
                  Project [(#1 * #2)]
                    Filter (((#3 >= 8766) and (#3 < 9131)) and ((#2 >= 0.05) and (#2 <= 0.07)) and (#0 < 24.00))
                      Scan lineitem columns=[l_quantity, l_extendedprice, l_discount, l_shipdate] prune=[#10 >= 8766, #10 < 9131, #6 >= 0.05, #6 <= 0.07, #4 < 24.00]
                """);
    }

    @Test
    void joinsFromTheSmallestTableUp() throws IOException {
        assertThat(plan(5)).isEqualTo("""
                Sort [#1 desc nulls first]
                  HashAggregate keys=[#0] aggregates=[sum(#1)]
                    Project [#10, (#2 * (1.00 - #3))]
                      HashJoin INNER probe=[#1, #8] build=[#0, #1]
                        HashJoin INNER probe=[#0] build=[#0]
                          Scan lineitem columns=[l_orderkey, l_suppkey, l_extendedprice, l_discount]
                          HashJoin INNER probe=[#1] build=[#0]
                            Filter ((#2 >= 8766) and (#2 < 9131))
                              Scan orders columns=[o_orderkey, o_custkey, o_orderdate] prune=[#4 >= 8766, #4 < 9131]
                            HashJoin INNER probe=[#1] build=[#0]
                              Scan customer columns=[c_custkey, c_nationkey]
                              HashJoin INNER probe=[#2] build=[#0]
                                Scan nation columns=[n_nationkey, n_name, n_regionkey]
                                Filter (#1 = 'ASIA')
                                  Scan region columns=[r_regionkey, r_name] prune=[#1 = 'ASIA']
                        Scan supplier columns=[s_suppkey, s_nationkey]
                """);
    }

    @Test
    void joinsOnTheFactorThatAllAlternativesShare() throws IOException {
        assertThat(plan(19))
                .contains("HashJoin INNER probe=[#0] build=[#0] residual=")
                .contains("Filter ((#2 >= 1) and");
    }

    @Test
    void asksExistsOnceForEachOuterRow() throws IOException {
        assertThat(plan(21)).contains("HashJoin RIGHT_ANTI").contains("HashJoin RIGHT_SEMI");
        assertThat(plan(21).split("Scan lineitem")).hasSize(1 + 3);
        assertThat(plan(4)).contains("HashJoin RIGHT_SEMI probe=[#0] build=[#0]");
    }

    @Test
    void filtersOrdersBeforeTheyAreJoined() throws IOException {
        assertThat(plan(18).replaceAll("\n +", "\n"))
                .contains("\nHashJoin INNER probe=[#1] build=[#0]\nHashJoin SEMI probe=[#0] build=[#0]\nScan orders");
    }

    @Test
    void buildsTheSmallerSideOfAnOuterJoin() throws IOException {
        assertThat(plan(13)).contains("HashJoin RIGHT probe=[#1] build=[#0]");
    }
}
