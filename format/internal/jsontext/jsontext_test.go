package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"
)

func rewrite(t *testing.T, in string, edit Edit) string {
	t.Helper()
	var out bytes.Buffer
	if err := Rewrite(&out, iotest.OneByteReader(strings.NewReader(in)), edit); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestPlaces(t *testing.T) {
	var places []string
	got := rewrite(t, `{"a": {"b": [1.50, "x", {"c": "\u0078\/y"}]}, "d": "z" , "e":nan, "f": oops }`, func(place string, b []byte) []byte {
		places = append(places, place+"="+string(b))
		if string(b) == "x/y" {
			return []byte("q\"\n\x01ü")
		}
		return b
	})
	if want := `{"a": {"b": [1.50, "x", {"c": "q\"\n\u0001ü"}]}, "d": "z" , "e":nan, "f": oops }`; got != want {
		t.Errorf("got %s", got)
	}
	want := " (key)=a,a (key)=b,a.b=x,a.b (key)=c,a.b.c=x/y, (key)=d,d=z, (key)=e, (key)=f,malformed=oops"
	if got := strings.Join(places, ","); got != want {
		t.Errorf("places %s\nwant   %s", got, want)
	}
}

func FuzzRewrite(f *testing.F) {
	for _, s := range []string{`{"a":"b\\","c":[1,{"d":"\ud83d\ude00"}]}`, `{"cut": "of`, `["\`, `}}]{"":""}`, "\"\x00\"", `{"a""b":"c"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var out bytes.Buffer
		if err := Rewrite(&out, bytes.NewReader(b), func(_ string, b []byte) []byte { return b }); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), b) {
			t.Errorf("%q became %q, and nothing was edited", b, out.Bytes())
		}
		out.Reset()
		Rewrite(&out, bytes.NewReader(b), func(place string, _ []byte) []byte { return []byte("1") })
		if json.Valid(b) && !json.Valid(out.Bytes()) {
			t.Errorf("%q became %q", b, out.Bytes())
		}
	})
}
