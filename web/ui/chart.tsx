import { mark } from "./base";
import * as card from "./card";
import { type Cell, type Chart, column, inRole, unitOf } from "./document";
import { png, svg } from "./picture";
import { Plane, type Curve, type Dot, type Guide } from "./plane";
import { Lanes, points } from "./series";
import { change, formers, Grid } from "./table";

type Bases = (Chart | undefined)[];

// Figure frames a picture, with the buttons that save it.
export function Figure({ title, name, children }: { title: string; name: string; children: preact.ComponentChildren }) {
  return (
    <figure class="chart">
      {children}
      <figcaption>
        <b>{title}</b>
        <span class="tools">
          <button onClick={e => svg(e.currentTarget, name)}>SVG</button>
          <button onClick={e => png(e.currentTarget, name)}>PNG</button>
        </span>
      </figcaption>
    </figure>
  );
}

// Drawn is a chart, and its table always, so that every number can be read.
// Plain is a picture of a table that stands beside it.
export function Drawn({ chart: c, bases, id, plain }: { chart: Chart; bases: Bases; id: string; plain?: boolean }) {
  const picture = drawing(c, bases);
  return (
    <>
      {picture && (
        <Figure title={c.title || (c.kind === "line" ? c.y.label : "")} name={c.id || "chart"}>
          {picture}
        </Figure>
      )}
      {plain ? null : picture ? (
        <details class="numbers">
          <summary>Numbers of the chart</summary>
          <Grid table={c} bases={bases} id={id} />
        </details>
      ) : (
        <Grid table={c} bases={bases} id={id} />
      )}
    </>
  );
}

function drawing(c: Chart, bases: Bases) {
  const list = c.columns.findIndex(x => x.type === "list"),
    series = list >= 0 && c.rows.some(r => points(r[list]).length > 1);
  switch (c.kind) {
    case "roofline":
      return <Roofline chart={c} bases={bases} />;
    case "timeline":
      return series ? <Lanes chart={c} bases={bases} list={list} /> : null;
    case "line":
      return series ? <Sweep chart={c} bases={bases} list={list} /> : <Line chart={c} bases={bases} />;
    case "histogram":
      if (inRole(c, "from") >= 0) return <Histogram chart={c} bases={bases} />;
  }
  if (c.kind !== "bar" && c.kind !== "histogram") return null;
  if (c.rows.length === 1 && series)
    return <Bars chart={expand(c, list)} bases={bases.map(b => b && expand(b, list))} />;
  return c.rows.length > 0 && c.rows.length <= 100 ? <Bars chart={c} bases={bases} /> : null;
}

// expand makes bars of what the one metric of a chart is made of, the largest first.
function expand(c: Chart, list: number): Chart {
  const of = (c.rows[0][list] as Cell[][])
    .filter(p => typeof p[1] === "number")
    .sort((a, b) => Number(b[1]) - Number(a[1]))
    .slice(0, 60);
  const made = (name: string, type: string) => ({ name, type, unit: "" });
  return {
    ...c,
    columns: [made("id", "string"), made("value", "number")],
    labels: ["", ""],
    rows: of,
    text: of.map(p => p.map(String)),
  };
}

