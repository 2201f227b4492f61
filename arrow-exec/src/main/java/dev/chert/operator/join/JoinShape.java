package dev.chert.operator.join;

import dev.chert.batch.DataType;
import dev.chert.batch.Field;
import dev.chert.batch.Physical;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.And;
import dev.chert.expression.Expression.Call;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.operator.table.RowLayout;
import dev.chert.plan.JoinKind;
import dev.chert.plan.PhysicalPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// What a hash join stores of a build row, and what it must find out: derived from the plan node once, shared by
/// all workers.
///
/// A build column is stored if the output has it or a condition reads it; a key that is a plain column is stored
/// once.
/// `NULL_AWARE_ANTI` and `MARK` need three-valued answers. With one key and no residual two facts suffice:
/// whether there are build rows, and whether one has a NULL key. Otherwise [#openCondition()] is the whole join
/// condition, and rows that the hash table leaves undecided are compared by it.
final class JoinShape {
    private final PhysicalPlan.HashJoin node;
    private final List<Expression> stored = new ArrayList<>();
    private final int[] fieldOfColumn;
    private final RowLayout layout;
    private final List<DataType> leftTypes;
    private final List<DataType> rightTypes;
    private final BitSet residualColumns = new BitSet();
    private final Expression openCondition;

    JoinShape(PhysicalPlan.HashJoin node) {
        this.node = node;
        this.leftTypes =
                node.probe().schema().fields().stream().map(Field::type).toList();
        this.rightTypes =
                node.build().schema().fields().stream().map(Field::type).toList();
        this.openCondition = isThreeValued() && (keyCount() != 1 || node.residual() != null) ? condition() : null;
        if (node.residual() != null) {
            ColumnReferences.collect(node.residual(), residualColumns);
        }
        BitSet wanted = new BitSet();
        if (node.kind().givesRight()) {
            wanted.set(0, rightTypes.size());
        }
        BitSet read = (BitSet) residualColumns.clone();
        if (openCondition != null) {
            ColumnReferences.collect(openCondition, read);
        }
        read.stream().filter(c -> c >= leftTypes.size()).forEach(c -> wanted.set(c - leftTypes.size()));

        List<DataType> types = new ArrayList<>();
        for (int k = 0; k < keyCount(); k++) {
            stored.add(node.buildKeys().get(k));
            types.add(keyType(
                    node.probeKeys().get(k).type(), node.buildKeys().get(k).type()));
        }
        fieldOfColumn = new int[rightTypes.size()];
        Arrays.fill(fieldOfColumn, -1);
        for (int c = wanted.nextSetBit(0); c >= 0; c = wanted.nextSetBit(c + 1)) {
            Expression column = new InputColumn(c, rightTypes.get(c));
            int key = stored.subList(0, keyCount()).indexOf(column);
            if (key >= 0 && types.get(key).equals(rightTypes.get(c))) {
                fieldOfColumn[c] = key;
            } else {
                fieldOfColumn[c] = stored.size();
                stored.add(column);
                types.add(rightTypes.get(c));
            }
        }
        layout = new RowLayout(types, marksRight() ? 16 : 8);
    }

    /// The type in which both keys are stored and compared: the wider of two DECIMALs.
    private static DataType keyType(DataType probe, DataType build) {
        if (!haveSameValues(probe, build)) {
            throw new IllegalArgumentException(
                    "join keys of types " + probe + " and " + build + ": cast one to the other's type");
        }
        return probe.kind() == TypeKind.DECIMAL && ((ScalarType) probe).precision() > ScalarType.MAX_LONG_PRECISION
                ? probe
                : build;
    }

    /// Whether equal values of two types are stored alike.
    private static boolean haveSameValues(DataType probe, DataType build) {
        if (probe.physical() == Physical.VIEW || probe.kind().isInteger()) {
            return probe.physical() == Physical.VIEW
                    ? build.physical() == Physical.VIEW
                    : build.kind().isInteger();
        }
        if (probe.kind() != build.kind()) {
            return false;
        }
        return switch (probe.kind()) {
            case DECIMAL -> ((ScalarType) probe).scale() == ((ScalarType) build).scale();
            case TIME, TIMESTAMP, TIMESTAMP_LTZ, INTERVAL_DAY_TIME ->
                ((ScalarType) probe).unitsPerSecond() == ((ScalarType) build).unitsPerSecond();
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    REAL,
                    DOUBLE,
                    DATE,
                    INTERVAL_YEAR_MONTH,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    UUID,
                    NULL,
                    OPAQUE -> true;
            case ARRAY, MAP, ROW -> probe.equals(build);
        };
    }

    private Expression condition() {
        List<Expression> parts = new ArrayList<>();
        for (int k = 0; k < keyCount(); k++) {
            Expression right = ColumnReferences.shifted(node.buildKeys().get(k), leftTypes.size());
            parts.add(new Call("=", List.of(node.probeKeys().get(k), right), ScalarType.BOOLEAN, null));
        }
        if (node.residual() != null) {
            parts.add(node.residual());
        }
        return parts.size() == 1 ? parts.getFirst() : new And(parts);
    }

    JoinKind kind() {
        return node.kind();
    }

    PhysicalPlan.HashJoin node() {
        return node;
    }

    int keyCount() {
        return node.probeKeys().size();
    }

    /// Expressions over the build input, one a field of a stored row, keys first.
    List<Expression> stored() {
        return stored;
    }

    /// The field that has a build column, or -1 if it is not stored.
    int fieldOf(int rightColumn) {
        return fieldOfColumn[rightColumn];
    }

    RowLayout layout() {
        return layout;
    }

    List<DataType> leftTypes() {
        return leftTypes;
    }

    List<DataType> rightTypes() {
        return rightTypes;
    }

    /// Whether the residual reads a column, counted over left, then right ones.
    boolean residualReads(int column) {
        return residualColumns.get(column);
    }

    /// Whether build rows note that they have a match.
    boolean marksRight() {
        return NestedLoopBuild.marksRight(node.kind());
    }

    /// Whether it must be known of left rows, once all build rows were seen, whether they have a match.
    boolean decidesLeft() {
        return switch (node.kind()) {
            case LEFT, FULL, SEMI, ANTI, NULL_AWARE_ANTI, MARK -> true;
            case INNER, RIGHT, RIGHT_SEMI, RIGHT_ANTI -> false;
        };
    }

    boolean isThreeValued() {
        return node.kind() == JoinKind.NULL_AWARE_ANTI || node.kind() == JoinKind.MARK;
    }

    /// The whole condition, where rows without a match must be compared by it; else null.
    Expression openCondition() {
        return openCondition;
    }

    /// Whether build rows with a NULL key are kept, though they match nothing.
    boolean keepsNullKeys() {
        return switch (node.kind()) {
            case RIGHT, FULL, RIGHT_ANTI -> true;
            case NULL_AWARE_ANTI, MARK -> openCondition != null;
            case INNER, LEFT, SEMI, ANTI, RIGHT_SEMI -> false;
        };
    }
}
