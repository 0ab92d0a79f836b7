import { saved } from "../api";
import { type Cell, column, linked, type Table } from "../document";
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
  const to = t.link?.to;
  return t.link && (to === "span" || (to === "slices" && !saved)) ? column(t, t.link.cell) : -1;
}

// toTimeline is where a row leads.
export function toTimeline(t: Table, row: Cell[]): State {
  const to = { page: "timeline", range: "", find: "", window: "", select: "", slice: "", name: "" };
  const [at, duration] = linked(t);
  if (t.link?.to === "span") {
    const from = Number(row[at]);
    return { ...to, range: `${from},${from + Math.max(1, Number(row[duration]))}` };
  }
  const text = String(row[at] ?? ""),
    range = t.columns[at].role === "nvtx";
  if (!range) return { ...to, find: `^${escape(text)}(_v\\d+)?(_pt\\w+)?$` };
  // Reports name ranges of a domain DOMAIN:TEXT; two colons belong to the text.
  const bare = text.replace(/^[^:/]*:(?!:)/, "");
  return { ...to, find: bare === text ? `^${escape(text)}$` : `^(?:${escape(text)}|${escape(bare)})$` };
}
