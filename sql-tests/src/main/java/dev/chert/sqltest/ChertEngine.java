package dev.chert.sqltest;

import dev.chert.batch.Field;
import dev.chert.batch.TypeKind;
import dev.chert.error.ChertException;
import dev.chert.planner.parse.SqlText;
import dev.chert.planner.parse.StatementSplitter;
import dev.chert.table.EnvironmentSettings;
import dev.chert.table.Row;
import dev.chert.table.TableEnvironment;
import dev.chert.table.TableResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Chert through its Table API. All sessions of a file are one: there are no transactions to tell them apart.
public final class ChertEngine implements Engine {
    private static final Set<String> PROVIDED =
            Set.of("parquet", "skip_reload", "notwindows", "notmingw", "64bit", "noforcestorage", "vector_size");

    private final String label;
    private final TableEnvironment environment;

    /// Makes an environment without tables.
    /// @param label what `skipif` and `onlyif` know it by
    public ChertEngine(String label, EnvironmentSettings settings) {
        this.label = label;
        this.environment = TableEnvironment.create(settings);
    }

    /// Checks settings.
    /// @throws ChertException for one that does not exist or a value that it cannot have
    public static EnvironmentSettings settings(Map<String, String> settings) {
        EnvironmentSettings.Builder builder = EnvironmentSettings.newInstance();
        settings.forEach(builder::set);
        return builder.build();
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public boolean provides(String requirement) {
        return PROVIDED.contains(requirement);
    }

    @Override
    public Session connect() {
        return new ChertSession(environment);
    }

    @Override
    public void close() {
        environment.close();
    }

    private record ChertSession(TableEnvironment environment) implements Session {
        @Override
        public Outcome execute(String sql) {
            Outcome outcome = new Outcome.Failed("no statement");
            for (SqlText statement : StatementSplitter.split(sql)) {
                outcome = executeOne(statement.text());
                if (outcome instanceof Outcome.Failed || outcome instanceof Outcome.Crashed) {
                    return outcome;
                }
            }
            return outcome;
        }

        private Outcome executeOne(String statement) {
            try (TableResult result = environment.executeSql(statement)) {
                if (result.kind() == TableResult.Kind.COMPLETED) {
                    return new Outcome.Done(result.updateCount());
                }
                List<List<Object>> rows = new ArrayList<>();
                result.rows().forEachRemaining((Row row) -> rows.add(row.toList()));
                return new Outcome.Rows(
                        result.columns().stream().map(ChertSession::kind).toList(), rows);
            } catch (ChertException e) {
                return new Outcome.Failed(e.getMessage());
            } catch (RuntimeException | StackOverflowError | AssertionError e) {
                return new Outcome.Crashed(firstLines(e));
            }
        }

        /// Returns an exception with the frames that tell where it comes from.
        private static String firstLines(Throwable bug) {
            StringBuilder text = new StringBuilder(bug.toString());
            for (Throwable cause = bug.getCause(); cause != null; cause = cause.getCause()) {
                text.append("\ncaused by ").append(cause);
            }
            Throwable root = bug;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            StackTraceElement[] frames = root.getStackTrace();
            for (int i = 0; i < Math.min(8, frames.length); i++) {
                text.append("\nat ").append(frames[i]);
            }
            return text.toString();
        }

        private static ColumnKind kind(Field field) {
            TypeKind kind = field.type().kind();
            return switch (kind) {
                case TINYINT, SMALLINT, INTEGER, BIGINT -> ColumnKind.INTEGER;
                case REAL, DOUBLE -> ColumnKind.FLOATING;
                case DECIMAL -> ColumnKind.DECIMAL;
                case CHAR, VARCHAR -> ColumnKind.TEXT;
                case BOOLEAN -> ColumnKind.BOOLEAN;
                case DATE -> ColumnKind.DATE;
                case TIMESTAMP -> ColumnKind.TIMESTAMP;
                case TIME,
                        TIMESTAMP_LTZ,
                        INTERVAL_YEAR_MONTH,
                        INTERVAL_DAY_TIME,
                        VARBINARY,
                        UUID,
                        ARRAY,
                        MAP,
                        ROW,
                        NULL,
                        OPAQUE -> ColumnKind.OTHER;
            };
        }

        @Override
        public void close() {
            // the environment closes with its engine
        }
    }
}
