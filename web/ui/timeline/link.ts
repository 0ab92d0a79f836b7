import { saved } from "../api";
import type { Cell, Table } from "../document";
import type { State } from "../state";

// Where a row of a report lies on the timeline. The members of the address are
//
//	range=A,B  from A to B, in nanoseconds as the file has them: is selected and shown
//	find=TEXT  a regular expression: the next slice of that name is shown
//
// The timeline replaces both by its own members when it has read them.

const escape = (s: string) => s.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

// linkColumn is the column of a table whose cells lead to the timeline, or -1.
export function linkColumn(t: Table): number {
  const column = (n: string) => t.columns.findIndex(c => c.name === n);
  if (column("start") >= 0 && column("duration") >= 0) return column("start");
  if (saved || !/_sum\b/.test(t.id)) return -1;
  return ["kernel_name", "name", "operation", "range"].map(column).find(c => c >= 0) ?? -1;
}

// toTimeline is where a row leads.
export function toTimeline(t: Table, row: Cell[], column: number): State {
  const to = { page: "timeline", range: "", find: "", window: "", select: "", slice: "", name: "" };
  const v = row[column];
  if (t.columns[column].name === "start") {
    const from = Number(v);
    return {
      ...to,
      range: `${from},${from + Math.max(1, Number(row[t.columns.findIndex(c => c.name === "duration")]))}`,
    };
  }
  const text = String(v ?? ""),
    range = t.columns[column].name === "range";
  // Reports name ranges DOMAIN:TEXT and calls without the version of their interface.
  return { ...to, find: range ? `^${escape(text.replace(/^[^:/]*:/, ""))}$` : `^${escape(text)}(_v\\d+)?(_pt\\w+)?$` };
}
