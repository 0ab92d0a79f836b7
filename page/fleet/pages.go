package fleet

import "github.com/gpuprof/gpuprof/page"

// Pages are the pages of this package. Pages of other topics show the answers of
// some: those are handed in.
func Pages(ranks, convert *page.Page, lifetimes Lifetimes, compare Comparison) []*page.Page {
	all := []*kind{ofRanks(ranks), ofStats(), ofDetails(), lifetimes.kind(), compare.check(), compare.report(), ofConvert(convert)}
	ks, out := kinds{}, []*page.Page(nil)
	for _, k := range all {
		ks[k.name] = k
		out = append(out, k.page())
	}
	return append(out, ks.status(), ks.resume(), ks.merge(), ks.work(), ks.script())
}
