// Package view is the one output model of gpuprof and its renderers.
//
// Every page builds a [Document]; every renderer takes any Document. The
// terminal, CSV, JSON, Markdown and the browser therefore never disagree, and a
// new page needs no code for output.
//
// # The model
//
// A Document has sections; a [Section] has a title, properties, items in the
// order in which they are read, and nested sections. An [Item] is a [Table], a
// [Chart] or a [Message]. A table has typed columns and rows of [Value]. A Value
// keeps the raw number at full precision together with its base unit
// ("byte/second"); scaling it to "1.52 Gbyte/s" is the renderer's work and
// happens only where people read.
//
// The model holds content only. How text and csv set a part where the usual way
// does not do is its [Layout], which may be nil; an item or a column that is not
// for everyone names its [Audience].
//
// # The renderers
//
// [Render] writes one of the [Formats]:
//
//   - text: for terminals, in the layout that Nsight Compute users know
//   - csv: a table as comma-separated values, every field quoted unless the table
//     says otherwise, null empty
//   - json: the contract below, nothing formatted
//   - md: GitHub-flavoured Markdown
//
// # The JSON contract
//
// The schema is versioned by its first member and documented in docs/json.md:
//
//	{"schema": "gpuprof.document/1", "title": …,
//	 "sections": [{"id", "title", "description",
//	   "tables":   [{"id", "title", "columns": [{"name", "unit", "type"}], "rows": [[…]]}],
//	   "charts":   [{"id", "title", "kind", "columns", "rows", …}],
//	   "messages": [{"type", "title", "text", "speedup", …}],
//	   "sections": […]}]}
//
// Cells are numbers at full precision (NaN and the infinities as the strings
// "nan", "inf" and "-inf"), strings, lists or null; never formatted text.
// Members may be added, none is removed or changes its meaning within a version.
package view
