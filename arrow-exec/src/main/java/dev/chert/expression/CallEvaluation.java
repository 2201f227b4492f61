package dev.chert.expression;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.DataType;
import dev.chert.batch.Physical;
import dev.chert.batch.TypeKind;
import dev.chert.error.ValidationException;
import dev.chert.expression.Expression.Literal;
import dev.chert.function.CallContext;
import dev.chert.function.FunctionException;
import dev.chert.function.FunctionLoop;
import dev.chert.function.FunctionMethod;
import dev.chert.function.Implementation;
import dev.chert.kernel.BitmapLogic;
import dev.chert.kernel.ColumnGather;
import dev.chert.kernel.DecimalWidth;
import dev.chert.kernel.Selections;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import java.util.Arrays;
import java.util.List;

/// A call of a function or a conversion: evaluates the arguments, then runs the loop for their shape.
///
/// Rows where an argument is NULL leave the selection before. Decimals run in 64 bits until a batch overflows,
/// then that batch runs in 128. What a call of one dictionary column gives is computed once a dictionary.
final class CallEvaluation extends Evaluation {
    /// Values of a dictionary for each row of a batch above which its results are not worth computing.
    private static final int MOST_VALUES_PER_ROW = 4;

    private final Evaluation[] arguments;
    private final FunctionMethod plain;
    private final FunctionMethod wide;
    private final FunctionMethod any;
    private final FunctionLoop plainLoop;
    private FunctionLoop wideLoop;
    private final CallContext context;
    private final EvaluationErrors errors;
    private final QueryContext query;
    private final Allocator allocator;
    private final DictionaryResults dictionaryResults = new DictionaryResults();
    private final int[] singleRow = new int[1];
    private Column nullValue;

    CallEvaluation(
            DataType type,
            List<Evaluation> arguments,
            Implementation implementation,
            EvaluationErrors errors,
            QueryContext query,
            Allocator allocator) {
        super(type);
        this.arguments = arguments.toArray(Evaluation[]::new);
        this.plain = implementation.plain();
        this.wide = implementation.wide();
        this.any = implementation.any();
        this.plainLoop = plain == null ? null : plain.loop();
        this.errors = errors;
        this.query = query;
        this.allocator = allocator;
        this.context =
                new CallContext(query, arguments.stream().map(Evaluation::type).toList(), type);
    }

    @Override
    Column evaluate(Rows rows) {
        if (rows.count() == 0) {
            return allNull(rows);
        }
        Column[] in = evaluateArguments(rows);
        try {
            return run(in, rows);
        } finally {
            release(in);
        }
    }

    /// Runs the call on arguments that were evaluated already.
    ///
    /// @param in borrowed
    Column evaluateWith(Column[] in, Rows rows) {
        Column[] own = in.clone();
        for (Column column : own) {
            column.retain();
        }
        try {
            return run(own, rows);
        } finally {
            release(own);
        }
    }

    @Override
    int select(Rows rows, int[] kept) {
        if (!any.isPredicate() || errors.mayGiveNull()) {
            return super.select(rows, kept);
        }
        if (rows.count() == 0) {
            return 0;
        }
        Column[] in = evaluateArguments(rows);
        try {
            return runSelect(in, rows, kept);
        } finally {
            release(in);
        }
    }

    private Column[] evaluateArguments(Rows rows) {
        Column[] in = new Column[arguments.length];
        int evaluated = 0;
        try {
            for (; evaluated < in.length; evaluated++) {
                in[evaluated] = arguments[evaluated].evaluate(rows);
            }
        } finally {
            if (evaluated < in.length) {
                release(Arrays.copyOf(in, evaluated));
            }
        }
        return in;
    }

    private static void release(Column[] columns) {
        for (Column column : columns) {
            column.release();
        }
    }

    private Column run(Column[] in, Rows rows) {
        if (hasNullConstant(in)) {
            return allNull(rows);
        }
        if (any.deterministic() && areConstants(in)) {
            return Column.constant(compute(in, Rows.single()), rows.rowCount());
        }
        int dictionary = onlyDictionary(in);
        if (dictionary >= 0 && computeOnDictionary(in, dictionary, rows)) {
            return dictionaryResults.wrap(in[dictionary], rows, allocator);
        }
        flatten(in, rows);
        return compute(in, rows);
    }

