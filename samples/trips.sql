-- Made trips.parquet, with DuckDB in this folder: 5,000 invented rides of a bicycle hire, in three row groups.
COPY (
    SELECT
        n AS trip_id,
        TIMESTAMP '2025-06-01 05:00:00' + to_seconds(CAST(n * 53 + (n * 7919) % 211 AS BIGINT)) AS started_at,
        ['Harbour', 'Old Town', 'University', 'Airport', 'North Park', 'Market'][1 + (n * n + n // 7) % 6] AS station,
        CASE WHEN n % 11 > 0 THEN CASE WHEN n % 5 = 0 THEN 'guest' ELSE 'member' END END AS rider,
        CAST(3 + (n * 31) % 57 AS SMALLINT) AS minutes,
        CAST(0.40 + ((n * 613) % 1870) / 100.0 AS DECIMAL(6, 2)) AS kilometres,
        CAST(CASE WHEN n % 5 = 0 THEN 1.00 ELSE 0 END + 0.15 * (3 + (n * 31) % 57) AS DECIMAL(8, 2)) AS fare
    FROM range(1, 5001) t(n)
) TO 'trips.parquet' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048);
