package ncurep

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// enumWords are the words by which section files name the values of
// enumerations. Architectures are not here: CC_<n> is n.
var enumWords = map[reflect.Type]map[string]uint64{
	reflect.TypeFor[AxisAlignment]():        {"ValueAxisAlignments_Default": 0, "ValueAxisAlignments_Alternate": 1, "ValueAxisAlignments_Both": 2},
	reflect.TypeFor[BarDirection]():         {"Horizontal": 0, "Vertical": 1},
	reflect.TypeFor[CollectionImportance](): numbered(importanceNames, "CollectionImportance_"),
	reflect.TypeFor[CollectionScope]():      numbered(scopeNames, "CollectionScope_"),
	reflect.TypeFor[ColorType]():            {"ChartColorTypeUnknown": 0, "ChartColorTypeArgb": 1},
	reflect.TypeFor[HWUnit]():               numbered(hwUnitNames, ""),
	reflect.TypeFor[LayoutOrder]():          {"RowMajor": 0, "ColumnMajor": 1},
	reflect.TypeFor[SortDirection]():        {"Ascending": 0, "Descending": 1},
	reflect.TypeFor[SortKey]():              {"ByLabel": 0, "ByValue": 1},
	reflect.TypeFor[timelineRowType]():      {"StackedBar": 0},
	reflect.TypeFor[VGPU]():                 {"Platform_Supported": 1, "Platform_NotSupported": 2},
}

// numbered are names in the order of their values, each also with a prefix; what
// has no name stands in parentheses.
func numbered(names []string, prefix string) map[string]uint64 {
	words := map[string]uint64{}
	for i, n := range names {
		if !strings.Contains(n, "(") {
			words[n], words[prefix+n] = uint64(i), uint64(i)
		}
	}
	return words
}

// Enum returns the value that a word stands for in a field of kind FieldEnum.
func (f *Field) Enum(word string) (value uint64, ok bool) {
	if f.enum != reflect.TypeFor[Arch]() {
		value, ok = enumWords[f.enum][word]
		return value, ok
	}
	switch word {
	case "InvalidArch":
		return 0, true
	case "MinArch":
		return 50, true
	case "MaxArch": // the newest that the writer knew: no bound
		return 1<<31 - 1, true
	}
	if value, ok := archNames[word]; ok {
		return value, true
	}
	value, err := strconv.ParseUint(strings.TrimPrefix(word, "CC_"), 10, 16)
	return value, err == nil && strings.HasPrefix(word, "CC_")
}

// archNames are the words of section files up to 2020, which called architectures by
// their chips. Those after Turing are a guess in the same manner.
var archNames = map[string]uint64{
	"GK10x": 40, "GK11x": 43, "GM10x": 50, "GK20xGM10x": 50, "GM20x": 52, "GM20b": 53, "GP100": 60, "GP10x": 61, "GP10b": 62,
	"GV100": 70, "GV11b": 72, "TU10x": 75, "GA100": 80, "GA10x": 86, "GA10b": 87, "AD10x": 89, "GH100": 90,
}

// EnumWords lists the words of a field of kind FieldEnum, sorted.
func (f *Field) EnumWords() []string {
	if f.enum == reflect.TypeFor[Arch]() {
		return []string{"CC_<major*10+minor>"}
	}
	var words []string
	for w := range enumWords[f.enum] {
		words = append(words, w)
	}
	slices.Sort(words)
	return words
}

func enumName[E ~int32 | ~uint32 | ~uint8](typ string, names []string, e E) string {
	if i := int64(e); i >= 0 && i < int64(len(names)) {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", typ, e)
}
