package page

import (
	"fmt"
	"slices"
	"strings"
)

// Pages are the pages that a face has, in the order in which a viewer lists them.
// That of gpuprof is catalogue.Pages.
type Pages []*Page

// Lookup returns the page of a name or alias, or nil.
func (ps Pages) Lookup(name string) *Page {
	for _, p := range ps {
		if p.Name == name || slices.Contains(p.Aliases, name) {
			return p
		}
	}
	return nil
}

// Markdown is the list as docs/json.md has it: the pages by name, with what files
// they are about and whether the viewer has them.
func (ps Pages) Markdown() string {
	var b strings.Builder
	b.WriteString("| page | of files with | in the viewer | |\n|---|---|---|---|\n")
	sorted := slices.SortedFunc(slices.Values(ps), func(a, b *Page) int { return strings.Compare(a.Name, b.Name) })
	for _, p := range sorted {
		viewer := ""
		if p.Remote() {
			viewer = p.Heading()
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.Name, strings.Join(p.Needs.Names(), ", "), viewer, p.Short)
	}
	return b.String()
}
