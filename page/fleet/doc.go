// Package fleet holds the pages that work on many inputs, here or on the nodes of a
// cluster: package fleet of the engines spreads the work, this one says what the
// work is. A kind of work is a page with a job that maps a shard to a part, and a
// function that makes a document of all parts: see kind.
package fleet
