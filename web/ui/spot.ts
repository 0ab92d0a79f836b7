import { inRole, type Table } from "./document";

// metricColumn tells the columns that say how much from those that say where,
// which take no heat.
export const metricColumn = (t: Table, c: number): boolean => ["measure", "samples"].includes(t.columns[c]?.role ?? "");

const most = 100;

// heatColumn is the column that tells how hot a row is: the chosen one, else the
// number of samples, else the first metric that is anywhere above zero.
export function heatColumn(t: Table, chosen?: string): number {
  const cs = t.columns
    .map((_, c) => c)
    .filter(c => metricColumn(t, c) && t.rows.some(r => typeof r[c] === "number" && r[c] > 0));
  return cs.find(c => t.columns[c].name === chosen) ?? cs.find(c => t.columns[c].role === "samples") ?? cs[0] ?? -1;
}

// spots are the hottest rows of listings, the hottest first, as GRID,ROW.
export function spots(tables: { id: string; table: Table }[], chosen?: string): string[] {
  const found: { at: string; heat: number }[] = [];
  for (const { id, table: t } of tables) {
    const c = heatColumn(t, chosen);
    if (c >= 0)
      t.rows.forEach((r, k) => {
        const v = r[c];
        if (typeof v === "number" && v > 0) found.push({ at: `${id},${k}`, heat: v });
      });
  }
  return found
    .sort((a, b) => b.heat - a.heat)
    .slice(0, most)
    .map(f => f.at);
}

// The reasons for which a sampled warp waited, by the end of their metric's name, with the
// colour that each has everywhere. What is not named is the seventh.
const colours: Record<string, number> = {
  wait: 2,
  math_pipe_throttle: 1,
  dispatch_stall: 3,
  long_scoreboard: 4,
  barrier: 5,
  short_scoreboard: 6,
};

export interface Stall {
  column: number;
  name: string;
  colour: number;
}

export function stalls(t: Table): Stall[] {
  return t.columns.flatMap((c, column) => {
    const m = /pcsamp_warps_issue_stalled_(\w+)$/.exec(c.name);
    if (!m || m[1].endsWith("_not_issued") || !metricColumn(t, column)) return [];
    const key = m[1];
    return [
      {
        column,
        name: key
          .replace(/_/g, " ")
          .replace(/^./, x => x.toUpperCase())
          .replace(/ (stall|throttle)$/i, ""),
        colour: colours[key] ?? 7,
      },
    ];
  });
}

// A Place is a line of a file.
export const placeOf = (t: Table, r: number): string => {
  const f = inRole(t, "file"),
    l = inRole(t, "line"),
    row = t.rows[r];
  return !row || l < 0 || row[l] === null ? "" : `${f >= 0 ? row[f] : t.title}:${row[l]}`;
};

export const splitPlace = (s: string): [string, string] => {
  const i = s.lastIndexOf(":");
  return i < 0 ? ["", ""] : [s.slice(0, i), s.slice(i + 1)];
};
