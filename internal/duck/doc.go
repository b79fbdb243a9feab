// Package duck owns DuckDB: no other package imports its driver. It opens
// databases, creates tables from their declarations (internal/table), loads
// Arrow records into them and runs queries.
//
// What was measured of the pinned pair (go-duckdb v1.8.2 with arrow/go v17),
// and what this package does about it; facts_test.go holds it:
//
//  1. A query that does not take every column of a registered Arrow view, in
//     order, answers wrong values or crashes. So nothing but Load names a view,
//     and it only ever says INSERT INTO table SELECT * FROM view.
//  2. A view is a stream: a second query on it answers no rows. Load registers
//     one view per record and drops it.
//  3. The driver frees an exported reader without releasing it, and with it the
//     last batch. Load exports a reader whose Retain and Release do nothing, drops
//     the view first, and then releases its own reference.
//  4. A view that several threads read corrupts memory: of runs that loaded 100,000
//     tasks a dozen times on two threads, nearly all died of it, of those on one
//     thread none. Load has queries use one thread meanwhile.
//  5. A sum of BIGINT is a HUGEINT. Query accepts one that fits an int64, and
//     says so when it does not fit; cast in SQL where a table is made.
//
// A database file is attached to an in-memory database as "trace" and made the
// default. This way any path will do (the driver reads its file name as a URL),
// and a file that is open for reading only still has room beside it for tables
// that a query needs: they go to the catalog "memory".
//
// External access (files, network, extensions) is off, and the settings are
// locked, unless Options say otherwise: SQL may come from users and strangers.
package duck
