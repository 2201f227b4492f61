package dev.chert.build.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.build.loop.LoopMethod.Context;
import dev.chert.build.loop.LoopMethod.Parameter;
import dev.chert.build.loop.LoopMethod.Result;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LoopWriterTest {
    private static String write(Result result, Parameter... parameters) {
        return LoopWriter.write(new LoopMethod(
                "example", "Functions", "compute", "ComputeLoop", Context.NONE, List.of(parameters), result));
    }

    private static Parameter plain(Slot slot) {
        return new Parameter(slot, false, null);
    }

    @Test
    void readsAConstantBeforeTheLoop() {
        assertThat(write(new Result(Slot.LONG, false), plain(Slot.LONG), plain(Slot.LONG)))
                .contains("""
                            private static void selected2(Column[] in, int[] selection, int count, ColumnWriter out, CallContext context) {
                                MemorySegment s0 = in[0].values();
                                MemorySegment s1 = in[1].values();
                                long c1 = s1.getAtIndex(Layouts.LONG, 0);
                                MemorySegment o = out.values();
                                for (int i = 0; i < count; i++) {
                                    int row = selection[i];
                                    o.setAtIndex(Layouts.LONG, row, Functions.compute(s0.getAtIndex(Layouts.LONG, row), c1));
                                }
                            }
                        """);
    }

    @Test
    void narrowsASelectionWithoutABranch() {
        assertThat(write(new Result(Slot.BOOLEAN, false), plain(Slot.INT))).contains("""
                                for (int row = 0; row < count; row++) {
                                    kept[size] = row;
                                    size += Functions.compute(s0.getAtIndex(Layouts.INT, row)) ? 1 : 0;
                                }
                                return size;
                        """);
    }

    @Test
    void masksTheRowsOfConstantsWhereThereAreManyArguments() {
        assertThat(write(new Result(Slot.INT, false), plain(Slot.INT), plain(Slot.INT), plain(Slot.INT)))
                .contains("int m2 = in[2].isConstant() ? 0 : -1;")
                .contains("s2.getAtIndex(Layouts.INT, row & m2)")
                .doesNotContain("selected1");
    }

    @Test
    void handsNullsToBoxedParametersAndTakesThemFromBoxedResults() {
        assertThat(write(new Result(Slot.DOUBLE, true), new Parameter(Slot.LONG, true, null)))
                .contains("(n0.isNull(row) ? null : Long.valueOf(s0.getAtIndex(Layouts.LONG, row)))")
                .contains("out.setNull(row);");
    }

    @Test
    void makesAConstantPatternReadyOnce() {
        String source = write(
                new Result(Slot.BOOLEAN, false),
                plain(Slot.STRING),
                new Parameter(Slot.PREPARED, false, "example.Pattern"));
        assertThat(source)
                .contains("example.Pattern c1 = context.prepared(1, v1.at(s1, d1, 0), example.Pattern::of);")
                .contains("Functions.compute(v0.at(s0, d0, row), c1)");
    }
}
