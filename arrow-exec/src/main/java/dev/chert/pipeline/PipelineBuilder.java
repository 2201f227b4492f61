package dev.chert.pipeline;

import dev.chert.expression.Evaluators;
import dev.chert.memory.Allocator;
import dev.chert.operator.Breaker;
import dev.chert.operator.Operator;
import dev.chert.operator.OperatorFactory;
import dev.chert.operator.aggregate.HashAggregateBreaker;
import dev.chert.operator.exchange.BatchQueue;
import dev.chert.operator.filter.FilterOperator;
import dev.chert.operator.join.HashJoinBuild;
import dev.chert.operator.join.NestedLoopBuild;
import dev.chert.operator.limit.LimitOperator;
import dev.chert.operator.limit.RowWindow;
import dev.chert.operator.project.ProjectOperator;
import dev.chert.operator.scan.MorselQueue;
import dev.chert.operator.scan.ScanOperator;
import dev.chert.operator.sort.SortBreaker;
import dev.chert.operator.sort.TopNBreaker;
import dev.chert.operator.union.UnionAllOperator;
import dev.chert.operator.values.ValuesOperator;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.QueryContext;
import dev.chert.source.TableSource.ScanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Cuts a plan into pipelines at its breakers.
///
/// Walks the plan from the top. Streaming nodes add to the chain of the pipeline being built; a breaker ends a
/// pipeline of its own below it, which the present one then needs, and gives the present one its source.
final class PipelineBuilder {
    /// Batches for each worker that may wait for a slow reader.
    private static final int QUEUED_BATCHES = 4;

    private final Engine engine;
    private final QueryContext query;
    private final List<Pipeline> pipelines = new ArrayList<>();
    private int nodes;
    private boolean inOrder;

    PipelineBuilder(Engine engine, QueryContext query) {
        this.engine = engine;
        this.query = query;
    }

    /// A node's operators and what they did.
    private record Stream(OperatorFactory chain, OperatorMetrics metrics) {}

    QueryExecution build(PhysicalPlan plan) {
        inOrder = isLimitedScan(plan);
        int workers = inOrder ? 1 : engine.threads();
        List<Pipeline> needs = new ArrayList<>();
        Stream top = stream(plan, needs);
        BatchQueue results = new BatchQueue(QUEUED_BATCHES * workers, workers, 0);
        pipelines.add(new Pipeline(top.chain(), results, needs, workers));
        return new QueryExecution(engine, query, plan.schema(), results, pipelines, top.metrics());
    }

    /// Whether the plan is a LIMIT on the rows of one source as they are: one worker then reads no more than is
    /// wanted, and gives the first rows of a file rather than any.
    private static boolean isLimitedScan(PhysicalPlan plan) {
        boolean limited = false;
        PhysicalPlan node = plan;
        while (node instanceof PhysicalPlan.Limit || node instanceof PhysicalPlan.Project) {
            limited |= node instanceof PhysicalPlan.Limit;
            node = node.inputs().getFirst();
        }
        return limited && node instanceof PhysicalPlan.Scan;
    }

