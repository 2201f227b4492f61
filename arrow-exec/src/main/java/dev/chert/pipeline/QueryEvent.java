package dev.chert.pipeline;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A query in a flight recording: begins with it, ends with its last row, committed when it is closed.
@Name("dev.chert.Query")
@Label("Query")
@Category({"Chert"})
@Description("A query of the Chert engine, from the start of its plan to its end")
@StackTrace(false)
final class QueryEvent extends Event {
    @Label("Name")
    @Description("The query's name in messages, unique in its engine")
    String name;

    @Label("Text")
    @Description("The statement; empty where the plan was made without one")
    String text;

    @Label("Planning Time")
    @Timespan(Timespan.NANOSECONDS)
    long planningTime;

    @Label("Rows")
    @Description("Rows that the caller took")
    long rows;

    @Label("Peak Memory")
    @DataAmount(DataAmount.BYTES)
    long peakMemory;

    @Label("Spilled")
    @Description("Bytes of state that were written to disk, as they were in memory")
    @DataAmount(DataAmount.BYTES)
    long spilledBytes;

    @Label("Outcome")
    @Description("FINISHED, FAILED or CANCELLED")
    String outcome;
}
