package annotation

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/gpuprof/gpuprof/format/nvtxt"
	"github.com/gpuprof/gpuprof/page"
)

// Format is the page nvtxt fmt.
var Format = &page.Page{
	Name:  "nvtxt fmt",
	Short: "Lay annotation files out in the standard form",
	Long: `What a file means stays the same; lines in error stay as they are. Without files it
reads the standard input.`,
	Example: "gpuprof nvtxt fmt frames.nvtxt\ngpuprof nvtxt fmt -w *.nvtxt",
	Group:   page.GroupNvtxt, Args: "[FILE...]", MaxArgs: -1, Unopened: true, Output: page.OneText,
	Options: []page.Option{
		{Name: "write", Short: "w", Kind: page.Flag, Help: "write the result to the file instead of the terminal"},
		{Name: "list", Short: "l", Kind: page.Flag, Help: "only list the files whose form differs; the exit status is 1 if there are any"},
		nvtxtOptions[0],
	},
	Stream:  formatFiles,
	Streams: always,
}

func always(*page.Request) bool { return true }

func formatFiles(ctx context.Context, q *page.Request, out io.Writer) error {
	d, err := nvtxt.ParseDialect(q.Text("dialect"))
	if err != nil {
		return page.Usagef("--dialect: %v", err)
	}
	if len(q.Args) == 0 {
		if q.Flag("write") || q.Flag("list") {
			return page.Usagef("nvtxt fmt: --write and --list need files")
		}
		return formatOne(q, os.Stdin, "standard input", out, d)
	}
	found := false
	for _, name := range q.Args {
		if err := ctx.Err(); err != nil {
			return err
		}
		differs, err := formatFile(ctx, q, name, out, d)
		if err != nil {
			return err
		}
		found = found || differs && q.Flag("list")
	}
	if found {
		return page.ErrFinding
	}
	return nil
}

func formatOne(q *page.Request, in io.Reader, name string, out io.Writer, d nvtxt.Dialect) error {
	wrong, err := nvtxt.Format(out, in, d)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if wrong > 0 {
		q.Notef("%s: %d lines are in error and stay as they are; 'gpuprof nvtxt check' tells which", name, wrong)
	}
	return nil
}

// formatFile reads a file as a whole, since with --write the result replaces it,
// and tells whether it changes.
func formatFile(ctx context.Context, q *page.Request, name string, out io.Writer, d nvtxt.Dialect) (differs bool, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	var b bytes.Buffer
	if err := formatOne(q, bytes.NewReader(data), name, &b, d); err != nil {
		return false, err
	}
	differs = !bytes.Equal(data, b.Bytes())
	switch {
	case q.Flag("list") && differs:
		_, err = fmt.Fprintln(out, name)
	case !q.Flag("list") && !q.Flag("write"):
		_, err = out.Write(b.Bytes())
	}
	if err == nil && q.Flag("write") && differs {
		q.Replace = true // that is what it asks for
		err = q.Write(ctx, name, func(w io.Writer) error {
			_, err := b.WriteTo(w)
			return err
		})
	}
	return differs, err
}
