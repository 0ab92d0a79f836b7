// Package pagetest renders pages for tests and compares them with what the
// vendors' tools print.
package pagetest
