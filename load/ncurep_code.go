package load

import "github.com/gpuprof/gpuprof/profile"

// Code gathers what the report stores of the program that the result ran.
func (l *ncuLoader) Code() (*profile.Code, error) {
	src := l.result.SourceOf()
	if src == nil {
		return nil, nil
	}
	c := &profile.Code{Arch: int(src.SMRevision.Or(0))}
	for _, f := range src.Functions {
		c.Functions = append(c.Functions, profile.Function{Name: f.MangledName, Address: f.Address})
	}
	var err error
	if c.Binary, err = src.Binary(); err != nil {
		return c, err
	}
	files, err := src.Files()
	for _, f := range files {
		c.Files = append(c.Files, profile.SourceFile{Path: f.Path, Text: f.Text})
	}
	return c, err
}
