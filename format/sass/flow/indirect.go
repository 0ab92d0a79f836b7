package flow

// linkIndirect lets branches through registers lead to the blocks that nothing else
// leads to, but for the entry, what is called, where threads come together, and the
// branch to itself that ends a program. The tables that such branches read are not
// in the code: it is a guess, and in a program with several such branches each leads
// to the targets of all.
func (p *Program) linkIndirect() {
	var from []int
	for b := range p.Blocks {
		switch p.ends(b) {
		case "BRX", "BRXU", "JMX", "JMXU":
			from = append(from, b)
		}
	}
	if len(from) == 0 {
		return
	}
	known := map[int]bool{0: true}
	for i := range p.Instructions {
		k := -1
		switch p.Instructions[i].Mnemonic {
		case "BSSY":
			k = p.rejoins(i)
		case "CALL":
			k = p.calls(i)
		}
		if k >= 0 {
			known[p.Block(k)] = true
		}
	}
	var to []int
	for b := range p.Blocks {
		if len(p.Blocks[b].Previous) == 0 && !known[b] && p.ends(b) != "NOP" {
			to = append(to, b)
		}
	}
	for _, b := range from[:min(len(from), maxIndirect)] {
		for _, n := range to[:min(len(to), maxIndirect)] {
			p.link(b, p.Blocks[n].From)
		}
	}
}

// maxIndirect bounds both sides of what linkIndirect links.
const maxIndirect = 512
