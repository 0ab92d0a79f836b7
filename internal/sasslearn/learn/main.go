// Command learn makes the tables of package format/sass out of pairs of
// instruction words and their text.
//
//	go run ./internal/sasslearn/learn -flips SM80.tsv -words own.tsv,near.tsv -o format/sass/tables/sm80.zst
//
// docs/formats/sass.md tells how the pairs are made and what came of it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/format/sass/table"
	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/internal/sasslearn"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "learn:", err)
		os.Exit(1)
	}
}

type options struct {
	flips, words, test, table, control, into, out string
	most, folds, op, show                         int
	verbose                                       bool
}

func run(args []string, w io.Writer) error {
	var o options
	fs := flag.NewFlagSet("learn", flag.ContinueOnError)
	fs.StringVar(&o.flips, "flips", "", "files of pairs that are all taken: base words and their single-bit flips")
	fs.StringVar(&o.words, "words", "", "further files of pairs, up to -most words of an operation")
	fs.StringVar(&o.test, "test", "", "files of pairs to measure the table with; words learned from are left out")
	fs.StringVar(&o.table, "table", "", "measure this table, learn none")
	fs.StringVar(&o.control, "control", "", "further files of pairs to learn from which control bits are legal; with -table, -o writes that table with what they tell")
	fs.StringVar(&o.into, "into", "", "keep this table, but for operations that were learned better: judged by the files of -test")
	fs.StringVar(&o.out, "o", "", "write the table here")
	fs.IntVar(&o.most, "most", 16000, "words of an operation to learn from")
	fs.IntVar(&o.folds, "folds", 0, "cross-validate: learn this many times, each time without that share of the first file of -words")
	fs.IntVar(&o.op, "op", -1, "learn this operation only, and print what was learned")
	fs.IntVar(&o.show, "show", 20, "print at most this many kinds of failures")
	fs.BoolVar(&o.verbose, "v", false, "say what could not be learned")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if o.table != "" {
		t, err := readTable(o.table)
		if err != nil {
			return err
		}
		if o.control != "" {
			if t, err = o.addControl(w, t); err != nil {
				return err
			}
		}
		return o.measure(w, t, nil)
	}
	set, err := o.load()
	if err != nil {
		return err
	}
	if o.folds > 0 {
		return o.crossValidate(w, set)
	}
	return o.learn(w, set)
}

// load reads the pairs to learn from.
func (o *options) load() (*sasslearn.Set, error) {
	set := &sasslearn.Set{Most: o.most}
	for _, list := range []struct {
		names string
		to    *[][]sasslearn.Pair
	}{{o.flips, &set.Whole}, {o.words, &set.Sampled}} {
		for name := range strings.SplitSeq(list.names, ",") {
			if name == "" {
				continue
			}
			p, err := read(name)
			if err != nil {
				return nil, err
			}
			if o.op >= 0 {
				p = slices.DeleteFunc(p, func(p sasslearn.Pair) bool { return p.Word.Op() != o.op })
			}
			*list.to = append(*list.to, p)
		}
	}
	return set, nil
}

func read(name string) ([]sasslearn.Pair, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".zst") {
		z, err := zstd.NewReader(f)
		if err != nil {
			return nil, err
		}
		defer z.Close()
		r = z
	}
	p, err := sasslearn.ReadPairs(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// readAll reads all files of a list.
func readAll(list string) ([]sasslearn.Pair, error) {
	var pairs []sasslearn.Pair
	for name := range strings.SplitSeq(list, ",") {
		p, err := read(name)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, p...)
	}
	return pairs, nil
}

func (o *options) learnOptions(w io.Writer) sasslearn.Options {
	if !o.verbose {
		return sasslearn.Options{}
	}
	return sasslearn.Options{Log: func(code int, what string) { fmt.Fprintf(w, "%03x %s\n", code, what) }}
}

