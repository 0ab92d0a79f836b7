package terminal

import (
	"io"
	"os"
	"slices"
	"strings"
)

// responded puts the words of a file in place of an operand @FILE, as ncu does, on
// command lines that are spelled as ncu's: those that begin with a flag or with such an
// operand. What a file says is not looked at for further files. Where there is no such
// file the operand stays, and whoever takes it for a report says that there is none.
func responded(args []string) ([]string, error) {
	if len(args) == 0 || args[0] == "" || args[0][0] != '-' && args[0][0] != '@' {
		return args, nil
	}
	var out []string
	for i, arg := range args {
		name, ok := strings.CutPrefix(arg, "@")
		if st, err := os.Stat(name); !ok || err != nil || !st.Mode().IsRegular() || i > 0 && slices.Contains(outputs, args[i-1]) {
			out = append(out, arg)
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, misuse("@%v", err)
		}
		b, err := io.ReadAll(io.LimitReader(f, mostConfig+1))
		f.Close()
		if err != nil || len(b) > mostConfig {
			return nil, misuse("@%s: expected a file of command line words of at most %d bytes: %v", name, mostConfig, err)
		}
		words, ok := split(string(b))
		if !ok {
			return nil, misuse("@%s: a quote is not closed", name)
		}
		out = append(out, words...)
	}
	return out, nil
}

// outputs are the flags whose value may be @COMMAND.
var outputs = []string{"-o", "--output", "--export"}

// split divides a text at blanks that stand in no quotes; false where one is open at
// its end. How ncu reads quotes there is not documented.
func split(text string) (words []string, ok bool) {
	var word strings.Builder
	begun, quote := false, rune(0)
	for _, r := range text {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, begun = r, true
		case quote == 0 && strings.ContainsRune(" \t\r\n", r):
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
		default:
			begun = true
			word.WriteRune(r)
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words, quote == 0
}
