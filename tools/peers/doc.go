// Package peers compares gpuprof with programs and types of others, which are no
// part of it: datasets with DuckDB, jobs for Kubernetes with the types of its API. It
// is a module of its own, for DuckDB needs cgo and downloads of some 200 MB.
// .ci/peers runs it.
package peers
