package dev.chert.planner.validate;

import dev.chert.function.FunctionDefinition;
import dev.chert.function.FunctionRegistry;
import dev.chert.function.aggregate.AggregateFunctions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.validate.SqlNameMatcher;

/// What a query may call, and the name of our function that runs it.
///
/// Lists what Calcite's grammar has a form for; all other functions are the registries'. The one table from Calcite's
/// operators to the names of [dev.chert.expression.Expression.Call] and [dev.chert.expression.AggregateCall]. Forms
/// that are no calls there (AND, CASE, CAST, IS NULL) have no name.
public final class Operators {
    private static final Map<SqlOperator, String> NAMES = new IdentityHashMap<>();
    private static final List<SqlOperator> ALL = new ArrayList<>();

    static {
        // Forms of their own, and what Calcite takes apart before a plan is made.
        form(
                SqlStdOperatorTable.AND,
                SqlStdOperatorTable.OR,
                SqlStdOperatorTable.CASE,
                SqlStdOperatorTable.CAST,
                SqlLibraryOperators.TRY_CAST,
                SqlLibraryOperators.INFIX_CAST,
                SqlStdOperatorTable.COALESCE,
                SqlStdOperatorTable.NULLIF,
                SqlStdOperatorTable.IS_NULL,
                SqlStdOperatorTable.IS_NOT_NULL,
                SqlStdOperatorTable.IS_TRUE,
                SqlStdOperatorTable.IS_NOT_TRUE,
                SqlStdOperatorTable.IS_FALSE,
                SqlStdOperatorTable.IS_NOT_FALSE,
                SqlStdOperatorTable.IS_UNKNOWN,
                SqlStdOperatorTable.IS_NOT_UNKNOWN,
                SqlStdOperatorTable.IS_DISTINCT_FROM,
                SqlStdOperatorTable.IS_NOT_DISTINCT_FROM,
                SqlStdOperatorTable.IN,
                SqlStdOperatorTable.NOT_IN,
                SqlStdOperatorTable.EXISTS,
                SqlStdOperatorTable.SCALAR_QUERY,
                SqlStdOperatorTable.BETWEEN,
                SqlStdOperatorTable.NOT_BETWEEN,
                SqlStdOperatorTable.SYMMETRIC_BETWEEN,
                SqlStdOperatorTable.SYMMETRIC_NOT_BETWEEN,
                SqlStdOperatorTable.NOT_LIKE,
                SqlLibraryOperators.NOT_ILIKE,
                SqlStdOperatorTable.NOT_SIMILAR_TO,
                SqlStdOperatorTable.ROW,
                SqlStdOperatorTable.AS,
                SqlStdOperatorTable.FILTER,
                SqlStdOperatorTable.UNION,
                SqlStdOperatorTable.UNION_ALL,
                SqlStdOperatorTable.INTERSECT,
                SqlStdOperatorTable.INTERSECT_ALL,
                SqlStdOperatorTable.EXCEPT,
                SqlStdOperatorTable.EXCEPT_ALL,
                SqlStdOperatorTable.VALUES,
                SqlStdOperatorTable.DESC,
                SqlStdOperatorTable.NULLS_FIRST,
                SqlStdOperatorTable.NULLS_LAST,
                SqlStdOperatorTable.UNARY_PLUS,
                SqlStdOperatorTable.MINUS_DATE,
                SqlStdOperatorTable.DATETIME_PLUS,
                SqlStdOperatorTable.TIMESTAMP_ADD,
                SqlStdOperatorTable.TIMESTAMP_DIFF,
                SqlStdOperatorTable.SOME_EQ,
                SqlStdOperatorTable.SOME_NE,
                SqlStdOperatorTable.SOME_GT,
                SqlStdOperatorTable.SOME_GE,
                SqlStdOperatorTable.SOME_LT,
                SqlStdOperatorTable.SOME_LE,
                SqlStdOperatorTable.ALL_EQ,
                SqlStdOperatorTable.ALL_NE,
                SqlStdOperatorTable.ALL_GT,
                SqlStdOperatorTable.ALL_GE,
                SqlStdOperatorTable.ALL_LT,
                SqlStdOperatorTable.ALL_LE,
                SqlStdOperatorTable.GROUPING,
                SqlStdOperatorTable.GROUPING_SETS,
                SqlStdOperatorTable.ROLLUP,
                SqlStdOperatorTable.CUBE,
                SqlStdOperatorTable.DEFAULT,
                SqlStdOperatorTable.EXPLICIT_TABLE,
                SqlStdOperatorTable.COLLECTION_TABLE);
        call("=", SqlStdOperatorTable.EQUALS);
        call("<>", SqlStdOperatorTable.NOT_EQUALS);
        call("<", SqlStdOperatorTable.LESS_THAN);
        call("<=", SqlStdOperatorTable.LESS_THAN_OR_EQUAL);
        call(">", SqlStdOperatorTable.GREATER_THAN);
        call(">=", SqlStdOperatorTable.GREATER_THAN_OR_EQUAL);
        call("+", SqlStdOperatorTable.PLUS);
        call("-", SqlStdOperatorTable.MINUS);
        call("*", SqlStdOperatorTable.MULTIPLY);
        call("/", SqlStdOperatorTable.DIVIDE);
        call("/", SqlStdOperatorTable.DIVIDE_INTEGER);
        call("%", SqlStdOperatorTable.PERCENT_REMAINDER);
        call("%", SqlStdOperatorTable.MOD);
        call("-", SqlStdOperatorTable.UNARY_MINUS);
        call("not", SqlStdOperatorTable.NOT);
        call("like", SqlStdOperatorTable.LIKE);
        call("ilike", SqlLibraryOperators.ILIKE);
        call("similar to", SqlStdOperatorTable.SIMILAR_TO);
        call("||", SqlStdOperatorTable.CONCAT);
        call("abs", SqlStdOperatorTable.ABS);
        call("sign", SqlStdOperatorTable.SIGN);
        call("ceil", SqlStdOperatorTable.CEIL);
        call("floor", SqlStdOperatorTable.FLOOR);
        call("round", SqlStdOperatorTable.ROUND);
        call("truncate", SqlStdOperatorTable.TRUNCATE);
        call("sqrt", SqlStdOperatorTable.SQRT);
        call("power", SqlStdOperatorTable.POWER);
        call("exp", SqlStdOperatorTable.EXP);
        call("ln", SqlStdOperatorTable.LN);
        call("log10", SqlStdOperatorTable.LOG10);
        call("lower", SqlStdOperatorTable.LOWER);
        call("upper", SqlStdOperatorTable.UPPER);
        call("trim", SqlStdOperatorTable.TRIM);
        call("substring", SqlStdOperatorTable.SUBSTRING);
        call("char_length", SqlStdOperatorTable.CHAR_LENGTH);
        call("char_length", SqlStdOperatorTable.CHARACTER_LENGTH);
        call("overlay", SqlStdOperatorTable.OVERLAY);
        call("translate", SqlLibraryOperators.TRANSLATE3);
        call("position", SqlStdOperatorTable.POSITION);
        call("replace", SqlStdOperatorTable.REPLACE);
        call("extract", SqlStdOperatorTable.EXTRACT);
        call("current_date", SqlStdOperatorTable.CURRENT_DATE);
        call("current_timestamp", SqlStdOperatorTable.CURRENT_TIMESTAMP);
        call("localtimestamp", SqlStdOperatorTable.LOCALTIMESTAMP);
        call("localtime", SqlStdOperatorTable.LOCALTIME);
        call("localtime", SqlStdOperatorTable.CURRENT_TIME);
        form(SqlStdOperatorTable.YEAR, SqlStdOperatorTable.QUARTER, SqlStdOperatorTable.MONTH);
        form(SqlStdOperatorTable.DAYOFMONTH, SqlStdOperatorTable.HOUR);
        form(SqlStdOperatorTable.MINUTE, SqlStdOperatorTable.SECOND);
        call("count", SqlStdOperatorTable.COUNT);
        call("sum", SqlStdOperatorTable.SUM);
        call("sum0", SqlStdOperatorTable.SUM0);
        call("avg", SqlStdOperatorTable.AVG);
        call("min", SqlStdOperatorTable.MIN);
        call("max", SqlStdOperatorTable.MAX);
        call("single_value", SqlStdOperatorTable.SINGLE_VALUE);
        call("any_value", SqlStdOperatorTable.ANY_VALUE);
        for (FunctionDefinition definition : FunctionRegistry.definitions()) {
            for (String name : names(definition.name(), definition.aliases())) {
                if (Character.isLetter(name.charAt(0)) && isFree(name)) {
                    call(definition.name(), new RegistryFunctions.Scalar(name, definition));
                }
            }
        }
        for (AggregateFunctions.Definition definition : AggregateFunctions.definitions()) {
            for (String name : names(definition.name(), definition.aliases())) {
                if (isFree(name)) {
                    call(definition.name(), new RegistryFunctions.Aggregate(name, definition));
                }
            }
        }
    }

