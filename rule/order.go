package rule

// inOrder returns rules so that each comes after its parents and the rules that
// it needs; otherwise the order stays. Of a circle, which no order suits, the
// rules keep their order.
func inOrder(rules []*Rule) []*Rule {
	byID := make(map[string]*Rule, len(rules))
	for _, r := range rules {
		byID[r.ID] = r
	}
	out := make([]*Rule, 0, len(rules))
	seen := map[*Rule]bool{}
	var visit func(r *Rule)
	visit = func(r *Rule) {
		if r == nil || seen[r] {
			return
		}
		seen[r] = true
		for _, id := range r.Parents {
			visit(byID[id])
		}
		for _, id := range r.Rules {
			visit(byID[id])
		}
		out = append(out, r)
	}
	for _, r := range rules {
		visit(r)
	}
	return out
}
