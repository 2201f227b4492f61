-- What the training run of bin/chert executes: the paths that most queries take from the parser to the last row.
SELECT 1;
CREATE TABLE training (k INTEGER, name VARCHAR, price DECIMAL(12, 2), day DATE);
INSERT INTO training VALUES (1, 'one', 1.50, DATE '2024-01-31'), (2, 'two', 2.25, DATE '2024-02-29'), (3, NULL, NULL, NULL);
SELECT name, count(*), sum(price * (1 - 0.05)), avg(k), min(day)
FROM training WHERE day <= DATE '2024-12-31' AND name LIKE '%o%' GROUP BY name ORDER BY name;
SELECT a.name, b.price FROM training a JOIN training b ON a.k = b.k WHERE a.k IN (SELECT k FROM training) ORDER BY 2 DESC LIMIT 2;
SELECT CASE WHEN k > 1 THEN upper(name) ELSE coalesce(name, '') END, extract(YEAR FROM day), CAST(k AS DOUBLE) FROM training;
