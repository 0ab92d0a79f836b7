// Package catalogue is the one list of all pages, in the viewer's order. The faces
// of gpuprof look pages up here and know none by themselves.
package catalogue
