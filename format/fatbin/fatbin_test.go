package fatbin_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/gpuprof/gpuprof/format/fatbin"
	"github.com/gpuprof/gpuprof/internal/cubingen"
)

const ptx = ".version 8.0\n.target sm_80\n.address_size 64\n"

// sample has a cubin as it is, one packed with LZ4, one with zstd, and PTX.
func sample(t testing.TB) (b, cubin []byte) {
	t.Helper()
	cubin = cubingen.Cubin(80, cubingen.Add())
	packed := make([]byte, lz4.CompressBlockBound(len(cubin)))
	n, err := lz4.CompressBlock(cubin, packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return cubingen.Fatbin(
		cubingen.Image{Kind: 2, SM: 80, Data: cubin},
		cubingen.Image{Kind: 2, SM: 80, Data: cubin, Flags: 0x2000, Packed: packed[:n]},
		cubingen.Image{Kind: 2, SM: 80, Data: cubin, Flags: 0x8000, Packed: z.EncodeAll(cubin, nil)},
		cubingen.Image{Kind: 1, SM: 80, Data: []byte(ptx)}), cubin
}

func TestFind(t *testing.T) {
	fat, cubin := sample(t)
	for name, b := range map[string][]byte{"fat binary": fat, "executable": cubingen.Executable(append(append([]byte{}, make([]byte, 16)...), fat...))} {
		t.Run(name, func(t *testing.T) {
			images, err := fatbin.Find(b, "x")
			if err != nil || len(images) != 4 {
				t.Fatalf("%d images, %v", len(images), err)
			}
			for i, im := range images {
				data, err := im.Data()
				if err != nil {
					t.Fatal(err)
				}
				want := cubin
				if i == 3 {
					want = []byte(ptx)
				}
				if im.SM != 80 || !bytes.HasPrefix(data, want) {
					t.Errorf("image %d: sm_%d, %d bytes, want %d", i, im.SM, len(data), len(want))
				}
			}
		})
	}
	images, err := fatbin.Find(cubin, "x")
	if err != nil || len(images) != 1 || images[0].Kind != fatbin.ELF {
		t.Errorf("of a cubin: %v, %v", images, err)
	}
}

func TestBroken(t *testing.T) {
	fat, _ := sample(t)
	if _, err := fatbin.Find(cubingen.Executable(nil), "x"); !errors.Is(err, fatbin.ErrNone) {
		t.Errorf("an executable without: %v", err)
	}
	if _, err := fatbin.Find([]byte("MZ"), "x"); err == nil || !strings.Contains(err.Error(), "expected") {
		t.Errorf("no ELF file: %v", err)
	}
	// A second fat binary that says it is longer than the file.
	two := append(append([]byte{}, fat...), fat...)
	two[len(fat)+8+7] = 0xff
	images, err := fatbin.Find(two, "x")
	if err == nil || len(images) != 4 || !strings.Contains(err.Error(), "remain") {
		t.Errorf("%d images, %v", len(images), err)
	}
	for n := range fat { // cut anywhere
		images, _ := fatbin.Find(fat[:n], "x")
		for _, im := range images {
			im.Data()
		}
	}
}

func FuzzFind(f *testing.F) {
	fat, cubin := sample(f)
	f.Add(fat)
	f.Add(cubin)
	f.Add(cubingen.Executable(fat))
	f.Fuzz(func(t *testing.T, b []byte) {
		images, _ := fatbin.Find(b, "x")
		for _, im := range images {
			if data, err := im.Data(); err == nil && len(data) > 256*len(b)+1<<20 {
				t.Fatalf("%d bytes out of %d", len(data), len(b))
			}
		}
	})
}
