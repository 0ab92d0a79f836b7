package benchjson

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
)

// maxSamples bounds the numbers of a sidecar.
const maxSamples = 64 << 20

// Read reads the samples of a sidecar from the folder that the file of results
// lies in: seconds for times, Hz for clocks. The name that the file gives is
// relative to where the program ran, or to the file; its last two parts are
// tried, too. Names that lead out of the folder are refused.
func (s Sidecar) Read(folder fs.FS) ([]float32, error) {
	name := strings.ReplaceAll(s.Name, `\`, "/")
	if name == "" || path.IsAbs(name) || slices.Contains(strings.Split(name, "/"), "..") || strings.Contains(name, ":") {
		return nil, fmt.Errorf("%q: expected a name within the folder", s.Name)
	}
	if s.Count < 0 || s.Count > maxSamples {
		return nil, fmt.Errorf("%s: %d samples, expected at most %d", s.Name, s.Count, maxSamples)
	}
	b, err := fs.ReadFile(folder, path.Clean(name))
	if err != nil {
		if parts := strings.Split(path.Clean(name), "/"); len(parts) > 2 {
			b, err = fs.ReadFile(folder, path.Join(parts[len(parts)-2:]...))
		}
	}
	if err != nil {
		return nil, err
	}
	if len(b) != 4*s.Count {
		return nil, fmt.Errorf("%s: %d bytes, expected %d for %d samples", s.Name, len(b), 4*s.Count, s.Count)
	}
	out := make([]float32, s.Count)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out, nil
}
