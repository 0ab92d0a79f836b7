package web

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestColours: colours stand in tokens.css alone.
func TestColours(t *testing.T) {
	literal := regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b|\b(?:rgba?|hsla?|oklch|oklab)\(`)
	for _, pattern := range []string{"ui/*.ts", "ui/*.tsx", "ui/*.css", "ui/timeline/*"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatal(pattern, err)
		}
		for _, name := range names {
			if filepath.Base(name) == "tokens.css" || filepath.Base(name) == "icons.ts" {
				continue
			}
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(b), "\n") {
				for _, m := range literal.FindAllString(line, -1) {
					if hexDigits.MatchString(m) {
						t.Errorf("%s:%d: colour %s stands outside tokens.css: %s", name, i+1, m, strings.TrimSpace(line))
					}
				}
			}
		}
	}
}

// hexDigits are colours and no names of fragments such as "#add".
var hexDigits = regexp.MustCompile(`^#(?:[0-9a-fA-F]*\d[0-9a-fA-F]*|fff|eee)$|\($`)

// tokens are the colours of tokens.css by name: light and dark.
func tokens(t *testing.T) map[string][2]string {
	t.Helper()
	b, err := os.ReadFile("ui/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][2]string{}
	for _, m := range regexp.MustCompile(`--([\w-]+):\s*light-dark\((#\w+), (#\w+)\)`).FindAllStringSubmatch(string(b), -1) {
		if _, again := out[m[1]]; !again {
			out[m[1]] = [2]string{m[2], m[3]}
		}
	}
	if len(out) < 50 {
		t.Fatalf("%d tokens are pairs of colours", len(out))
	}
	return out
}

// luminance is the relative luminance of WCAG 2.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	v, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	if err != nil || len(colour) != 7 {
		t.Fatalf("colour %q: expected #rrggbb", colour)
	}
	part := func(shift uint) float64 {
		c := float64(v>>shift&255) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}

// TestContrast: texts have 4.5:1 on every ground that they stand on, and what is no text
// but carries a meaning 3:1, in both themes.
func TestContrast(t *testing.T) {
	c := tokens(t)
	check := func(front, ground string, least float64) {
		t.Helper()
		for theme, name := range []string{"light", "dark"} {
			a, b := luminance(t, c[front][theme]), luminance(t, c[ground][theme])
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < least {
				t.Errorf("%s on %s, %s: %.2f:1, less than %.1f:1", front, ground, name, ratio, least)
			}
		}
	}
	for _, ground := range []string{"bg-0", "bg-1", "bg-2", "bar"} {
		for _, text := range []string{"fg-1", "fg-2", "fg-3", "accent", "bad", "warn", "good", "info", "worse", "better"} {
			check(text, ground, 4.5)
		}
	}
	for _, m := range []string{"bad", "warn", "good", "info", "worse", "better", "accent"} {
		check(m, m+"-soft", 4.5)
	}
	for _, text := range []string{"fg-1", "fg-2"} {
		check(text, "accent-soft", 4.5)
		check(text, "bg-3", 4.5)
	}
	for i := range 7 {
		check("slice-fg", fmt.Sprintf("s%d", i+1), 4.5)
		check(fmt.Sprintf("c%d", i+1), "bg-0", 3)
	}
	for i := range 4 {
		check("fg-1", fmt.Sprintf("h%d", i), 4.5)
	}
	for _, h := range []string{"h4", "h5"} {
		check("on-h", h, 4.5)
	}
	for _, code := range []string{"syn-key", "syn-num", "syn-str", "syn-fn", "op-tensor", "op-memory", "op-branch"} {
		check(code, "bg-0", 4.5)
		check(code, "accent-soft", 4.5)
	}
	check("edge", "bg-0", 3)
	check("edge", "bg-2", 3)
	check("heat", "bg-0", 3)
}
