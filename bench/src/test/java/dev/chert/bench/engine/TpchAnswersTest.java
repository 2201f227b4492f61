package dev.chert.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chert.bench.result.QueryResult;
import dev.chert.bench.result.ResultComparison;
import dev.chert.bench.suite.Corpus;
import dev.chert.bench.suite.Query;
import dev.chert.bench.tpch.TpchData;
import dev.chert.bench.tpch.TpchSuite;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// All 22 queries of TPC-H at scale factor 0.01, on one thread and on two, against DuckDB's rows and the published
/// answers.
///
/// This JVM has no flags, as a caller's has none.
class TpchAnswersTest {
    private static final BigDecimal SCALE = new BigDecimal("0.01");
    private static final List<Integer> THREADS = List.of(1, 2);

    private static final Map<Integer, Engine> CHERT = new LinkedHashMap<>();
    private static Engine duckDb;
    private static TpchSuite suite;

    @BeforeAll
    static void openEngines() throws Exception {
        requireCorpus();
        suite = new TpchSuite(TpchData.ensure(SCALE, System.out::println), Corpus.directory());
        LinkedHashMap<String, String> tables = new LinkedHashMap<>();
        suite.tables().forEach((table, file) -> tables.put(table, file.toString()));
        duckDb = EngineName.DUCKDB.open(new EngineSetup(1, new LinkedHashMap<>(), tables));
        for (int threads : THREADS) {
            CHERT.put(threads, EngineName.CHERT.open(new EngineSetup(threads, new LinkedHashMap<>(), tables)));
        }
    }

    @AfterAll
    static void closeEngines() throws Exception {
        for (Engine engine : CHERT.values()) {
            engine.close();
        }
        CHERT.clear();
        if (duckDb != null) {
            duckDb.close();
        }
    }

    static List<Arguments> queriesAndThreads() {
        requireCorpus();
        List<Arguments> cases = new ArrayList<>();
        for (Query query : TpchSuite.queries(Corpus.directory())) {
            THREADS.forEach(threads -> cases.add(Arguments.of(query.name(), threads, query)));
        }
        return cases;
    }

    @ParameterizedTest(name = "{0} on {1} threads")
    @MethodSource("queriesAndThreads")
    void givesTheSameRows(String name, int threads, Query query) throws Exception {
        QueryResult rows = CHERT.get(threads).run(query.sql());
        assertThat(ResultComparison.difference(duckDb.run(query.sql()), rows)).isEmpty();
        suite.answer(query)
                .ifPresent(answer ->
                        assertThat(ResultComparison.difference(answer, rows)).isEmpty());
    }

    private static void requireCorpus() {
        Path corpus = Corpus.directory();
        assumeTrue(Files.isDirectory(corpus), () -> "no test corpus at " + corpus.toAbsolutePath());
    }
}
