SELECT station, count(*) AS trips, sum(fare) AS fares
FROM 'samples/trips.parquet'
WHERE rider = 'member'
GROUP BY station
ORDER BY fares DESC;
