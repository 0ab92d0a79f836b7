package kineto

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// BenchmarkRead reads large traces from gzip; MB/s are those of the text.
func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"facebookresearch__HolisticTraceAnalysis__mtia_trace_single_rank~mtia_rank_0.json.gz",
		"AMD-AGI__TraceLens__inference~xdit_flux.1_aiter_sage~profile_trace_rank_0.json.gz", "AMD-AGI__TraceLens__h100~google_owlv2-large-patch14-ensemble__1016001.json.gz",
		"pytorch__kineto__tb_plugin~samples~resnet50_num_workers_0~worker0.pt.trace.json.gz"} {
		packed, err := os.ReadFile(filepath.Join(corpustest.Dir(b), "corpus/kineto", name))
		if err != nil {
			b.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			b.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			b.Fatal(err)
		}
		read := func(in []byte) func(b *testing.B) {
			return func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Read(context.Background(), bytes.NewReader(in), int64(len(in)), "t"); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
		b.Run("gz/"+name[:30], read(packed))
		b.Run("plain/"+name[:30], read(text))
		b.Run("encoding-json/"+name[:30], func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var v struct {
					TraceEvents []struct {
						Name, Cat, Ph string
						Args          json.RawMessage
					}
				}
				if err := json.Unmarshal(text, &v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
