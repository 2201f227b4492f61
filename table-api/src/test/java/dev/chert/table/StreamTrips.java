package dev.chert.table;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/// The example of README.md.
final class StreamTrips {
    private StreamTrips() {}

    public static void main(String[] arguments) throws IOException {
        try (TableEnvironment environment = TableEnvironment.create();
                TableResult result = environment.executeSql("""
                        SELECT station, minutes, fare
                        FROM 'samples/trips.parquet'
                        WHERE rider = 'member'""");
                BufferAllocator allocator = new RootAllocator();
                ArrowReader reader = result.arrow(allocator)) {
            VectorSchemaRoot batch = reader.getVectorSchemaRoot();
            while (reader.loadNextBatch()) {
                System.out.println(batch.getRowCount() + " rows, the first from "
                        + batch.getVector("station").getObject(0));
            }
        }
    }
}
