package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/catalogue"
	"github.com/gpuprof/gpuprof/terminal"
	"github.com/gpuprof/gpuprof/view"
)

// TestNewPageIsACommand: a page is a command by its row, with help, completion and
// the forms of every page. Package web has the same test for the viewer.
func TestNewPageIsACommand(t *testing.T) {
	probe := &page.Page{
		Name: "probe", Short: "Say how much there is", Group: page.GroupTool, Example: "gpuprof probe report.ncu-rep",
		Args: "FILE...", MinArgs: 1, MaxArgs: -1, Needs: load.Launches,
		Options: []page.Option{{Name: "of", Kind: page.Choice, Values: []string{"this", "that"}, Default: "this", Help: "of what"}},
		Build: func(_ context.Context, q *page.Request) (*view.Document, error) {
			s := view.Section{ID: "probe", Title: "Probe of " + q.Text("of")}
			return &view.Document{Title: "probe", Sections: []view.Section{s}, Undecided: len(q.Files) > 1}, nil
		},
	}
	pages := append(catalogue.Pages(), probe)
	example := filepath.Join("..", "..", "examples", "transpose.ncu-rep")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"help"}, 0, "Say how much there is"},
		{[]string{"help", "probe"}, 0, "--of this|that"},
		{[]string{"__complete", "pro"}, 0, "probe"},
		{[]string{"__complete", "probe", "--of", "th"}, 0, "that"},
		{[]string{"__complete", "probe", "--format", ""}, 0, "json"},
		{[]string{"probe", "--of", "that", "--format", "json", example}, 0, "Probe of that"},
		{[]string{"probe", example, example}, terminal.ExitUndecided, "Probe of this"},
		{[]string{"probe", "--of", "those", example}, terminal.ExitUsage, ""},
		{[]string{"probe"}, terminal.ExitUsage, ""},
		{[]string{"probe", "none.ncu-rep"}, terminal.ExitInput, ""},
	} {
		var out, said bytes.Buffer
		a := newApp(pages, &out, &said)
		if status := a.Run(t.Context(), c.args); status != c.status || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: status %d, %.300s%.200s", c.args, status, out.String(), said.String())
		}
	}
	if !strings.Contains(pages.Markdown(), "| `probe` | launches | Probe | Say how much there is |") {
		t.Error("the list for the documentation lacks the page")
	}
}
