package dev.chert.function;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.StringView;
import dev.chert.query.QueryContext;
import java.util.List;
import java.util.function.Function;

/// One call in one worker's expression: its types, its query, and what it remembers between rows. Not
/// thread-safe.
public final class CallContext {
    private final QueryContext query;
    private final List<DataType> argumentTypes;
    private final DataType resultType;
    private final byte[][] preparedFrom;
    private final Object[] prepared;
    private final int number;
    private Object state;

    public CallContext(QueryContext query, List<DataType> argumentTypes, DataType resultType) {
        this.query = query;
        this.number = query.nextNumber();
        this.argumentTypes = List.copyOf(argumentTypes);
        this.resultType = resultType;
        this.preparedFrom = new byte[argumentTypes.size()][];
        this.prepared = new Object[argumentTypes.size()];
    }

    public QueryContext query() {
        return query;
    }

    /// Tells the calls of a query apart: in one worker, numbers come in the order of the plan.
    public int number() {
        return number;
    }

    public ScalarType argumentType(int i) {
        return (ScalarType) argumentTypes.get(i);
    }

    public ScalarType resultType() {
        return (ScalarType) resultType;
    }

    /// What `make` gives for a string argument, made again only when the string changes.
    @SuppressWarnings("unchecked")
    public <T> T prepared(int argument, StringView view, Function<StringView, T> make) {
        byte[] from = preparedFrom[argument];
        if (from == null || !sameBytes(view, from)) {
            preparedFrom[argument] = null;
            prepared[argument] = make.apply(view);
            preparedFrom[argument] = view.toBytes();
        }
        return (T) prepared[argument];
    }

    /// Whether a string has these bytes.
    public static boolean sameBytes(StringView view, byte[] bytes) {
        if (view.length() != bytes.length) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            if (view.byteAt(i) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    /// An object of the function's own that lives as long as the call, made on first use.
    @SuppressWarnings("unchecked")
    public <T> T state(Function<CallContext, T> make) {
        if (state == null) {
            state = make.apply(this);
        }
        return (T) state;
    }
}
