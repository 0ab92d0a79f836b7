package sass

import "github.com/gpuprof/gpuprof/format/sass/table"

// A Word is an instruction: 128 bits.
type Word = table.Word
