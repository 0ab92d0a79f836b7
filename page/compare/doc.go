// Package compare has the pages that compare measurements: diff, which lists
// what differs, and check, which judges by a policy. What they say is found by
// package compare of the engines.
package compare
