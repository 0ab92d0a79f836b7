package ranks

import (
	"bufio"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/ranks"
)

// runOptions say how ranks belong together.
var runOptions = []page.Option{
	{Name: "rank-from", Remote: true, Kind: page.Choice, Values: ranks.Sources()[1:], Help: "take numbers of ranks from this source alone"},
	{Name: "ranks", Kind: page.Text, Arg: "FILE.tsv", Help: "take numbers of ranks from lines of file name, tab, number"},
	{Name: "groups", Remote: true, Kind: page.Text, Arg: "NAME=SIZE,…", Help: "sizes of groups, innermost first, such as tp=8,dp=8, where reports do not tell communicators"},
	{Name: "force", Remote: true, Kind: page.Flag, Help: "analyze together what seems to be of different runs"},
}

func runAsked(q *page.Request) (*ranks.Options, error) {
	o := &ranks.Options{Force: q.Flag("force")}
	if s := q.Text("rank-from"); s != "" {
		from := ranks.Source(slices.Index(ranks.Sources(), s))
		o.From = &from
	}
	if s := q.Text("ranks"); s != "" {
		var err error
		if o.List, err = readList(s); err != nil {
			return nil, err
		}
	}
	for _, d := range strings.Split(q.Text("groups"), ",") {
		if d = strings.TrimSpace(d); d == "" {
			continue
		}
		name, size, _ := strings.Cut(d, "=")
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 || n > 1<<20 {
			return nil, page.Usagef("--groups: expected NAME=SIZE, found %q", d)
		}
		o.Layout = append(o.Layout, ranks.Dimension{Name: name, Size: n})
	}
	return o, nil
}

// readList reads lines of a file name, a tab and a number.
func readList(path string) (map[string]int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]int64{}
	s := bufio.NewScanner(f)
	for line := 1; s.Scan(); line++ {
		text := strings.TrimRight(s.Text(), "\r")
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		name, number, ok := strings.Cut(text, "\t")
		n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if !ok || err != nil || n < 0 {
			return nil, page.Usagef("%s:%d: expected a file name, a tab and a number, found %q", path, line, text)
		}
		out[name] = n
	}
	return out, s.Err()
}

// checkList refuses names in the list that no input has.
func checkList(o *ranks.Options, partials []*ranks.Partial) error {
	var names []string
	for _, p := range partials {
		names = append(names, p.File)
	}
	for name := range o.List {
		if !slices.Contains(names, name) {
			return page.Usagef("--ranks: there is no report %s%s", name, spelling.Nearest(name, names))
		}
	}
	return nil
}
