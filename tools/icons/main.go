// Command icons makes the viewer's icons of the files of lucide-static:
//
//	icons FOLDER NAME... > web/ui/icons.ts
//
// It copies what stands inside each picture, so that one element of the viewer
// draws them all.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	inner = regexp.MustCompile(`(?s)<svg[^>]*>(.*)</svg>`)
	space = regexp.MustCompile(`\s+`)
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: icons FOLDER NAME...")
		os.Exit(2)
	}
	names := slices.Compact(slices.Sorted(slices.Values(os.Args[2:])))
	fmt.Println("// Made by tools/icons of Lucide 1.62.0 (vendor/lucide/LICENSE); do not edit.")
	fmt.Println("export const icons = {")
	for _, n := range names {
		b, err := os.ReadFile(filepath.Join(os.Args[1], n+".svg"))
		if err != nil {
			fmt.Fprintln(os.Stderr, "icons:", err)
			os.Exit(1)
		}
		m := inner.FindSubmatch(b)
		if m == nil {
			fmt.Fprintf(os.Stderr, "icons: %s: expected an svg element\n", n)
			os.Exit(1)
		}
		paths := strings.TrimSpace(space.ReplaceAllString(string(m[1]), " "))
		fmt.Printf("  %q:\n    '%s',\n", n, strings.ReplaceAll(strings.ReplaceAll(paths, "> <", "><"), " />", "/>"))
	}
	fmt.Println("} as const;")
}
