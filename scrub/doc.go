// Package scrub takes out of profiles what their owners would not publish, and
// leaves what an analysis needs.
//
// A profile is a list of texts with a place each: a field of a message, a column of
// a table, a key of an object. The packages below format/ know how to go over them
// and how to put others in their stead; this package knows what to look for:
//
//	kind.go      what is taken out, and why
//	place.go     places that hold such a thing by their meaning: the host's name
//	address.go   shapes: addresses of networks and machines
//	identity.go  shapes: home folders, mail, variables that name somebody
//	secret.go    keys, tokens and passwords by their pattern
//	entropy.go   and by looking random
//	finder.go    goes over a text once and asks all of them
//	matcher.go   finds many given texts at once
//	pseudonym.go what stands in the place of what was taken out
//
// A [Scrubber] goes over a profile twice. First it learns: each value that a place
// or a shape gives away. Then it replaces every one of them wherever it stands, so
// that the name of a user is gone from paths and annotations too, and a token that
// was recognized once is gone everywhere. What was found is told by kind, place and
// count, never by value.
//
// Scrubbing a second time finds nothing: what stands in for a value (user1, host1,
// 192.0.2.1, [removed]) is recognized.
package scrub
