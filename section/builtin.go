package section

import "github.com/gpuprof/gpuprof/format/ncurep"

// builtin are the metrics of an item whose layout the definition leaves to the
// tool.
func (r *resolver) builtin(it *ncurep.BodyItem) []Metric {
	return nil
}
