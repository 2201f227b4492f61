package dev.chert.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.chert.error.ChertException;
import dev.chert.planner.catalog.Catalog;
import dev.chert.planner.catalog.CatalogTable;
import dev.chert.source.Statistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Plans statements of SQLite's first test files: all of the first, every tenth query of the others, which are much
/// alike and all run in the module of the SQL logic tests.
class SqlLogicFilesPlanTest {
    private final PlannerFixture fixture = new PlannerFixture();

    @ParameterizedTest
    @ValueSource(strings = {"select1.test", "select2.test", "select3.test"})
    void plansStatements(String file) throws IOException {
        String corpus = System.getProperty("chert.corpus", "../shared/corpus");
        Path path = Path.of(corpus, "sqllogictest", file);
        assumeTrue(Files.exists(path), "the public corpus is absent: " + path);
        List<String> failures = new ArrayList<>();
        int count = 0;
        for (String record : Files.readString(path).split("\n\\s*\n")) {
            String[] parts = record.strip().split("\n", 2);
            boolean wanted = parts[0].startsWith("statement") || file.equals("select1.test") || count++ % 10 == 0;
            if (wanted && parts.length == 2 && (parts[0].startsWith("statement ok") || parts[0].startsWith("query "))) {
                plan(parts[1].split("\n----")[0], failures);
            }
        }
        assertThat(failures).isEmpty();
    }

    private void plan(String sql, List<String> failures) {
        try {
            if (fixture.plan(sql) instanceof Planned.CreateTable create) {
                CatalogTable table = new FixtureTable(
                        create.name(),
                        create.schema(),
                        Statistics.unknown(create.schema().size()));
                fixture.catalog.add(new Catalog.Table(create.name(), table), false);
            }
        } catch (ChertException e) {
            failures.add(sql + ": " + e.getMessage());
        }
    }
}
