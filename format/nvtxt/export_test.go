package nvtxt

// What the tests outside of the package look at.
const CommandList = commandList

var (
	NsysParams   = nsysParams
	AppendQuoted = appendQuoted
)

// Escapes reports whether texts are escaped from now on.
func (w *Writer) Escapes() bool { return w.escapes }
