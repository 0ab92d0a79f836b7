// Package ranks has the pages about many reports of one distributed run: which
// rank is slow, since when, why (ranks); the small files that stand for reports
// (ranks map, ranks merge); and all ranks on one clock for the timeline viewers
// (ranks trace).
package ranks
