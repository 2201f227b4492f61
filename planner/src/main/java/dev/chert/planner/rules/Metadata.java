package dev.chert.planner.rules;

import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.ProxyingMetadataHandlerProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/// Metadata through proxies: Calcite's default compiles a handler for each kind, which costs a cold start more than all
/// queries of a short session ask for.
public final class Metadata extends RelMetadataQuery {
    public Metadata() {
        super(new ProxyingMetadataHandlerProvider(DefaultRelMetadataProvider.INSTANCE));
    }
}
