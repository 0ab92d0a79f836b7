import type { Table } from "./document";

// metricColumn tells the columns that say how much from those that say where,
// which take no heat.
export const metricColumn = (t: Table, c: number): boolean => ["measure", "samples"].includes(t.columns[c].role ?? "");

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
