package dev.chert.source;

import dev.chert.batch.Schema;
import java.io.Serializable;
import java.util.List;

/// Somewhere rows come from: a serialisable description, opened only through its splits.
public interface TableSource extends Serializable {
    Schema schema();

    Statistics statistics();

    /// One line for EXPLAIN: what it is and where.
    String describe();

    /// What this source does with a predicate when it is part of [ScanRequest#predicates()].
    PredicateUse use(ColumnPredicate predicate);

    /// Cuts the source into splits, leaving out those that the request's predicates exclude by statistics.
    ///
    /// @return the splits that are left, in the order of the data, and how many there were; reads metadata at
    ///     most
    SplitList splits(ScanRequest request);

    /// What a scan wants.
    ///
    /// @param columns    numbers of the schema's columns, in the order of the output; may be none: then batches
    ///                   have row counts alone
    /// @param predicates conjuncts that the source may use
    record ScanRequest(List<Integer> columns, List<ColumnPredicate> predicates) implements Serializable {
        public ScanRequest {
            columns = List.copyOf(columns);
            predicates = List.copyOf(predicates);
        }
    }

    /// Splits that are left after pruning.
    ///
    /// @param total splits before pruning
    record SplitList(List<? extends Split> splits, int total) {}
}
