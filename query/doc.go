// Package query asks timelines in SQL: it lays a trace out as an SQLite database,
// runs a statement that can only read, within bounds of rows and time, and knows
// recipes, the queries that people ask most.
package query