    private int runSelect(Column[] in, Rows rows, int[] kept) {
        if (hasNullConstant(in)) {
            return 0;
        }
        if (any.deterministic() && areConstants(in)) {
            Column answer = compute(in, Rows.single());
            try {
                return keepAllIf(!answer.isNull(0) && Bitmap.get(answer.values(), 0), rows, kept);
            } finally {
                answer.release();
            }
        }
        int dictionary = onlyDictionary(in);
        if (dictionary >= 0 && computeOnDictionary(in, dictionary, rows)) {
            return dictionaryResults.select(in[dictionary], rows, kept);
        }
        flatten(in, rows);
        int[] selection = rows.selection();
        int count = rows.count();
        for (int i = 0; i < in.length; i++) {
            if (mustBePresent(in, i)) {
                count = Selections.withBit(in[i].validity(), selection, count, kept);
                selection = kept;
            }
        }
        return keep(in, selection, count, kept);
    }

    private static int keepAllIf(boolean condition, Rows rows, int[] kept) {
        if (!condition) {
            return 0;
        }
        rows.copyTo(kept);
        return rows.count();
    }

    /// The one argument that is a dictionary column while all others never change, or -1.
    private int onlyDictionary(Column[] in) {
        int found = -1;
        for (int i = 0; i < in.length; i++) {
            if (in[i].isDictionary() && found < 0) {
                found = i;
            } else if (arguments[i].constantValue() == null) {
                return -1;
            }
        }
        return found >= 0 && any.deterministic() && !any.takesNull(found) ? found : -1;
    }

    /// Makes sure that the results for a dictionary are known; false where the rows have to be computed one by
    /// one: the dictionary has many more values than there are rows, or the function fails for one that may not
    /// occur.
    private boolean computeOnDictionary(Column[] in, int which, Rows rows) {
        Column dictionary = in[which].dictionary();
        if (dictionaryResults.knows(dictionary)) {
            return dictionaryResults.areUsable();
        }
        int size = dictionary.rowCount();
        if (size > MOST_VALUES_PER_ROW * rows.count()) {
            return false;
        }
        Column[] values = in.clone();
        values[which] = dictionary;
        try {
            dictionaryResults.remember(dictionary, compute(values, new Rows(null, size, null, size)));
        } catch (ValidationException e) {
            dictionaryResults.refuse(dictionary); // the error comes from a row, if one has that value
        }
        return dictionaryResults.areUsable();
    }

    /// True where rows in which argument `i` is NULL have to leave the selection.
    private boolean mustBePresent(Column[] in, int i) {
        return in[i].validity() != null && !in[i].isConstant() && !any.takesNull(i);
    }

