package dev.chert.pipeline;

import dev.chert.operator.scan.ScanMetrics;
import jdk.jfr.FlightRecorder;

/// Puts a query and the nodes of its plan into the flight recordings that are on when it starts.
///
/// While none is, [#begin()] makes no object, and before the first one it loads no class of an event.
final class QueryRecording {
    private final QueryEvent event;

    /// An event that is only asked whether a recording wants its kind.
    private static final class Asked {
        static final QueryEvent EVENT = new QueryEvent();
    }

    private QueryRecording(QueryEvent event) {
        this.event = event;
    }

    /// Notes the start of a query.
    ///
    /// @return null where no recording wants it
    static QueryRecording begin() {
        if (!FlightRecorder.isInitialized()) {
            return null;
        }
        if (!Asked.EVENT.isEnabled()) {
            return null;
        }
        QueryEvent event = new QueryEvent();
        event.begin();
        return new QueryRecording(event);
    }

    /// Notes the end of the query.
    void end() {
        event.end();
    }

    /// Writes both kinds of events, once.
    void commit(QueryMetrics query) {
        for (OperatorMetrics operator : query.operators()) {
            commit(query, operator);
        }
        event.name = query.name();
        event.text = query.text();
        event.planningTime = query.planningTime().toNanos();
        event.rows = query.rows();
        event.peakMemory = query.memoryPeakBytes();
        event.spilledBytes = query.spilledBytes();
        event.outcome = query.outcome().name();
        event.commit();
    }

    private static void commit(QueryMetrics query, OperatorMetrics operator) {
        OperatorEvent event = new OperatorEvent();
        event.query = query.name();
        event.node = operator.name();
        event.detail = operator.detail();
        event.rows = operator.rows();
        event.estimatedRows = operator.estimatedRows();
        event.batches = operator.batches();
        event.ownTime = operator.ownNanos();
        event.peakMemory = operator.memoryPeakBytes();
        event.spilledBytes = operator.spilledBytes();
        ScanMetrics scan = operator.scan().orElse(null);
        if (scan != null) {
            event.readBytes = scan.bytesRead();
            event.readSplits = scan.readSplits();
            event.prunedSplits = scan.prunedSplits();
        }
        event.commit();
    }
}