function Bars({ chart: c, bases }: { chart: Chart; bases: Bases }) {
  const v = c.columns.findIndex((_, i) => c.rows.some(r => typeof r[i] === "number"));
  const l = c.labels.findIndex((x, i) => x !== null && c.rows.some(r => typeof r[i] === "string"));
  if (v < 0 || l < 0) return null;
  const former = formers(c, bases),
    metric = inRole(c, "metric");
  const then = (i: number) => former.map(f => f(i)?.[v]);
  const size = (x: Cell | undefined) => (Math.abs(Number(x) || 0) / most) * (400 - 70 * Math.min(3, former.length));
  const most =
    Math.max(
      c.x.max ?? 0,
      c.y.max ?? 0,
      ...c.rows.flatMap((r, i) => [r[v], ...then(i)]).map(x => Math.abs(Number(x) || 0)),
    ) || 1;
  const high = 22 + 7 * former.length;
  const note = (e: Element, i: number) =>
    card.show(
      {
        title: metric >= 0 ? String(c.rows[i][metric]) : c.text[i][l],
        metric: metric >= 0 ? String(c.rows[i][metric]) : undefined,
        lines: [
          ["Raw value", `${c.rows[i][v]} ${unitOf(c, i, v)}`],
          ...then(i).map((x, k): [string, string] => [
            "Baseline " + mark(k),
            x === undefined ? "no value" : `${x} ${unitOf(c, i, v)}`,
          ]),
        ],
      },
      e,
    );
  return (
    <svg role="img" aria-label={c.title || c.kind} viewBox={`0 0 800 ${c.rows.length * high}`} onMouseLeave={card.hide}>
      {c.rows.map((r, i) => (
        <g key={i} transform={`translate(0 ${i * high})`} onMouseEnter={e => note(e.currentTarget, i)}>
          <rect class="ground" width="800" height={high} />
          <text x="290" y="15" text-anchor="end">
            {c.text[i][l].slice(0, 44)}
          </text>
          <rect x="300" y="3" height="16" width={size(r[v])} />
          {then(i).map(
            (x, k) =>
              typeof x === "number" && (
                <rect key={k} class={"base b" + (k % 4)} x="300" y={20 + 7 * k} height="5" width={size(x)} />
              ),
          )}
          <text x={306 + size(r[v])} y="15">
            {c.text[i][v]}
            <tspan class="small">
              {" "}
              {then(i)
                .map((x, k) => {
                  const d = change(r[v], x);
                  return d ? `${former.length > 1 ? mark(k) : ""}${d.share || d.text} ` : "";
                })
                .join("")}
            </tspan>
          </text>
        </g>
      ))}
    </svg>
  );
}

const finite = (x: Cell | undefined): x is number => typeof x === "number" && Number.isFinite(x);

const guides = (c: Chart): Guide[] => c.x.guides?.map(g => ({ x: g.at, label: g.label })) ?? [];

// Line draws the first column of numbers across, the next upwards.
function Line({ chart: c, bases }: { chart: Chart; bases: Bases }) {
  const n = c.columns.map((_, i) => i).filter(i => c.rows.some(r => typeof r[i] === "number"));
  if (n.length < 2) return null;
  const of = (t: Chart | undefined): Dot[] =>
    (t?.rows ?? [])
      .filter(r => finite(r[n[0]]) && finite(r[n[1]]) && (!c.x.log || Number(r[n[0]]) > 0))
      .map(r => ({ x: Number(r[n[0]]), y: Number(r[n[1]]), label: `${r[n[0]]}: ${r[n[1]]}` }));
  return (
    <Plane
      title={c.title || c.id}
      curves={curves([of(c), ...bases.map(of)], "now")}
      dots={[]}
      guides={guides(c)}
      log={c.x.log}
      top={c.y.max}
      x={c.x.label || (c.labels[n[0]] ?? "")}
      y={c.y.label || (c.labels[n[1]] ?? "")}
    />
  );
}

const curves = (all: Dot[][], label: string): Curve[] =>
  all
    .map((dots, i) => ({ dots, label: i ? "baseline " + mark(i - 1) : label, kind: i ? "base b" + ((i - 1) % 4) : "" }))
    .filter(c => c.dots.length > 0);