    /// All of them, for the validator.
    static final SqlOperatorTable TABLE = new Table();

    private Operators() {}

    private static void form(SqlOperator... operators) {
        ALL.addAll(List.of(operators));
    }

    private static void call(String name, SqlOperator operator) {
        NAMES.put(operator, name);
        ALL.add(operator);
    }

    private static List<String> names(String name, List<String> aliases) {
        List<String> names = new ArrayList<>(aliases);
        names.addFirst(name);
        return names;
    }

    private static boolean isFree(String name) {
        return ALL.stream()
                .noneMatch(o -> isFunction(o.getSyntax()) && o.getName().equalsIgnoreCase(name));
    }

    /// The name of our function, or null where the operator is a form of its own or unknown.
    public static String name(SqlOperator operator) {
        return NAMES.get(operator);
    }

    /// The operator of a function's name.
    static SqlOperator named(String name) {
        return ALL.stream()
                .filter(o -> isFunction(o.getSyntax()) && o.getName().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow();
    }

    /// The names by which functions are called in SQL, for hints.
    static TreeSet<String> functionNames() {
        TreeSet<String> names = new TreeSet<>();
        for (SqlOperator operator : ALL) {
            if (isFunction(operator.getSyntax())) {
                names.add(operator.getName().toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }

    private static boolean isFunction(SqlSyntax syntax) {
        return syntax.family == SqlSyntax.FUNCTION
                || syntax == SqlSyntax.FUNCTION_STAR
                || syntax == SqlSyntax.FUNCTION_ID;
    }

    /// Finds operators by name in any case.
    private static final class Table implements SqlOperatorTable {
        private final Map<String, List<SqlOperator>> byName = new HashMap<>();

        Table() {
            for (SqlOperator operator : ALL) {
                byName.computeIfAbsent(operator.getName().toUpperCase(Locale.ROOT), key -> new ArrayList<>())
                        .add(operator);
            }
        }

        @Override
        public void lookupOperatorOverloads(
                SqlIdentifier name,
                SqlFunctionCategory category,
                SqlSyntax syntax,
                List<SqlOperator> found,
                SqlNameMatcher matcher) {
            if (!name.isSimple()) {
                return;
            }
            for (SqlOperator operator : byName.getOrDefault(name.getSimple().toUpperCase(Locale.ROOT), List.of())) {
                boolean rightSyntax = operator.getSyntax().family == syntax.family
                        || isFunction(operator.getSyntax()) && isFunction(syntax);
                boolean rightCategory = category == null
                        || category.isUserDefinedNotSpecificFunction()
                        || operator instanceof SqlFunction function && function.getFunctionType() == category;
                if (rightSyntax && rightCategory) {
                    found.add(operator);
                }
            }
        }

        @Override
        public List<SqlOperator> getOperatorList() {
            return ALL;
        }
    }
}
