package dev.chert.bench.tpch;

import io.trino.tpch.TpchEntity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// TPC-H as Parquet files, one a table, made once for each scale factor and kept in a cache outside the project.
///
/// The folder appears whole or not at all: rows are written beside it and the folder is renamed at the end, so two
/// processes may generate the same scale at the same time and a generation that was killed leaves nothing to be
/// believed.
///
/// @param scale     the scale factor without trailing zeros
/// @param directory the folder with the eight files
public record TpchData(BigDecimal scale, Path directory) {
    private static final BigDecimal SMALL_SCALE = new BigDecimal("0.1");
    private static final int ROW_GROUP_ROWS = 122_880; // DuckDB's own choice, 60 vectors
    private static final int SMALL_ROW_GROUP_ROWS = 10_240; // several row groups even where a table has 15,000 rows

    /// Returns the cached files of a scale factor, generating them first where they are absent.
    /// @param progress told one line a step of a generation; never called when the files are there
    /// @throws UncheckedIOException if the cache cannot be written
    public static TpchData ensure(BigDecimal scale, Consumer<String> progress) {
        return ensure(scale, DataCache.directory(), progress);
    }

    static TpchData ensure(BigDecimal scale, Path cache, Consumer<String> progress) {
        if (scale.signum() <= 0) {
            throw new IllegalArgumentException("scale factor is " + scale + ", expected a positive number");
        }
        BigDecimal plainScale = new BigDecimal(scale.stripTrailingZeros().toPlainString());
        Path directory = cache.resolve("tpch").resolve("sf" + plainScale.toPlainString());
        TpchData data = new TpchData(plainScale, directory);
        if (!Files.isDirectory(directory)) {
            data.generate(progress);
        }
        return data;
    }

    public Path file(TpchTable table) {
        return directory.resolve(table.tableName() + ".parquet");
    }

    private void generate(Consumer<String> progress) {
        try {
            Files.createDirectories(directory.getParent());
            Path unfinished =
                    Files.createTempDirectory(directory.getParent(), directory.getFileName() + ".unfinished-");
            try {
                for (TpchTable table : TpchTable.values()) {
                    Path text = unfinished.resolve(table.tableName() + ".tbl");
                    long rows = writeText(table, text);
                    copyToParquet(table, text, unfinished.resolve(table.tableName() + ".parquet"));
                    Files.delete(text);
                    progress.accept("%s: %,d rows".formatted(table.tableName(), rows));
                }
                publish(unfinished);
            } finally {
                deleteAll(unfinished);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write TPC-H data to " + directory + ": " + e.getMessage(), e);
        }
    }

    private long writeText(TpchTable table, Path text) throws IOException {
        long rows = 0;
        try (Writer writer = Files.newBufferedWriter(text)) {
            for (TpchEntity row : table.rows(scale.doubleValue())) {
                String line = row.toLine();
                writer.write(line, 0, line.length() - 1); // dbgen ends each line with a separator
                writer.write('\n');
                rows++;
            }
        }
        return rows;
    }

    private void copyToParquet(TpchTable table, Path text, Path parquet) {
        String columns = table.columns().stream()
                .map(column -> column.split(" ", 2))
                .map(column -> "'%s': '%s'".formatted(column[0], column[1]))
                .collect(Collectors.joining(", ", "{", "}"));
        int rowGroupRows = scale.compareTo(SMALL_SCALE) < 0 ? SMALL_ROW_GROUP_ROWS : ROW_GROUP_ROWS;
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    COPY (FROM read_csv(%s, delim = '|', header = false, quote = '', escape = '', columns = %s))
                    TO %s (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE %d)
                    """.formatted(literal(text), columns, literal(parquet), rowGroupRows));
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB could not write " + parquet + ": " + e.getMessage(), e);
        }
    }

    private void publish(Path unfinished) throws IOException {
        try {
            Files.move(unfinished, directory, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(directory)) { // else another process was first; its files are as good as ours
                throw e;
            }
        }
    }

    private static void deleteAll(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return; // renamed
        }
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static String literal(Path path) {
        return "'" + path.toAbsolutePath().toString().replace("'", "''") + "'";
    }
}
