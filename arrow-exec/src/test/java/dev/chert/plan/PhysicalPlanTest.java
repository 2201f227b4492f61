package dev.chert.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.Literal;
import dev.chert.expression.SortKey;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PhysicalPlanTest {
    private static final Schema NUMBERS = Schema.of(Field.of("n", ScalarType.BIGINT));
    private static final InputColumn NUMBER = new InputColumn(0, ScalarType.BIGINT);
    private static final List<SortKey> BY_NUMBER = List.of(new SortKey(NUMBER, true, true));

    @Test
    void nodesThatKeepTheirRowsExpectThoseOfTheirInputs() {
        PhysicalPlan hundred = rows(100);
        assertThat(hundred.estimatedRows()).isEqualTo(100);
        assertThat(new PhysicalPlan.Project(hundred, List.of(NUMBER), NUMBERS).estimatedRows())
                .isEqualTo(100);
        assertThat(new PhysicalPlan.Sort(hundred, BY_NUMBER).estimatedRows()).isEqualTo(100);
        assertThat(new PhysicalPlan.Exchange(hundred, new PhysicalPlan.Distribution.Single()).estimatedRows())
                .isEqualTo(100);
        assertThat(new PhysicalPlan.UnionAll(List.of(hundred, rows(7)), NUMBERS).estimatedRows())
                .isEqualTo(107);
    }

    @Test
    void aLimitExpectsWhatItLeaves() {
        PhysicalPlan hundred = rows(100);
        assertThat(new PhysicalPlan.Limit(hundred, 10, Long.MAX_VALUE).estimatedRows())
                .isEqualTo(90);
        assertThat(new PhysicalPlan.Limit(hundred, 10, 20).estimatedRows()).isEqualTo(20);
        assertThat(new PhysicalPlan.Limit(hundred, 95, 20).estimatedRows()).isEqualTo(5);
        assertThat(new PhysicalPlan.TopN(hundred, BY_NUMBER, 95, 20).estimatedRows())
                .isEqualTo(5);
        assertThat(new PhysicalPlan.TopN(hundred, BY_NUMBER, 200, 20).estimatedRows())
                .isZero();
    }

    @Test
    void nodesThatChooseRowsExpectWhatTheirMakerSaid() {
        PhysicalPlan hundred = rows(100);
        PhysicalPlan made = new PhysicalPlan.Filter(hundred, Literal.TRUE);
        assertThat(made.estimatedRows()).isNaN();
        assertThat(made).isEqualTo(new PhysicalPlan.Filter(hundred, Literal.TRUE));
        assertThat(new PhysicalPlan.Limit(made, 0, 20).estimatedRows()).isNaN();
        assertThat(new PhysicalPlan.Filter(hundred, Literal.TRUE, 12).estimatedRows())
                .isEqualTo(12);
        assertThat(new PhysicalPlan.NestedLoopJoin(hundred, hundred, JoinKind.INNER, null).estimatedRows())
                .isNaN();
    }

    private static PhysicalPlan rows(int count) {
        return new PhysicalPlan.Values(
                NUMBERS, Collections.nCopies(count, List.of(new Literal(1L, ScalarType.BIGINT))));
    }
}