// Sweep draws what a metric would be were a parameter another, and marks the
// launch's own: rows of many points are curves, those of one the own parameter.
function Sweep({ chart: c, bases, list }: { chart: Chart; bases: Bases; list: number }) {
  const of = (t: Chart): Dot[] =>
    t.rows
      .flatMap(r => {
        const p = points(r[list]);
        return p.length > 1 ? p.map(d => ({ x: d.id, y: d.value, label: `${d.id}: ${d.value}` })) : [];
      })
      .sort((a, b) => a.x - b.x);
  const own = (t: Chart, kind: string, label: string): Dot[] =>
    t.rows.flatMap(r => {
      const p = points(r[list]),
        curve = of(t),
        x = p[0]?.value;
      if (p.length !== 1 || !curve.length) return [];
      const near = curve.reduce((m, d) => (Math.abs(d.x - x) < Math.abs(m.x - x) ? d : m));
      return [{ x, y: near.y, label: `${label}: ${x}`, kind }];
    });
  return (
    <Plane
      title={c.title}
      curves={curves([of(c), ...bases.map(b => (b ? of(b) : []))], "now")}
      dots={[
        ...own(c, "", "this launch"),
        ...bases.flatMap((b, i) => (b ? own(b, "base b" + (i % 4), "baseline " + mark(i)) : [])),
      ]}
      x={c.x.label}
      y={c.y.label}
    />
  );
}

// Histogram draws counts over spans, and their sum up to there as a line.
function Histogram({ chart: c, bases }: { chart: Chart; bases: Bases }) {
  const at = (role: string) => inRole(c, role),
    a = at("from"),
    b = at("to"),
    v = at("count");
  const steps = (t: Chart | undefined): Dot[] =>
    (t?.rows ?? []).flatMap(r => {
      const label = `${r[a]} to ${r[b]}: ${r[v]}`;
      return [
        { x: Number(r[a]), y: 0, label },
        { x: Number(r[a]), y: Number(r[v]), label },
        { x: Number(r[b]), y: Number(r[v]), label },
        { x: Number(r[b]), y: 0, label },
      ];
    });
  return (
    <Plane
      title={c.title}
      curves={curves([steps(c), ...bases.map(steps)], "lifetimes").map((k, i) => (i ? k : { ...k, kind: "area" }))}
      dots={[]}
      guides={guides(c)}
      log={c.x.log}
      x={c.x.label}
      y={c.y.label}
    />
  );
}

// Roofline draws, over intensity (work by traffic), what was reached and below
// which roofs: work is bounded by its own peak and by intensity times traffic.
function Roofline({ chart: c, bases }: { chart: Chart; bases: Bases }) {
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
  const rows = read(c),
    point = (r: { kind: string }) => /point|achieved/i.test(r.kind),
    old = bases.map(b => (b ? read(b).filter(point) : []));
  const seen = [...rows, ...old.flat()];
  if (!rows.length) return null;
  const low = (f: (r: (typeof rows)[0]) => number) => Math.log10(Math.min(...seen.map(f))),
    high = (f: (r: (typeof rows)[0]) => number) => Math.log10(Math.max(...seen.map(f)));
  const x0 = 10 ** (low(r => r.x) - 1),
    x1 = 10 ** (high(r => r.x) + 1),
    y0 = 10 ** (low(r => r.work) - 1);
  const start = (r: (typeof rows)[0]) => Math.max(x0, y0 / r.traffic);
  const dot =
    (kind: string, name: string) =>
    (r: (typeof rows)[0]): Dot => ({
      x: r.x,
      y: r.work,
      kind,
      label: name + r.label,
      lines: [
        ["Work", r.work.toPrecision(5) + "/s"],
        ["Traffic", r.traffic.toPrecision(5) + " byte/s"],
        ["Intensity", r.x.toPrecision(5) + " per byte"],
        ...rows
          .filter(q => !point(q))
          .map((q): [string, string] => [
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
      from={y0}
      x={c.x.label}
      y={c.y.label}
      curves={rows
        .filter(r => !point(r))
        .map(r => ({
          label: r.label,
          kind: "",
          named: true,
          dots: [
            { x: start(r), y: start(r) * r.traffic, label: r.label },
            { x: r.x, y: r.work, label: r.label },
            { x: x1, y: r.work, label: r.label },
          ],
        }))}
      dots={[
        ...rows.filter(point).map(dot("", "")),
        ...old.flatMap((rs, i) => rs.map(dot("base b" + (i % 4), mark(i) + " "))),
      ]}
    />
  );
}
