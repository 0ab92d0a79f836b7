package linetext

import (
	"bytes"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		table    bool
		in, want string
	}{
		{false, "a secret b\r\nName = secret\n# Host: secret\nlast secret", "a X b\r\nName = X\n# Host: X\nlast X"},
		{true, "# made by secret\nA,B\n1,\"a \"\"secret\"\"\"\n secret ,\"x,y\"\n\"two\nsecret lines\",3\n", "# made by X\nA,B\n1,\"a \"\"X\"\"\"\n X ,\"x,y\"\n\"two\nX lines\",3\n"},
		{false, "-----BEGIN RSA PRIVATE KEY-----\nsecret\n-----END RSA PRIVATE KEY-----\n", "-----BEGIN RSA PRIVATE KEY-----\nX\n-----END RSA PRIVATE KEY-----\n"},
	} {
		var out bytes.Buffer
		seen := map[string]bool{}
		err := Rewrite(&out, strings.NewReader(c.in), c.table, func(place string, b []byte) []byte {
			seen[place] = true
			if !bytes.Contains(b, []byte("secret")) {
				return b
			}
			return bytes.ReplaceAll(b, []byte("secret"), []byte("X"))
		})
		if err != nil || out.String() != c.want {
			t.Errorf("%q: %q, %v", c.in, out.String(), err)
		}
		if c.table && !(seen["A"] && seen["B"]) || strings.Contains(c.in, "Name") && !(seen["Name"] && seen["Host"]) {
			t.Errorf("places %v", seen)
		}
	}
}

func FuzzRewrite(f *testing.F) {
	f.Add([]byte("a,b\n\"x\ny\",\"\"\n"), true)
	f.Add([]byte("k=v\n\n#\n"), false)
	f.Fuzz(func(t *testing.T, b []byte, table bool) {
		var out bytes.Buffer
		if err := Rewrite(&out, bytes.NewReader(b), table, func(_ string, b []byte) []byte { return b }); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), b) {
			t.Errorf("%q became %q, and nothing was edited", b, out.Bytes())
		}
	})
}
