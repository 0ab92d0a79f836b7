import type { Source } from "./model";

// A Line is a track at its place on the screen. y is from the top of the pinned
// ones where pinned, else from the top of the others.
export interface Line {
  track: number;
  level: number;
  y: number;
  height: number;
  rows: number;
  shut: boolean;
  group: boolean;
  pinned: boolean;
}
export interface Layout {
  pinned: Line[];
  pinnedHeight: number;
  lines: Line[];
  height: number;
}

export const rowHeight = 19;
const groupHeight = 26,
  curveHeight = 30, // of a group that has a curve: GPUs, and processes with what they wait for
  counterHeight = 44,
  gap = 4;

// layout places the tracks: those whose name or whose group's or member's name
// fits the filter, without the members of closed groups, in the order that the
// user gave them.
export function layout(
  s: Source,
  shut: Set<string>,
  pins: Set<string>,
  filter: string,
  order: string[],
  hidden: Set<string> = new Set(),
): Layout {
  let re: RegExp | null = null;
  try {
    re = filter ? new RegExp(filter, "i") : null;
  } catch {
    re = null;
  }
  const out: Layout = { pinned: [], pinnedHeight: 0, lines: [], height: 0 };
  const fits = new Map<number, boolean>();
  const below = (k: number): boolean => {
    let v = fits.get(k);
    if (v === undefined) {
      v = !re || re.test(s.tracks[k].name) || s.children[k].some(below);
      fits.set(k, v);
    }
    return v;
  };
  const line = (k: number, level: number, pinned: boolean): Line => {
    const t = s.tracks[k],
      group = s.children[k].length > 0,
      closed = shut.has(t.key);
    const rows = t.rows === 0 ? 0 : closed ? 1 : t.rows;
    const own =
      t.kind === "counter"
        ? closed
          ? groupHeight
          : counterHeight
        : rows
          ? rows * rowHeight + gap
          : t.kind === "device" || t.kind === "process"
            ? curveHeight
            : groupHeight;
    return { track: k, level, y: 0, height: own, rows, shut: closed, group, pinned };
  };
  const walk = (k: number, level: number, inside: boolean) => {
    if ((!inside && !below(k)) || hidden.has(s.tracks[k].key)) return;
    const t = s.tracks[k];
    // the only context of a GPU, and the only thread of a process, need no row of their own
    if (
      (t.kind === "context" || t.kind === "thread") &&
      t.rows === 0 &&
      s.children[k].length &&
      (s.children[t.parent] ?? []).length === 1
    ) {
      for (const c of sorted(s, s.children[k], order)) walk(c, level, inside || (!!re && re.test(t.name)));
      return;
    }
    const l = line(k, level, false);
    l.y = out.height;
    out.height += l.height;
    out.lines.push(l);
    if (!l.shut)
      for (const c of sorted(s, s.children[k], order)) walk(c, level + 1, inside || (!!re && re.test(t.name)));
  };
  for (const k of sorted(s, roots(s), order)) walk(k, 0, false);
  const byKey = new Map(s.tracks.map((t, k) => [t.key, k]));
  for (const key of pins) {
    // in the order in which they were pinned
    const k = byKey.get(key);
    if (k === undefined) continue;
    const l = line(k, 0, true);
    l.y = out.pinnedHeight;
    out.pinnedHeight += l.height;
    out.pinned.push(l);
  }
  return out;
}

// sorted gives tracks of one group the order of the keys; those that it does not
// name come last, as they were.
function sorted(s: Source, tracks: number[], order: string[]): number[] {
  if (!order.length) return tracks;
  const at = new Map(order.map((k, i) => [k, i]));
  return [...tracks].sort((a, b) => (at.get(s.tracks[a].key) ?? 1e9) - (at.get(s.tracks[b].key) ?? 1e9));
}

// roots are the groups with the GPUs first: what they do is what a timeline is looked at for.
export const roots = (s: Source): number[] =>
  [...s.roots].sort((a, b) => Number(s.tracks[b].kind === "device") - Number(s.tracks[a].kind === "device"));

const siblings = (s: Source, k: number, order: string[]) =>
  sorted(s, s.tracks[k].parent < 0 ? roots(s) : s.children[s.tracks[k].parent], order);

// moved is the order after a track went to a place among those of its group.
export function moved(s: Source, order: string[], track: number, to: number): string[] {
  const keys = siblings(s, track, order).map(k => s.tracks[k].key),
    from = keys.indexOf(s.tracks[track].key);
  keys.splice(Math.max(0, Math.min(keys.length - 1, to)), 0, ...keys.splice(from, 1));
  return [...order.filter(k => !keys.includes(k)), ...keys];
}

// position is the place of a track among those of its group.
export const position = (s: Source, order: string[], track: number) => siblings(s, track, order).indexOf(track);

// path names a track with the groups it is in.
export function path(s: Source, k: number): string {
  const names: string[] = [];
  for (; k >= 0; k = s.tracks[k].parent) names.unshift(s.tracks[k].name);
  return names.join(" › ");
}
