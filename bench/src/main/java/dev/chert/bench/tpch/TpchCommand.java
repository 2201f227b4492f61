package dev.chert.bench.tpch;

import dev.chert.bench.run.SuiteRun;
import dev.chert.bench.suite.Corpus;
import java.io.IOException;
import java.math.BigDecimal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `chert-bench tpch`: generates TPC-H and runs it.
@Command(name = "tpch", description = "TPC-H over Parquet files.", mixinStandardHelpOptions = true)
public final class TpchCommand {
    private static final String SCALE = "Scale factor; 1 is 220 MB (default: ${DEFAULT-VALUE}).";

    @Command(
            name = "generate",
            description = "Writes the Parquet files into the cache, where they are absent, and prints their folder.",
            mixinStandardHelpOptions = true)
    int generate(@Option(names = "--scale", description = SCALE, defaultValue = "1") BigDecimal scale) {
        System.out.println(TpchData.ensure(scale, System.err::println).directory());
        return 0;
    }

    @Command(
            name = "run",
            description = "Runs the queries on each engine in turn, compares the rows, prints medians and ratios.",
            mixinStandardHelpOptions = true)
    int run(
            @Option(names = "--scale", description = SCALE, defaultValue = "1") BigDecimal scale,
            @Mixin SuiteRun suiteRun)
            throws IOException {
        return suiteRun.run(new TpchSuite(TpchData.ensure(scale, System.err::println), Corpus.directory()));
    }

    @Command(
            name = "operators",
            description = "Runs one large sort, aggregation and join at a time over lineitem; else as run.",
            mixinStandardHelpOptions = true)
    int operators(
            @Option(names = "--scale", description = SCALE, defaultValue = "1") BigDecimal scale,
            @Mixin SuiteRun suiteRun)
            throws IOException {
        return suiteRun.run(new OperatorsSuite(TpchData.ensure(scale, System.err::println)));
    }
}
