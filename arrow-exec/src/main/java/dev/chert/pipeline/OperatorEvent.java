package dev.chert.pipeline;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// What one node of a query's plan did, in a flight recording: committed with its [QueryEvent], without a duration.
@Name("dev.chert.Operator")
@Label("Operator")
@Category({"Chert"})
@Description("What the operators of one plan node did, over all workers, when their query was closed")
@StackTrace(false)
final class OperatorEvent extends Event {
    @Label("Query")
    @Description("The name of the query")
    String query;

    @Label("Node")
    @Description("The plan node with its number, as messages name it")
    String node;

    @Label("Detail")
    @Description("The plan node as EXPLAIN shows it")
    String detail;

    @Label("Rows")
    long rows;

    @Label("Estimated Rows")
    @Description("What the planner expected; NaN where it did not say")
    double estimatedRows;

    @Label("Batches")
    long batches;

    @Label("Own Time")
    @Description("Time of all workers in the node's operators and sinks, without its inputs")
    @Timespan(Timespan.NANOSECONDS)
    long ownTime;

    @Label("Peak Memory")
    @DataAmount(DataAmount.BYTES)
    long peakMemory;

    @Label("Spilled")
    @Description("Bytes of state that were written to disk, as they were in memory")
    @DataAmount(DataAmount.BYTES)
    long spilledBytes;

    @Label("Read Bytes")
    @Description("Bytes that a scan read from files for values")
    @DataAmount(DataAmount.BYTES)
    long readBytes;

    @Label("Read Splits")
    @Description("Splits (row groups of a Parquet file) that a scan opened")
    int readSplits;

    @Label("Pruned Splits")
    @Description("Splits that a scan left out by statistics")
    int prunedSplits;
}
