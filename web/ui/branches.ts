// Branches of a listing of instructions, as arrows in its margin.
import { inRole, type Table } from "./document";

// An Arrow leads from the row of a branch to that of its target, in a lane of the
// margin: 0 is beside the code.
export interface Arrow {
  from: number;
  to: number;
  lane: number;
}

export const lanes = 5; // what does not fit shares the last

// arrows are the branches of a table, the shortest nearest to the code.
export function arrows(t: Table): Arrow[] {
  const target = inRole(t, "target"),
    address = inRole(t, "address");
  if (target < 0 || address < 0) return [];
  const at = new Map(t.rows.map((r, i) => [Number(r[address]), i]));
  const all = t.rows.flatMap((r, from) =>
    String(r[target] ?? "")
      .split(" ")
      .flatMap(a => {
        const to = a ? at.get(Number(a)) : undefined;
        return to === undefined ? [] : [{ from, to, lane: lanes - 1 }];
      }),
  );
  const taken: [number, number][][] = Array.from({ length: lanes }, () => []);
  for (const a of [...all].sort((x, y) => Math.abs(x.from - x.to) - Math.abs(y.from - y.to))) {
    const [low, high] = [Math.min(a.from, a.to), Math.max(a.from, a.to)];
    a.lane = taken.findIndex(l => l.length < 400 && l.every(([b, e]) => high < b || low > e));
    if (a.lane < 0) a.lane = lanes - 1;
    else taken[a.lane].push([low, high]);
  }
  return all;
}

// path draws what an arrow has in a row of this height: it comes from the right, goes
// along its lane, and ends at the right in a head.
export function path(a: Arrow, row: number, high: number, wide: number): string {
  const x = wide - 9 - 5 * a.lane,
    middle = high / 2,
    down = a.to > a.from,
    [low, top] = [Math.min(a.from, a.to), Math.max(a.from, a.to)];
  const head = `M${wide - 5} ${middle - 3}L${wide - 1} ${middle}L${wide - 5} ${middle + 3}`;
  if (a.from === a.to) return `M${wide - 1} ${middle - 4}H${x}V${middle}H${wide - 1}${head}`;
  if (row === a.from) return `M${wide - 1} ${middle}H${x}V${down ? high : 0}`;
  if (row === a.to) return `M${x} ${down ? 0 : high}V${middle}H${wide - 1}${head}`;
  return row > low && row < top ? `M${x} 0V${high}` : "";
}
