package load

import (
	"fmt"
	"io"
	"strings"

	"github.com/gpuprof/gpuprof/format/fatbin"
	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/cufilt"
)

// A Program is a GPU program in a binary file.
type Program struct {
	SM     int   // 80 for sm_80; 0 if the file does not tell
	Offset int64 // in the file
	PTX    bool  // intermediate code, not instructions

	image fatbin.Image
	name  string
}

// maxBinary bounds a binary file, which is read as a whole.
const maxBinary = 4 << 30

// openCUDA opens a cubin, a fat binary, or an executable that holds one.
func openCUDA(f *File) error {
	if f.Size > maxBinary {
		return fmt.Errorf("%s: %d bytes, expected at most %d", f.Name, f.Size, int64(maxBinary))
	}
	b := make([]byte, f.Size)
	if n, err := f.in.ReadAt(b, 0); n < len(b) && err != io.EOF {
		return err
	}
	images, err := fatbin.Find(b, f.Name)
	if len(images) == 0 {
		return err
	}
	if err != nil {
		f.problems = append(f.problems, err.Error())
	}
	for _, im := range images {
		f.Programs = append(f.Programs, &Program{SM: im.SM, Offset: im.Offset, PTX: im.Kind == fatbin.PTX, image: im, name: f.Name})
	}
	return nil
}

// Text is the text of PTX.
func (p *Program) Text() (string, error) {
	b, err := p.image.Data()
	return string(b), err
}

// Code takes the program apart. Functions begin at address 0 each. What is sound of
// a broken one is returned together with the error.
func (p *Program) Code() (*profile.Code, error) {
	b, err := p.image.Data()
	if err != nil {
		return nil, err
	}
	cubin, err := ncurep.ParseCubin(b, p.name)
	if err != nil {
		return nil, err
	}
	c := &profile.Code{Arch: cubin.SM, Binary: b}
	for _, t := range cubin.Texts() {
		c.Functions = append(c.Functions, profile.Function{Name: t.Kernel, Demangled: cufilt.Filter(t.Kernel), Size: uint64(len(t.Code)), Text: t.Code})
	}
	if text := cubin.PTX(); text != "" {
		c.PTX = strings.Split(text, "\n")
	}
	if len(cubin.Problems) > 0 {
		return c, cubin.Problems
	}
	return c, nil
}
