package dev.chert.formats.parquet;

import dev.chert.batch.Field;
import dev.chert.batch.Schema;
import dev.chert.error.ValidationException;
import dev.chert.source.ColumnPredicate;
import dev.chert.source.FileSystem;
import dev.chert.source.PredicateUse;
import dev.chert.source.Statistics;
import dev.chert.source.TableSource;
import java.util.ArrayList;
import java.util.List;

/// Parquet files of one schema as a table: row groups are its splits, footers its statistics.
///
/// The first file says which columns there are; the others have each of them by name with the same type, in any
/// order. A column that only others have is left out. Footers come from a cache, so a source is little more than
/// the names of its files.
///
/// @param schema of the first file; a column is nullable where it is in any file
public record ParquetSource(FileSystem fileSystem, List<FileSystem.FileEntry> files, Schema schema)
        implements TableSource {
    public ParquetSource {
        files = List.copyOf(files);
    }

    static ParquetSource of(List<FileSystem.FileEntry> files, FileSystem fileSystem) {
        Footer first = FooterCache.get(fileSystem, files.getFirst());
        List<Field> fields = new ArrayList<>(first.schema().fields());
        for (FileSystem.FileEntry file : files.subList(1, files.size())) {
            Footer footer = FooterCache.get(fileSystem, file);
            for (int i = 0; i < fields.size(); i++) {
                fields.set(i, merged(fields.get(i), footer, files.getFirst().path(), file.path()));
            }
        }
        return new ParquetSource(fileSystem, files, new Schema(fields));
    }

    private static Field merged(Field field, Footer footer, String firstFile, String file) {
        ParquetColumn other = columnOf(footer, field.name());
        if (other == null) {
            throw new ValidationException("%s has no column %s, which %s has; name files of one schema"
                    .formatted(file, field.name(), firstFile));
        }
        if (!other.type().equals(field.type())) {
            throw new ValidationException("column %s is %s in %s but %s in %s; name files of one schema"
                    .formatted(field.name(), field.type(), firstFile, other.type(), file));
        }
        return new Field(field.name(), field.type(), field.nullable() || other.nullable());
    }

    /// The column of a file by its exact name, or null.
    static ParquetColumn columnOf(Footer footer, String name) {
        for (ParquetColumn column : footer.columns()) {
            if (column.name().equals(name)) {
                return column;
            }
        }
        return null;
    }

    @Override
    public Statistics statistics() {
        return FooterStatistics.of(this);
    }

    @Override
    public String describe() {
        return "parquet " + files.getFirst().path() + (files.size() == 1 ? "" : " and " + (files.size() - 1) + " more");
    }

    @Override
    public PredicateUse use(ColumnPredicate predicate) {
        return PredicateUse.PRUNES;
    }

    @Override
    public SplitList splits(ScanRequest request) {
        List<ParquetSplit> splits = new ArrayList<>();
        int total = 0;
        for (FileSystem.FileEntry file : files) {
            Footer footer = FooterCache.get(fileSystem, file);
            for (int i = 0; i < footer.rowGroups().size(); i++) {
                RowGroup rowGroup = footer.rowGroups().get(i);
                if (rowGroup.numRows() == 0) {
                    continue;
                }
                total++;
                if (mayMatch(footer, rowGroup, request.predicates())) {
                    splits.add(new ParquetSplit(fileSystem, file, i, rowGroup.numRows(), schema));
                }
            }
        }
        return new SplitList(splits, total);
    }

    private boolean mayMatch(Footer footer, RowGroup rowGroup, List<ColumnPredicate> predicates) {
        for (ColumnPredicate predicate : predicates) {
            ParquetColumn column =
                    columnOf(footer, schema.field(predicate.column()).name());
            if (column != null && column.form() != null) {
                ChunkStatistics statistics =
                        rowGroup.columns().get(column.leaf()).statistics();
                if (!Pruning.mayMatch(predicate, column, statistics, rowGroup.numRows())) {
                    return false;
                }
            }
        }
        return true;
    }
}
