import { mark } from "./base";
import { type Chart, column } from "./document";
import { num } from "./num";
import { type Dot, Plane } from "./plane";

// Roofline draws, over intensity (work by traffic), what was reached and below
// which roofs: work is bounded by its own peak and by intensity times traffic.
export function Roofline({ chart: c, bases }: { chart: Chart; bases: (Chart | undefined)[] }) {
  const read = (t: Chart) => {
    const [label, kind, work, traffic, x] = ["label", "kind", "work", "traffic", "intensity"].map(n => column(t, n));
    return t.rows
      .filter(r => Number(r[work]) > 0 && Number(r[x]) > 0)
      .map(r => ({
        label: String(r[label]),
        kind: String(r[kind]),
        work: Number(r[work]),
        traffic: Number(r[traffic]),
        x: Number(r[x]),
      }));
  };
  type Row = ReturnType<typeof read>[0];
  const rows = read(c),
    point = (r: { kind: string }) => /point|achieved/i.test(r.kind),
    old = bases.map(b => (b ? read(b).filter(point) : []));
  const walls = c.rows
    .filter(r => r[column(c, "kind")] === "wall" && Number(r[column(c, "intensity")]) > 0)
    .map(r => ({ x: Number(r[column(c, "intensity")]), label: String(r[column(c, "label")]) }));
  const seen = [...rows, ...old.flat()];
  if (!rows.length) return null;
  const low = (f: (r: Row) => number) => Math.log10(Math.min(...seen.map(f))),
    high = (f: (r: Row) => number) => Math.log10(Math.max(...seen.map(f)));
  const x0 = 10 ** (Math.floor(low(r => r.x)) - 0.3),
    x1 = 10 ** (Math.ceil(high(r => r.x)) + 0.3),
    y0 = 10 ** Math.floor(low(r => r.work) - 0.3);
  const start = (r: Row) => Math.max(x0, y0 / r.traffic),
    flop = (v: number, n = 3) => `${num(v, "flop", n).text} ${num(v, "flop", n).unit.replace("flop", "FLOP")}/s`;
  const roofs = rows.filter(r => !point(r)).sort((a, b) => b.work - a.work),
    reach = (r: Row) =>
      Math.max(...roofs.map(q => (sameKind(q, r) || roofs.length === 1 ? Math.min(q.work, r.x * q.traffic) : 0)), 0) ||
      Math.min(roofs[0]?.work ?? Infinity, r.x * (roofs[0]?.traffic ?? Infinity));
  const dot =
    (kind: string, name: string) =>
    (r: Row): Dot => ({
      x: r.x,
      y: r.work,
      kind,
      label: name + r.label,
      said:
        kind === "pt" && r === rows.filter(point).reduce((m, q) => (q.work > m.work ? q : m))
          ? [flop(r.work, 4), `${num((100 * r.work) / reach(r), "%").text} % of its roof`]
          : undefined,
      lines: [
        ["Work", r.work.toPrecision(5) + "/s"],
        ["Traffic", r.traffic.toPrecision(5) + " byte/s"],
        ["Intensity", r.x.toPrecision(5) + " per byte"],
        ...roofs.map((q): [string, string] => [
          q.label,
          ((100 * r.work) / Math.min(q.work, r.x * q.traffic)).toFixed(1) + " % of this roof",
        ]),
      ],
    });
  return (
    <Plane
      title={c.title || c.kind}
      log
      logY
      high={250}
      from={y0}
      x={c.x.label.replace(/^Arithmetic Intensity \[(.*)\]$/, "$1")}
      y={c.y.label.replace(/^Performance \[(.*)\]$/, "$1")}
      zone={roofs[0]?.x}
      plumb={rows.filter(point).map(r => ({ x: r.x, y: r.work, to: reach(r) }))}
      curves={roofs.map((r, i) => ({
        label: r.label,
        kind: i ? "roof dim" : "roof",
        named: `${r.label.replace(/ Roofline$/, "").replace(/ Precision$/, "")} ${flop(r.work)}`,
        dots: [
          { x: start(r), y: start(r) * r.traffic, label: r.label },
          { x: r.x, y: r.work, label: r.label },
          { x: x1, y: r.work, label: r.label },
        ],
      }))}
      guides={walls}
      dots={[...old.flatMap((rs, i) => rs.map(dot("hollow", mark(i) + " "))), ...rows.filter(point).map(dot("pt", ""))]}
    />
  );
}

const sameKind = (q: { label: string }, r: { label: string }): boolean =>
  q.label.split(" ")[0] === r.label.split(" ")[0];
