package table

// Compact drops what no word needs: features that no tree asks, and questions
// whose answers lead to the same label.
func (o *Op) Compact() {
	for i := range o.Groups {
		o.Groups[i].Tree = o.Groups[i].Tree.compact()
	}
	used := make([]int32, len(o.Features))
	each := func(f func(*Node)) {
		for i := range o.Groups {
			for k := range o.Groups[i].Tree {
				f(&o.Groups[i].Tree[k])
			}
		}
		for i := range o.Tokens {
			for k := range o.Tokens[i].Choice {
				f(&o.Tokens[i].Choice[k])
			}
		}
	}
	for i := range o.Tokens {
		o.Tokens[i].Choice = o.Tokens[i].Choice.compact()
	}
	each(func(n *Node) {
		if n.Feature >= 0 {
			used[n.Feature] = 1
		}
	})
	var kept []Feature
	for i, f := range o.Features {
		if used[i] == 1 {
			used[i] = int32(len(kept))
			kept = append(kept, f)
		}
	}
	each(func(n *Node) {
		if n.Feature >= 0 {
			n.Feature = used[n.Feature]
		}
	})
	o.Features = kept
}

// compact is the tree without questions that do not matter.
func (t Tree) compact() Tree {
	if len(t) == 0 {
		return nil
	}
	var out Tree
	var walk func(i int32) int32
	walk = func(i int32) int32 {
		at := int32(len(out))
		out = append(out, t[i])
		if t[i].Feature < 0 {
			return at
		}
		no := walk(t[i].No)
		yes := walk(t[i].Yes)
		if a, b := out[no], out[yes]; a.Feature < 0 && b.Feature < 0 && a.Label == b.Label {
			out = append(out[:at], a)
			return at
		}
		out[at].No, out[at].Yes = no, yes
		return at
	}
	walk(0)
	return out
}
