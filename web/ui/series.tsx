import { mark } from "./base";
import * as card from "./card";
import { type Cell, type Chart, inRole } from "./document";

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

const left = 250,
  wide = 520,
  high = 46;
const time = (ns: number) =>
  ns >= 1e6 ? (ns / 1e6).toFixed(2) + " ms" : ns >= 1e3 ? (ns / 1e3).toFixed(1) + " us" : ns + " ns";

// Lanes draws samples over time, a lane for each metric. Metrics are sampled in
// different passes over the kernel: each lane starts at its own first sample.
export function Lanes({ chart: c, bases, list }: { chart: Chart; bases: (Chart | undefined)[]; list: number }) {
  const metric = inRole(c, "metric"),
    label = inRole(c, "label"),
    unit = c.columns.findIndex(x => x.type === "unit");
  const lanes = c.rows
    .map((r, i) => ({
      i,
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
    <svg
      role="img"
      aria-label={c.title || "samples over time"}
      viewBox={`0 0 800 ${lanes.length * high + 20}`}
      onMouseLeave={card.hide}
    >
      {lanes.map((l, n) => (
        <Lane key={n} lane={l} y={n * high} span={span} />
      ))}
      {[0, 0.25, 0.5, 0.75, 1].map(t => (
        <text x={left + t * wide} y={lanes.length * high + 14} text-anchor="middle">
          {time(t * span)}
        </text>
      ))}
    </svg>
  );
}

function Lane({
  lane: l,
  y,
  span,
}: {
  lane: { metric: string; label: string; unit: string; now: Point[]; old: Point[][] };
  y: number;
  span: number;
}) {
  const top = [l.now, ...l.old].flat().reduce((m, p) => Math.max(m, p.value), 0) || 1;
  const path = (ps: Point[], close: boolean) => {
    if (!ps.length) return "";
    const at = thin(ps, span).map(
      p =>
        `${(left + ((p.id - ps[0].id) / span) * wide).toFixed(1)} ${(y + high - 4 - (p.value / top) * (high - 10)).toFixed(1)}`,
    );
    return close
      ? `M${left} ${y + high - 4}L${at.join("L")}L${(left + ((ps[ps.length - 1].id - ps[0].id) / span) * wide).toFixed(1)} ${y + high - 4}Z`
      : "M" + at.join("L");
  };
  const note = (e: MouseEvent & { currentTarget: SVGElement }) => {
    const b = e.currentTarget.ownerSVGElement!.getBoundingClientRect(),
      t = ((((e.clientX - b.left) / b.width) * 800 - left) / wide) * span;
    const near = (ps: Point[]) =>
      ps.reduce((m, p) => (Math.abs(p.id - ps[0].id - t) < Math.abs(m.id - ps[0].id - t) ? p : m));
    const p = near(l.now);
    card.show(
      {
        title: l.metric,
        metric: l.metric,
        lines: [
          ["Time", time(p.id - l.now[0].id)],
          ["Sample", `${p.value} ${l.unit}`],
          ...l.old.flatMap((o, i): [string, string][] =>
            o.length ? [["Baseline " + mark(i), `${near(o).value} ${l.unit}`]] : [],
          ),
        ],
      },
      e.currentTarget,
    );
  };
  return (
    <g onMouseMove={note}>
      <rect class="ground" x="0" y={y} width="800" height={high} />
      <text x={left - 8} y={y + 20} text-anchor="end">
        {l.label.slice(0, 38)}
      </text>
      <text
        class="small"
        x={left - 8}
        y={y + 34}
        text-anchor="end"
      >{`up to ${Number(top.toPrecision(4))} ${l.unit}`}</text>
      <path class="area" d={path(l.now, true)} />
      {l.old.map((o, i) => (
        <path key={i} class={"base b" + (i % 4)} d={path(o, false)} />
      ))}
      <line class="rule" x1={left} x2={left + wide} y1={y + high - 4} y2={y + high - 4} />
    </g>
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
