// Command nsysrepgen makes a large report of Nsight Systems from a small one: the
// frames of its events are repeated, all else stays.
//
//	go run ./internal/nsysrepgen/nsysrepgen -n 100 small.nsys-rep large.nsys-rep
//
// Times repeat too, so what is derived from them means nothing; sizes and rates
// do.
package main

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/gpuprof/gpuprof/format/nsysrep"
)

func main() {
	n := flag.Int("n", 10, "how often the frames are written")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: nsysrepgen -n TIMES IN OUT")
		os.Exit(2)
	}
	if err := repeat(flag.Arg(0), flag.Arg(1), *n); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func repeat(from, to string, n int) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	st, err := in.Stat()
	if err != nil {
		return err
	}
	f, err := nsysrep.Open(in, st.Size(), from)
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	err = f.Write(out, nsysrep.Edit{Repeat: n, Summary: func(b []byte) ([]byte, error) {
		if len(b) < 2 || b[0] != 1<<3 {
			return nil, errors.New("the summary does not begin with the count of events")
		}
		events, k := binary.Uvarint(b[1:])
		return append(binary.AppendUvarint([]byte{1 << 3}, events*uint64(n)), b[1+k:]...), nil
	}})
	return errors.Join(err, out.Close())
}
