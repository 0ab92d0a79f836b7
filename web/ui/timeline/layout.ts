import type { Source } from "./model";

// A Line is a track at its place on the screen. y is from the top of the pinned
// ones where pinned, else from the top of the others.
export interface Line { track: number; level: number; y: number; height: number; rows: number; shut: boolean; group: boolean; pinned: boolean }
export interface Layout { pinned: Line[]; pinnedHeight: number; lines: Line[]; height: number }

export const rowHeight = 18;
const groupHeight = 22, counterHeight = 44, gap = 4;

// layout places the tracks: those whose name or whose group's or member's name
// fits the filter, without the members of closed groups.
export function layout(s: Source, shut: Set<string>, pins: Set<string>, filter: string): Layout {
  let re: RegExp | null = null;
  try { re = filter ? new RegExp(filter, "i") : null; } catch { re = null; }
  const out: Layout = { pinned: [], pinnedHeight: 0, lines: [], height: 0 };
  const fits = new Map<number, boolean>();
  const below = (k: number): boolean => {
    let v = fits.get(k);
    if (v === undefined) { v = !re || re.test(s.tracks[k].name) || s.children[k].some(below); fits.set(k, v); }
    return v;
  };
  const line = (k: number, level: number, pinned: boolean): Line => {
    const t = s.tracks[k], group = s.children[k].length > 0, closed = shut.has(t.key);
    const rows = t.rows === 0 ? 0 : closed ? 1 : t.rows;
    const own = t.kind === "counter" ? (closed ? groupHeight : counterHeight) : rows ? rows * rowHeight + gap : groupHeight;
    return { track: k, level, y: 0, height: own, rows, shut: closed, group, pinned };
  };
  const walk = (k: number, level: number, inside: boolean) => {
    if (!inside && !below(k)) return;
    const t = s.tracks[k], l = line(k, level, false);
    l.y = out.height; out.height += l.height; out.lines.push(l);
    if (!l.shut) for (const c of s.children[k]) walk(c, level + 1, inside || (!!re && re.test(t.name)));
  };
  for (const k of s.roots) walk(k, 0, false);
  s.tracks.forEach((t, k) => {
    if (!pins.has(t.key)) return;
    const l = line(k, 0, true);
    l.y = out.pinnedHeight; out.pinnedHeight += l.height; out.pinned.push(l);
  });
  return out;
}

// path names a track with the groups it is in.
export function path(s: Source, k: number): string {
  const names: string[] = [];
  for (; k >= 0; k = s.tracks[k].parent) names.unshift(s.tracks[k].name);
  return names.join(" › ");
}
