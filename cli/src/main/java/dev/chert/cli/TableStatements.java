package dev.chert.cli;

import dev.chert.batch.Field;
import dev.chert.pipeline.QueryProgress;
import dev.chert.planner.parse.StatementSplitter;
import dev.chert.table.EnvironmentSettings;
import dev.chert.table.Row;
import dev.chert.table.TableEnvironment;
import dev.chert.table.TableResult;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Runs statements through the Table API.
final class TableStatements implements ChertCommand.Engine {
    @Override
    public Script script(String text) {
        return new Script(
                text,
                StatementSplitter.split(text).stream()
                        .map(statement -> new Script.Statement(statement.text(), statement.line(), statement.column()))
                        .toList());
    }

    @Override
    public StatementRunner open(Map<String, String> settings) {
        EnvironmentSettings.Builder builder = EnvironmentSettings.newInstance()
                .ownEngine(); // closes with the runner and leaves no folder of spill files, as the JVM's shared one
        // would
        settings.forEach(builder::set);
        return new Runner(TableEnvironment.create(builder.build()));
    }

    private record Runner(TableEnvironment environment) implements StatementRunner {
        @Override
        public Result run(String statement) {
            TableResult result = environment.executeSql(statement);
            List<Column> columns = result.columns().stream().map(Runner::column).toList();
            return new Rows(result, columns);
        }

        @Override
        public Optional<QueryProgress> progress() {
            return environment.progress().stream().findFirst();
        }

        private static Column column(Field field) {
            return new Column(field.name(), field.type().kind().isNumeric());
        }

        @Override
        public void close() {
            environment.close();
        }
    }

    private record Rows(TableResult result, List<StatementRunner.Column> columns) implements StatementRunner.Result {
        @Override
        public Iterator<Object[]> rows() {
            Iterator<Row> rows = result.rows();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return rows.hasNext();
                }

                @Override
                public Object[] next() {
                    return rows.next().toList().toArray();
                }
            };
        }

        @Override
        public void close() {
            result.close();
        }
    }
}
