package scrub

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
)

func TestTry(t *testing.T) {
	pat := os.Getenv("TRY")
	files, _ := filepath.Glob(pat)
	for _, f := range files {
		in, err := Open(f)
		if err != nil {
			fmt.Println("OPEN", err)
			continue
		}
		to := "/tmp/try/" + filepath.Base(f)
		var s *Scrubber
		err = atomicfile.Write(to, func(o *atomicfile.File) error {
			s, err = Run(context.Background(), in, o, Options{})
			return err
		})
		in.Close()
		if err != nil {
			fmt.Println("RUN", f, err)
			continue
		}
		fmt.Println("==", filepath.Base(f))
		for _, x := range s.Findings() {
			fmt.Printf("   %-18s %-18s %-50s %d\n", x.Kind, x.What, x.Place, x.Count)
		}
		if os.Getenv("SHOW") != "" {
			for _, v := range s.values {
				if v.kind != Environment && v.kind != Output {
					fmt.Printf("      %s %s %.100q -> %s\n", v.kind, v.what, v.text, v.stand)
				}
			}
		}
	}
}