    /// @param needs gets the pipelines that the one being built has to wait for
    private Stream stream(PhysicalPlan node, List<Pipeline> needs) {
        String name = node.getClass().getSimpleName() + " " + nodes++;
        return switch (node) {
            case PhysicalPlan.Scan scan -> scan(scan, name);
            case PhysicalPlan.Values values -> {
                AtomicInteger nextRow = new AtomicInteger();
                Allocator allocator = query.memory().allocator(name);
                yield metered(
                        name,
                        List.of(),
                        _ -> new ValuesOperator(values.schema(), values.rows(), nextRow, query.batchSize(), allocator));
            }
            case PhysicalPlan.Filter filter -> {
                Stream input = stream(filter.input(), needs);
                Allocator allocator = query.memory().allocator(name);
                yield metered(
                        name,
                        List.of(input),
                        worker -> new FilterOperator(
                                input.chain().open(worker), Evaluators.filter(filter.predicate(), query, allocator)));
            }
            case PhysicalPlan.Project project -> {
                Stream input = stream(project.input(), needs);
                Allocator allocator = query.memory().allocator(name);
                yield metered(
                        name,
                        List.of(input),
                        worker -> new ProjectOperator(
                                input.chain().open(worker),
                                Evaluators.project(project.expressions(), query, allocator)));
            }
            case PhysicalPlan.Limit limit -> {
                Stream input = stream(limit.input(), needs);
                RowWindow window = new RowWindow(limit.offset(), limit.fetch());
                yield metered(
                        name,
                        List.of(input),
                        worker -> new LimitOperator(input.chain().open(worker), window, query.selections()));
            }
            case PhysicalPlan.UnionAll union -> {
                List<Stream> inputs = union.inputs().stream()
                        .map(input -> stream(input, needs))
                        .toList();
                yield metered(name, inputs, worker -> {
                    List<Operator> chains = new ArrayList<>();
                    inputs.forEach(input -> chains.add(input.chain().open(worker)));
                    return new UnionAllOperator(chains);
                });
            }
            case PhysicalPlan.HashAggregate aggregate -> {
                HashAggregateBreaker groups = new HashAggregateBreaker(aggregate, name, query, engine.threads());
                Stream input = fill(groups, aggregate.input(), needs);
                yield metered(name, List.of(input), groups.source());
            }
            case PhysicalPlan.Sort sort -> {
                SortBreaker runs = new SortBreaker(sort, name, query);
                Stream input = fill(runs, sort.input(), needs);
                yield metered(name, List.of(input), runs.source());
            }
            case PhysicalPlan.TopN topN -> {
                TopNBreaker rows = new TopNBreaker(topN, name, query);
                Stream input = fill(rows, topN.input(), needs);
                yield metered(name, List.of(input), rows.source());
            }
            case PhysicalPlan.HashJoin join -> {
                HashJoinBuild table = new HashJoinBuild(join, name, query, engine.threads());
                Stream build = fill(table, join.build(), needs);
                Stream probe = stream(join.probe(), needs);
                yield metered(name, List.of(probe, build), table.probe(probe.chain()));
            }
            case PhysicalPlan.NestedLoopJoin join -> {
                NestedLoopBuild rows = new NestedLoopBuild(join, name, query);
                Stream right = fill(rows, join.right(), needs);
                Stream left = stream(join.left(), needs);
                yield metered(name, List.of(left, right), rows.probe(left.chain()));
            }
            case PhysicalPlan.Exchange exchange -> exchange(exchange, name);
        };
    }

    private Stream scan(PhysicalPlan.Scan scan, String name) {
        ScanRequest request = new ScanRequest(scan.columns(), scan.predicates());
        MorselQueue morsels = new MorselQueue(request, scan.source().splits(request));
        Allocator allocator = query.memory().allocator(name);
        Stream read = metered(name, List.of(), worker -> new ScanOperator(morsels, worker, allocator));
        boolean fewMorsels = !inOrder && morsels.size() > 0 && morsels.size() < engine.threads();
        return fewMorsels && morsels.rowCount() >= query.batchSize() * 2L * engine.threads()
                ? spread(read, Math.min(morsels.size(), engine.threads()))
                : read;
    }

    /// A local exchange hands each row to whoever asks next, and so meets any distribution but a single
    /// consumer's, which on one machine is what a breaker is.
    private Stream exchange(PhysicalPlan.Exchange exchange, String name) {
        List<Pipeline> needs = new ArrayList<>();
        Stream input = stream(exchange.input(), needs);
        BatchQueue queue = new BatchQueue(QUEUED_BATCHES * engine.threads(), engine.threads(), engine.threads());
        pipelines.add(new Pipeline(input.chain(), queue, needs, engine.threads()));
        return metered(name, List.of(input), queue.source());
    }

    /// Lets all workers share what a few can read.
    private Stream spread(Stream input, int readers) {
        BatchQueue queue = new BatchQueue(QUEUED_BATCHES * engine.threads(), readers, engine.threads());
        pipelines.add(new Pipeline(input.chain(), queue, List.of(), readers));
        return new Stream(queue.source(), input.metrics());
    }

    private Stream fill(Breaker breaker, PhysicalPlan input, List<Pipeline> needs) {
        List<Pipeline> inputNeeds = new ArrayList<>();
        Stream stream = stream(input, inputNeeds);
        Pipeline pipeline = new Pipeline(stream.chain(), breaker, inputNeeds, engine.threads());
        pipelines.add(pipeline);
        needs.add(pipeline);
        return stream;
    }

    private Stream metered(String name, List<Stream> inputs, OperatorFactory factory) {
        OperatorMetrics metrics =
                new OperatorMetrics(name, inputs.stream().map(Stream::metrics).toList());
        return new Stream(worker -> new MeteredOperator(factory.open(worker), metrics, query), metrics);
    }
}
