// Package examples makes the profiles in the folder examples/.
//
// They are written by our own writer and describe no real run: the numbers come
// from a small model of a GPU that does not exist (108 multiprocessors at 1.41
// GHz, 1.55 TB/s), so that the files may be shared freely, are small, and still
// look like what a profiler records. `go test ./internal/examples -update`
// writes them anew; without the flag the test fails if they are stale.
package examples
