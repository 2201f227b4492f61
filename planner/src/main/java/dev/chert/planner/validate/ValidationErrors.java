package dev.chert.planner.validate;

import dev.chert.error.ChertException;
import dev.chert.error.SourcePosition;
import dev.chert.error.TableException;
import dev.chert.error.ValidationException;
import dev.chert.planner.catalog.Catalog;
import dev.chert.planner.catalog.FileTables;
import dev.chert.planner.parse.ParseErrors;
import dev.chert.query.NearestName;
import java.util.Collection;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParserPos;

/// Words what Calcite's validator throws: one line that says what was found and what helps.
final class ValidationErrors {
    private static final Pattern OBJECT = Pattern.compile("Object '(.*?)' not found.*", Pattern.DOTALL);
    private static final Pattern TABLE = Pattern.compile("Table '(.*?)' not found.*", Pattern.DOTALL);
    private static final Pattern COLUMN = Pattern.compile(
            "(?:Unknown field|Column) '(.*?)' not found in (?:any table|table '(.*?)').*", Pattern.DOTALL);
    private static final Pattern UNKNOWN_COLUMN = Pattern.compile("Unknown target column '(.*?)'.*", Pattern.DOTALL);
    private static final Pattern AMBIGUOUS = Pattern.compile("Column '(.*?)' is ambiguous.*", Pattern.DOTALL);
    private static final Pattern FUNCTION =
            Pattern.compile("No match found for function signature (.*?)\\((.*)\\)", Pattern.DOTALL);
    private static final Pattern ARGUMENTS = Pattern.compile(
            "Cannot apply '(.*?)' to arguments of type '(.*?)'\\.(?: Supported form\\(s\\): (.*))?", Pattern.DOTALL);
    private static final Pattern ARGUMENT_COUNT = Pattern.compile(
            "Invalid number of arguments to function '(.*?)'. Was expecting (\\d+) arguments", Pattern.DOTALL);
    private static final Pattern NOT_GROUPED =
            Pattern.compile("Expression '(.*?)' is not being grouped.*", Pattern.DOTALL);
    private static final Pattern CAST = Pattern.compile(
            "Cast function cannot convert value of type (.*?)(?: NOT NULL)? to type (.*?)(?: NOT NULL)?",
            Pattern.DOTALL);
    private static final Pattern UNKNOWN_TYPE = Pattern.compile("Unknown datatype name '(.*?)'", Pattern.DOTALL);

    private final Catalog catalog;
    private final Collection<String> columns;

    /// @param columns of all tables that the query names
    ValidationErrors(Catalog catalog, Collection<String> columns) {
        this.catalog = catalog;
        this.columns = columns;
    }

    /// What to throw instead.
    RuntimeException worded(RuntimeException thrown) {
        CalciteContextException context = null;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof ChertException ours) {
                SourcePosition place = context == null ? null : place(context);
                return place == null ? ours : ours.withPosition(place);
            }
            if (cause instanceof CalciteContextException found) {
                context = found;
            }
        }
        if (context == null) {
            return thrown instanceof UnsupportedOperationException
                    ? new TableException(
                            "the query uses a feature that is not supported: " + thrown.getMessage(), null, thrown)
                    : thrown;
        }
        String message = context.getCause() == null
                ? context.getMessage()
                : context.getCause().getMessage();
        return new ValidationException(
                detail(message == null ? "the query is not valid" : message), place(context), context);
    }

    ValidationException unknownTable(String name, SqlParserPos place) {
        return new ValidationException(table(name), ParseErrors.position(place));
    }

    private static SourcePosition place(CalciteContextException context) {
        int line = context.getPosLine();
        int column = context.getPosColumn();
        return line < 1 || column < 1
                ? null
                : ParseErrors.position(
                        new SqlParserPos(line, column, context.getEndPosLine(), context.getEndPosColumn()));
    }

    private String detail(String message) {
        Matcher matcher = COLUMN.matcher(message);
        if (matcher.matches()) {
            String where = matcher.group(2) == null ? "" : " in '" + matcher.group(2) + "'";
            return "unknown column '" + matcher.group(1) + "'" + where
                    + meant(NearestName.of(matcher.group(1), columns));
        }
        if ((matcher = UNKNOWN_COLUMN.matcher(message)).matches()) {
            return "unknown column '" + matcher.group(1) + "'" + meant(NearestName.of(matcher.group(1), columns));
        }
        if ((matcher = OBJECT.matcher(message)).matches()) {
            return table(matcher.group(1));
        }
        if ((matcher = TABLE.matcher(message)).matches()) {
            return "'" + matcher.group(1) + "' is neither a table nor an alias in this query"
                    + meant(catalog.nearest(matcher.group(1)));
        }
        if ((matcher = AMBIGUOUS.matcher(message)).matches()) {
            return "column '" + matcher.group(1) + "' is ambiguous; write the table before it, as in t."
                    + matcher.group(1);
        }
        if ((matcher = FUNCTION.matcher(message)).matches()) {
            String name = matcher.group(1).toLowerCase(Locale.ROOT);
            return Operators.functionNames().contains(name)
                    ? "function '" + name + "' does not take arguments of types ("
                            + matcher.group(2).replaceAll("[<>]", "") + ")"
                    : "unknown function '" + name + "'" + meant(NearestName.of(name, Operators.functionNames()));
        }
        if ((matcher = ARGUMENTS.matcher(message)).matches()) {
            return "'" + matcher.group(1) + "' does not apply to "
                    + matcher.group(2).replaceAll("<([A-Z][A-Z0-9_ (),]*)>", "$1")
                    + "; cast one side, as in CAST(x AS type)";
        }
        if ((matcher = ARGUMENT_COUNT.matcher(message)).matches()) {
            return "function '" + matcher.group(1).toLowerCase(Locale.ROOT) + "' takes " + matcher.group(2)
                    + " arguments";
        }
        if ((matcher = NOT_GROUPED.matcher(message)).matches()) {
            return "'" + matcher.group(1)
                    + "' is neither grouped nor aggregated; add it to GROUP BY, or write an aggregate"
                    + " such as MIN of it";
        }
        if ((matcher = CAST.matcher(message)).matches()) {
            return "a value of type " + matcher.group(1) + " cannot be cast to " + matcher.group(2);
        }
        if ((matcher = UNKNOWN_TYPE.matcher(message)).matches()) {
            return "unknown type '" + matcher.group(1) + "'";
        }
        return message.length() > 1
                        && Character.isUpperCase(message.charAt(0))
                        && Character.isLowerCase(message.charAt(1))
                ? Character.toLowerCase(message.charAt(0)) + message.substring(1)
                : message;
    }

    private String table(String name) {
        return "unknown table '" + name + "'"
                + (FileTables.looksLikePath(name) ? ", and there is no such file" : meant(catalog.nearest(name)));
    }

    private static String meant(String nearest) {
        return nearest == null ? "" : "; did you mean '" + nearest + "'?";
    }
}