    private boolean hasNullConstant(Column[] in) {
        for (int i = 0; i < in.length; i++) {
            boolean isNull = in[i].physical() == Physical.NONE || (in[i].isConstant() && in[i].isNull(0));
            if (isNull && !any.takesNull(i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean areConstants(Column[] in) {
        for (Column column : in) {
            if (!column.isConstant()) {
                return false;
            }
        }
        return true;
    }

    /// A column that is NULL in every row.
    private Column allNull(Rows rows) {
        if (nullValue == null) {
            nullValue =
                    ConstantEvaluation.of(new Literal(null, type()), allocator).constantValue();
        }
        nullValue.retain();
        return Column.constant(nullValue, rows.rowCount());
    }

    private void flatten(Column[] in, Rows rows) {
        for (int i = 0; i < in.length; i++) {
            if (in[i].isDictionary()) {
                Column flat = ColumnGather.flatten(in[i], rows.selection(), rows.count(), allocator);
                in[i].release();
                in[i] = flat;
            }
        }
    }

    /// Runs the loop on flat and constant columns.
    private Column compute(Column[] in, Rows rows) {
        if (plain != null && !anyWide(in)) {
            Column result = compute(plain, plainLoop, in, rows);
            if (result != null) {
                return result;
            }
        }
        return compute(wide, wideLoop(), in, rows);
    }

    private FunctionLoop wideLoop() {
        if (wideLoop == null) {
            wideLoop = wide.loop();
        }
        return wideLoop;
    }

    private boolean anyWide(Column[] in) {
        for (int i = 0; i < in.length; i++) {
            if (in[i].physical() == Physical.INT128 && plain.physical(i) != Physical.INT128) {
                return true;
            }
        }
        return false;
    }

    /// @return null where a 64-bit form overflowed and there is a wider one
    private Column compute(FunctionMethod method, FunctionLoop loop, Column[] given, Rows rows) {
        Column[] in = method.isWide() ? widened(method, given, rows) : given;
        int[] narrowed = null;
        ColumnWriter out = new ColumnWriter(type(), method.resultPhysical(), rows.rowCount(), allocator);
        boolean done = false;
        try {
            int[] selection = rows.selection();
            int count = rows.count();
            boolean nulls = false;
            for (int i = 0; i < in.length; i++) {
                if (mustBePresent(in, i)) {
                    BitmapLogic.and(out.validity(), in[i].validity(), rows.rowCount());
                    nulls = true;
                }
            }
            if (nulls) {
                narrowed = query.selections().take(Math.max(count, rows.rowCount()));
                count = Selections.withBit(out.validity(), selection, count, narrowed);
                selection = narrowed;
            }
            // without a row not even a constant may be looked at: it could be one that fails
            done = count == 0 || applyChecked(method, loop, in, selection, count, out);
            if (!done) {
                return null;
            }
            Column result = out.seal(rows.rowCount());
            boolean mayNarrow = method == wide && type().kind() == TypeKind.DECIMAL;
            return mayNarrow ? DecimalWidth.narrow(result, selection, count, allocator) : result;
        } finally {
            if (!done) {
                out.seal(0).release();
            }
            if (narrowed != null) {
                query.selections().give(narrowed);
            }
            if (in != given) {
                release(in);
            }
        }
    }

    private Column[] widened(FunctionMethod method, Column[] given, Rows rows) {
        Column[] in = new Column[given.length];
        for (int i = 0; i < in.length; i++) {
            if (method.physical(i) == Physical.INT128) {
                in[i] = DecimalWidth.widen(given[i], rows.selection(), rows.count(), allocator);
            } else {
                in[i] = given[i];
                in[i].retain();
            }
        }
        return in;
    }

    /// @return false where a 64-bit form overflowed and there is a wider one
    private boolean applyChecked(
            FunctionMethod method, FunctionLoop loop, Column[] in, int[] selection, int count, ColumnWriter out) {
        try {
            loop.apply(in, selection, count, out, context);
        } catch (ArithmeticException | FunctionException e) {
            if (overflowedNarrow(method, e)) {
                return false;
            }
            if (!errors.givesNull(e)) {
                throw errors.explain(e);
            }
            return applyRowByRow(method, loop, in, selection, count, out);
        }
        return true;
    }

    private boolean applyRowByRow(
            FunctionMethod method, FunctionLoop loop, Column[] in, int[] selection, int count, ColumnWriter out) {
        for (int i = 0; i < count; i++) {
            singleRow[0] = selection == null ? i : selection[i];
            try {
                loop.apply(in, singleRow, 1, out, context);
            } catch (ArithmeticException | FunctionException e) {
                if (overflowedNarrow(method, e)) {
                    return false; // what failed first was another row, in a way that gives NULL
                }
                if (!errors.givesNull(e)) {
                    throw errors.explain(e);
                }
                out.setNull(singleRow[0]);
            }
        }
        return true;
    }

    private boolean overflowedNarrow(FunctionMethod method, RuntimeException failure) {
        return method == plain && wide != null && failure instanceof ArithmeticException;
    }

    /// Narrows a selection without NULLs by the loop.
    private int keep(Column[] in, int[] selection, int count, int[] kept) {
        if (count == 0) {
            return 0;
        }
        boolean useWide = wide != null && (plain == null || anyWide(in));
        Column[] columns = useWide ? widened(wide, in, new Rows(null, 0, selection, count)) : in;
        try {
            return (useWide ? wideLoop() : plainLoop).select(columns, selection, count, kept, context);
        } catch (ArithmeticException | FunctionException e) {
            throw errors.explain(e);
        } finally {
            if (columns != in) {
                release(columns);
            }
        }
    }

    @Override
    void close() {
        for (Evaluation argument : arguments) {
            argument.close();
        }
        dictionaryResults.close();
        if (nullValue != null) {
            nullValue.release();
            nullValue = null;
        }
    }
}
