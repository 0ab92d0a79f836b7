package main

import (
	"flag"
	"fmt"
	"github.com/klauspost/compress/zstd"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/format/sass/table"
	"github.com/gpuprof/gpuprof/internal/sasslearn"
)

func load(files string, lim int) []sasslearn.Pair {
	var out []sasslearn.Pair
	for _, f := range strings.Split(files, ",") {
		if f == "" {
			continue
		}
		r, err := os.Open(f)
		if err != nil {
			panic(err)
		}
		p, err := sasslearn.ReadPairs(r)
		if err != nil {
			panic(err)
		}
		r.Close()
		out = append(out, p...)
	}
	return out
}

func main() {
	out := flag.String("o", "", "")
	train := flag.String("train", "", "")
	test := flag.String("test", "", "")
	capN := flag.Int("cap", 12000, "")
	lenient := flag.Bool("lenient", false, "")
	show := flag.Int("show", 30, "")
	onlyOp := flag.Int("op", -1, "")
	flag.Parse()
	t0 := time.Now()
	pairs := load(*train, 0)
	if *capN > 0 {
		cnt := map[int]int{}
		rng := rand.New(rand.NewPCG(1, 2))
		for _, p := range pairs {
			cnt[p.Word.Op()]++
		}
		pairs = slices.DeleteFunc(pairs, func(p sasslearn.Pair) bool {
			c := cnt[p.Word.Op()]
			return c > *capN && rng.IntN(c) >= *capN || *onlyOp >= 0 && p.Word.Op() != *onlyOp
		})
	}
	trained := map[table.Word]bool{}
	for _, p := range pairs {
		trained[p.Word] = true
	}
	fmt.Println("pairs", len(pairs), time.Since(t0))
	var mu sync.Mutex
	logged := map[int]int{}
	ops := sasslearn.Learn(pairs, sasslearn.Options{Lenient: *lenient, Log: func(c int, w string) {
		mu.Lock()
		if logged[c] == 0 {
			fmt.Printf("  %03x %s\n", c, w)
		}
		logged[c]++
		mu.Unlock()
	}})
	enc := table.Encode(ops)
	z, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	fmt.Println("table", len(enc), "compressed", len(z.EncodeAll(enc, nil)))
	if *out != "" {
		if err := os.WriteFile(*out, z.EncodeAll(enc, nil), 0o666); err != nil {
			panic(err)
		}
	}
	tab, err := table.Decode(enc)
	if err != nil {
		panic(err)
	}
	by := map[int]*table.Op{}
	dec := sass.NewDecoderFor(0, tab)
	nodes := 0
	for _, o := range ops {
		by[o.Code] = o
		for _, g := range o.Groups {
			nodes += len(g.Tree)
		}
	}
	fmt.Println("ops", len(ops), "nodes", nodes, time.Since(t0))
	for _, f := range strings.Split(*test, ",") {
		if f == "" {
			continue
		}
		n, ok, hex, wrong, illegalText := 0, 0, 0, 0, 0
		why := map[string]int{}
		ex := map[string]string{}
		for _, p := range load(f, 0) {
			if trained[p.Word] || *onlyOp >= 0 && p.Word.Op() != *onlyOp {
				continue
			}
			n++
			got, reason := dec.Text(p.Word, sass.Unplaced, sass.Nvdisasm), ""
			if strings.HasPrefix(got, "0x") {
				got, reason = "", dec.Why(p.Word)
			}
			switch {
			case got == p.Text:
				ok++
			case got == "":
				hex++
				k := fmt.Sprintf("%03x hex %s", p.Word.Op(), reason)
				why[k]++
				ex[k] = fmt.Sprintf("%016x%016x %s", p.Word.Hi, p.Word.Lo, p.Text)
			default:
				if p.Text == "" {
					illegalText++
					continue
				}
				wrong++
				k := fmt.Sprintf("%03x WRONG", p.Word.Op())
				why[k]++
				ex[k] = fmt.Sprintf("%016x%016x %s || %s", p.Word.Hi, p.Word.Lo, p.Text, got)
			}
		}
		fmt.Printf("%s: %d words, %.4f%% exact, %.4f%% hex, %.4f%% wrong, %d illegal with text\n", f, n, 100*float64(ok)/float64(n), 100*float64(hex)/float64(n), 100*float64(wrong)/float64(n), illegalText)
		ks := make([]string, 0)
		for k := range why {
			ks = append(ks, k)
		}
		slices.SortFunc(ks, func(a, b string) int { return why[b] - why[a] })
		for _, k := range ks[:min(len(ks), *show)] {
			fmt.Printf("  %6d %s: %s\n", why[k], k, ex[k])
		}
	}
}
