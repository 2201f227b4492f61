package dev.chert.planner;

import dev.chert.planner.catalog.Catalog;
import dev.chert.planner.parse.SqlText;
import dev.chert.query.Settings;

/// Plans statements over the tables of TPC-H and a small table `t`.
final class PlannerFixture {
    final Catalog catalog = FixtureTable.tpch();
    private final Planner planner = new Planner(catalog, null);
    private Settings settings = Settings.defaults();

    PlannerFixture() {
        add(FixtureTable.of("t", 1000, "a INTEGER", "b INTEGER", "s VARCHAR", "d DATE", "x DOUBLE"));
    }

    PlannerFixture add(FixtureTable table) {
        catalog.add(new Catalog.Table(table.name(), table), true);
        return this;
    }

    PlannerFixture set(String key, String value) {
        settings = settings.with(key, value);
        return this;
    }

    Planned plan(String sql) {
        return planner.plan(SqlText.of(sql), settings);
    }

    /// The physical plan of a query.
    String physical(String sql) {
        return PlanText.of(((Planned.Query) plan(sql)).plan());
    }
}
