package page

import "github.com/gpuprof/gpuprof/load"

// Parts are the reports of a page that one request may ask for.
type Parts struct {
	Option  string                                 // names a part; a request for one part gives it alone
	Default func(*load.File) []string              // what is shown of a file where nothing is asked for
	Expand  func(names []string) ([]string, error) // replaces patterns by the names that they stand for
	Help    func(names []string) (string, error)   // tells of these parts; of none: lists all
}

// PartsOf are the parts that a request asks for; none: the default.
func (p *Page) PartsOf(q *Request) ([]string, error) {
	if err := p.check(q); err != nil {
		return nil, err
	}
	return p.Parts.Expand(q.List(p.Parts.Option))
}
