import { mark } from "./base";
import * as card from "./card";
import { type Cell, type Chart, inRole } from "./document";
import { num, raw, say } from "./num";

export interface Point {
  id: number;
  value: number;
}

// points are the pairs of a list cell that are numbers.
export const points = (c: Cell | undefined): Point[] =>
  Array.isArray(c)
    ? (c as Cell[][])
        .filter(p => Array.isArray(p) && typeof p[0] === "number" && typeof p[1] === "number")
        .map(p => ({ id: p[0] as number, value: p[1] as number }))
    : [];

const wide = 400,
  high = 34;

interface Row {
  metric: string;
  label: string;
  unit: string;
  now: Point[];
  old: Point[][];
}

// Lanes draws samples over time, a lane for each metric. Metrics are sampled in
// different passes over the kernel: each lane starts at its own first sample.
export function Lanes({ chart: c, bases, list }: { chart: Chart; bases: (Chart | undefined)[]; list: number }) {
  const metric = inRole(c, "metric"),
    label = inRole(c, "label"),
    unit = c.columns.findIndex(x => x.type === "unit");
  const lanes: Row[] = c.rows
    .map(r => ({
      metric: String(r[metric]),
      label: String(r[label] ?? r[metric]),
      unit: String(r[unit] ?? ""),
      now: points(r[list]),
      old: bases.map(b => points(b?.rows.find(o => o[metric] === r[metric])?.[list])),
    }))
    .filter(l => l.now.length > 1);
  const span = Math.max(
    ...lanes.flatMap(l => [l.now, ...l.old]).map(p => (p.length ? p[p.length - 1].id - p[0].id : 0)),
    1,
  );
  return (
    <div class="sps">
      {lanes.map((l, n) => (
        <Lane key={n} lane={l} span={span} />
      ))}
    </div>
  );
}

function Lane({ lane: l, span }: { lane: Row; span: number }) {
  const peak = [l.now, ...l.old].flat().reduce((m, p) => Math.max(m, p.value), 0) || 1,
    top = l.unit === "%" ? 100 : peak;
  const line = (ps: Point[]) =>
    ps.length
      ? thin(ps, span).map(
          p =>
            `${(((p.id - ps[0].id) / span) * wide).toFixed(1)} ${(high - 1 - (p.value / top) * (high - 4)).toFixed(1)}`,
        )
      : [];
  const note = (e: MouseEvent & { currentTarget: SVGElement }) => {
    const b = e.currentTarget.getBoundingClientRect(),
      t = ((e.clientX - b.left) / b.width) * span;
    const near = (ps: Point[]) =>
      ps.reduce((m, p) => (Math.abs(p.id - ps[0].id - t) < Math.abs(m.id - ps[0].id - t) ? p : m));
    const p = near(l.now);
    card.show(
      {
        title: l.metric,
        metric: l.metric,
        lines: [
          ["Time", say(p.id - l.now[0].id, "ns")],
          ["Sample", raw(p.value, l.unit)],
          ...l.old.flatMap((o, i): [string, string][] =>
            o.length ? [["Baseline " + mark(i), raw(near(o).value, l.unit)]] : [],
          ),
        ],
      },
      new card.Anchor(e.clientX + 6, e.clientY),
    );
  };
  const now = line(l.now),
    n = num(peak, l.unit, 3);
  return (
    <div class="sp">
      <span class="l" title={l.metric}>
        {l.label}
      </span>
      <svg
        viewBox={`0 0 ${wide} ${high}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${l.label}: up to ${n.text} ${n.unit}`}
        onMouseMove={note}
        onMouseLeave={card.hide}
      >
        <path class="area" d={`M0 ${high}L${now.join("L")}L${now[now.length - 1].split(" ")[0]} ${high}Z`} />
        <path class="line" d={"M" + now.join("L")} />
        {l.old.map((o, i) => o.length > 1 && <path key={i} class="base" d={"M" + line(o).join("L")} />)}
      </svg>
      <b>
        {n.text}
        {n.unit && n.unit.length < 6 && <span class="u">{n.unit}</span>}
      </b>
    </div>
  );
}

// thin keeps of the samples of each half pixel the least and the greatest.
function thin(ps: Point[], span: number): Point[] {
  const out: Point[] = [],
    of = (p: Point) => Math.floor(((p.id - ps[0].id) / span) * wide * 2);
  for (let i = 0; i < ps.length; ) {
    let k = i,
      low = i,
      top = i;
    for (; k < ps.length && of(ps[k]) === of(ps[i]); k++) {
      if (ps[k].value < ps[low].value) low = k;
      if (ps[k].value > ps[top].value) top = k;
    }
    out.push(ps[Math.min(low, top)]);
    if (low !== top) out.push(ps[Math.max(low, top)]);
    i = k;
  }
  return out;
}
