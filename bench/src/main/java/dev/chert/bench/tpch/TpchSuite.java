package dev.chert.bench.tpch;

import dev.chert.bench.result.PublishedAnswer;
import dev.chert.bench.suite.Query;
import dev.chert.bench.suite.Suite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The 22 queries of TPC-H over one scale factor's files, with the answers published for that scale.
public final class TpchSuite implements Suite {
    private static final int QUERY_COUNT = 22;

    /// Random text of the generator that the publisher used: these columns hold other text in dbgen's rows.
    private static final Set<String> GENERATORS_OWN_TEXT = Set.of("s_address", "s_comment", "c_address", "c_comment");

    /// Counts orders by what their random comments say.
    private static final String COUNTS_COMMENTS = "q13";

    private final TpchData data;
    private final Path corpus;
    private final List<Query> queries;

    /// @param corpus the folder of the public test corpus, which has the query texts and the answers
    /// @throws UncheckedIOException if a query text cannot be read
    public TpchSuite(TpchData data, Path corpus) {
        this.data = data;
        this.corpus = corpus.resolve("benchmarks").resolve("tpch");
        this.queries = queries(corpus);
    }

    @Override
    public String name() {
        return "tpch-parquet";
    }

    @Override
    public String dataDescription() {
        return "scale factor " + data.scale().toPlainString();
    }

    @Override
    public Map<String, Path> tables() {
        Map<String, Path> tables = new LinkedHashMap<>();
        for (TpchTable table : TpchTable.values()) {
            tables.put(table.tableName(), data.file(table));
        }
        return tables;
    }

    @Override
    public List<Query> queries() {
        return queries;
    }

    @Override
    public Optional<PublishedAnswer> answer(Query query) {
        if (query.name().equals(COUNTS_COMMENTS)) {
            return Optional.empty();
        }
        Path file = corpus.resolve("answers")
                .resolve("sf" + data.scale().toPlainString())
                .resolve(query.name() + ".csv");
        return Files.exists(file)
                ? Optional.of(PublishedAnswer.read(file).ignoring(GENERATORS_OWN_TEXT))
                : Optional.empty();
    }

    /// Reads the 22 query texts, without the semicolon at their end.
    /// @throws UncheckedIOException if one cannot be read
    public static List<Query> queries(Path corpus) {
        Path folder = corpus.resolve("benchmarks").resolve("tpch").resolve("queries");
        List<Query> texts = new ArrayList<>();
        for (int number = 1; number <= QUERY_COUNT; number++) {
            String name = "q%02d".formatted(number);
            Path file = folder.resolve(name + ".sql");
            try {
                texts.add(new Query(name, Files.readString(file).strip().replaceFirst(";$", "")));
            } catch (IOException e) {
                throw new UncheckedIOException(
                        "cannot read the TPC-H query " + file + "; set chert.corpus to the folder of the test corpus",
                        e);
            }
        }
        return List.copyOf(texts);
    }
}