func (o *options) learn(w io.Writer, set *sasslearn.Set) error {
	pairs := set.Pairs()
	ops := sasslearn.Learn(pairs, o.learnOptions(w))
	if o.control != "" {
		more, err := readAll(o.control)
		if err != nil {
			return err
		}
		sasslearn.LearnControl(ops, append(more, pairs...))
	}
	if o.op >= 0 && len(ops) > 0 {
		fmt.Fprint(w, ops[0].Dump())
	}
	learned := map[table.Word]bool{}
	for _, p := range pairs {
		learned[p.Word] = true
	}
	if o.into != "" {
		var err error
		if ops, err = o.mend(w, ops, learned); err != nil {
			return err
		}
	}
	t, err := o.write(w, ops, len(pairs))
	if err != nil {
		return err
	}
	return o.measure(w, t, learned)
}

// write writes a table made of so many pairs, and reads it as its users do.
func (o *options) write(w io.Writer, ops []*table.Op, pairs int) (*table.Table, error) {
	plain := table.Encode(ops)
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	packed := z.EncodeAll(plain, nil)
	fmt.Fprintf(w, "%d pairs, %d operations, %d bytes, %d compressed\n", pairs, len(ops), len(plain), len(packed))
	if o.out != "" {
		if err := atomicfile.WriteBytes(o.out, packed); err != nil {
			return nil, err
		}
	}
	return table.Decode(plain)
}

// addControl is the table with what the files of -control tell.
func (o *options) addControl(w io.Writer, t *table.Table) (*table.Table, error) {
	pairs, err := readAll(o.control)
	if err != nil {
		return nil, err
	}
	ops := operations(t)
	sasslearn.LearnControl(ops, pairs)
	return o.write(w, ops, len(pairs))
}

// mend is the table of -into with those of the operations that do better, judged by words
// of -test that were not met.
func (o *options) mend(w io.Writer, learned []*table.Op, met map[table.Word]bool) ([]*table.Op, error) {
	old, err := readTable(o.into)
	if err != nil {
		return nil, err
	}
	pairs, err := readAll(o.test)
	if err != nil {
		return nil, err
	}
	pairs = slices.DeleteFunc(pairs, func(p sasslearn.Pair) bool { return met[p.Word] })
	return sasslearn.Mend(operations(old), learned, pairs, func(code int, was, now *sasslearn.Score) {
		fmt.Fprintf(w, "%03x: %v; was %v\n", code, now, was)
	})
}

func operations(t *table.Table) (out []*table.Op) {
	for _, c := range t.Codes() {
		if op := t.Op(c); op != nil {
			out = append(out, op)
		}
	}
	return out
}

func readTable(name string) (*table.Table, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return unpack(b)
}

func unpack(b []byte) (*table.Table, error) {
	r, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if b, err = r.DecodeAll(b, nil); err != nil {
		return nil, err
	}
	return table.Decode(b)
}

// measure compares the texts of a table with those of the test files.
func (o *options) measure(w io.Writer, t *table.Table, learned map[table.Word]bool) error {
	for name := range strings.SplitSeq(o.test, ",") {
		if name == "" {
			continue
		}
		pairs, err := read(name)
		if err != nil {
			return err
		}
		pairs = slices.DeleteFunc(pairs, func(p sasslearn.Pair) bool { return learned[p.Word] || o.op >= 0 && p.Word.Op() != o.op })
		s := sasslearn.Measure(sass.NewDecoderFor(0, t), pairs)
		fmt.Fprintf(w, "%s: %v\n", name, s)
		for _, f := range s.Failures(o.show) {
			fmt.Fprintf(w, "\t%v\n", f)
		}
	}
	return nil
}

// crossValidate learns several times, each time without a share of the words, and
// measures with that share.
func (o *options) crossValidate(w io.Writer, set *sasslearn.Set) error {
	var sum sasslearn.Score
	for k := range o.folds {
		part, held := set.Fold(k, o.folds)
		plain := table.Encode(sasslearn.Learn(part.Pairs(), o.learnOptions(w)))
		t, err := table.Decode(plain)
		if err != nil {
			return err
		}
		s := sasslearn.Measure(sass.NewDecoderFor(0, t), held)
		fmt.Fprintf(w, "fold %d of %d: %v\n", k+1, o.folds, s)
		sum.Add(s)
	}
	fmt.Fprintf(w, "all folds: %v\n", &sum)
	for _, f := range sum.Failures(o.show) {
		fmt.Fprintf(w, "\t%v\n", f)
	}
	return nil
}
