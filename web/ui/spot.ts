import type { Document, Section, Table } from "./document";

// The columns of a listing that say where, not how much, take no heat.
const places = ["number", "address", "source", "line", "file", "sass"];
export const metricColumn = (t: Table, c: number): boolean => !places.includes(t.columns[c].name);

const most = 100;

// spots are the hottest rows of a listing, the hottest first, as GRID,ROW. Heat
// is the number of samples where there is one, else the first metric.
export function spots(d: Document): string[] {
  const found: { at: string; heat: number }[] = [];
  const visit = (s: Section, id: string) => {
    s.tables.forEach((t, i) => {
      const cs = t.columns.map((_, c) => c).filter(c => metricColumn(t, c) && t.rows.some(r => typeof r[c] === "number" && r[c] > 0));
      const c = cs.find(c => /samp/i.test(t.columns[c].name)) ?? cs[0];
      if (c !== undefined) t.rows.forEach((r, k) => { const v = r[c]; if (typeof v === "number" && v > 0) found.push({ at: `${id}.${i},${k}`, heat: v }); });
    });
    s.sections?.forEach((p, i) => visit(p, `${id}-${i}`));
  };
  d.sections.forEach((s, i) => visit(s, String(i)));
  return found.sort((a, b) => b.heat - a.heat).slice(0, most).map(f => f.at);
}
