package dev.chert.planner;

import dev.chert.planner.catalog.Catalog;
import dev.chert.planner.catalog.FileTables;
import dev.chert.planner.rules.ConstantFolder;
import dev.chert.planner.rules.Metadata;
import dev.chert.planner.rules.Optimizer;
import dev.chert.planner.types.ChertTypeFactory;
import dev.chert.planner.validate.QueryValidator;
import dev.chert.query.Settings;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.sql.SqlNode;

/// Takes one statement's queries from parsed text to optimized algebra.
final class RelPlanner {
    private static final HepProgram NOTHING = HepProgram.builder().build();

    private final ChertTypeFactory factory = new ChertTypeFactory();
    private final RelOptCluster cluster;
    private final QueryValidator validator;
    private final Optimizer optimizer;

    RelPlanner(Catalog catalog, FileTables files, Settings settings) {
        HepPlanner planner = new HepPlanner(NOTHING);
        planner.setExecutor(new ConstantFolder());
        this.cluster = RelOptCluster.create(planner, new PlacedCasts(factory));
        cluster.setMetadataQuerySupplier(Metadata::new);
        this.validator = new QueryValidator(catalog, files, settings, factory, cluster);
        this.optimizer = new Optimizer(cluster, settings.get(Settings.DISABLED_RULES));
    }

    QueryValidator validator() {
        return validator;
    }

    /// The algebra as the query says it.
    RelRoot convert(SqlNode query) {
        return validator.convert(query);
    }

    /// The algebra as it is to be run; its columns are those of the root, of which the query wants
    /// [RelRoot#fields].
    RelNode optimize(RelRoot root) {
        return optimizer.optimize(root.project());
    }
}
