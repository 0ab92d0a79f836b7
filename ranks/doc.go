// Package ranks answers questions about many reports of one distributed run:
// which rank is slow, since when, why, and what mending it would bring.
//
// The work has two halves, so that a thousand reports need not lie in memory or
// on one machine:
//
//  1. [Map] reads a report once and returns a [Partial] for each rank in it: a
//     rank is a process with its device, not a file. A partial holds who the rank
//     is, its table of steps, its collectives, sums of its kernels and the
//     moments at which it was busy, in some ten thousand bytes.
//  2. [Set] is a set of partials. Adding and merging sets is a union by digest:
//     in any order and any split the same bytes come out ([Set.WriteTo]), and
//     what is there twice counts once.
//  3. [Set.Analyze] does at the end what cannot be done in parts, and needs no
//     report again. It says which number each partial has and whether they are
//     of one run; matches the collectives of each communicator by their order;
//     fits the clocks of the devices; infers communicators where the reports do not
//     name them; then waits, bandwidths, stragglers and their causes.
//
// # The straggler
//
// In a synchronous run everybody waits for the slowest, so waits show victims.
// What tells the slow rank is its self time: the time of a step less that in
// which nothing but communication ran. It needs no clock. A rank whose self
// time is above that of the median rank in at least half of the steps is a
// chronic straggler; one that is so in a single step had a single stall. Both are
// reported, apart ([Run.Chronic], [Run.Single]).
//
// # Clocks
//
// Device times of two ranks differ by their hosts' clocks and by the bias of each
// GPU, even on one host. All members of an AllReduce, AllGather, ReduceScatter or
// AlltoAll end together, because each needs something of every other; so the
// ends of matched collectives fit an offset, and where they ask for it a rate,
// for each rank. The fit is robust: an end that is late by itself does not move
// it. Its error is never stated better than the ends agree.
package ranks
