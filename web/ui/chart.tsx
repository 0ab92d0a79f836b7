import type { ComponentChildren } from "preact";
import { mark } from "./base";
import * as card from "./card";
import { heading, labelled } from "./cell";
import { type Cell, type Chart, inRole, type Table, unitOf } from "./document";
import { Roofline } from "./roofline";
import { IconButton } from "./icon";
import { clean, kernel } from "./names";
import { fixedFor, heat, num, raw, relative } from "./num";
import { png, svg } from "./picture";
import { type Curve, type Dot, type Guide, Plane } from "./plane";
import { Lanes, points } from "./series";
import { formers, Grid } from "./table";

export type Bases = (Chart | undefined)[];

// Figure frames a picture: what it is, what it counts, and the tools that save it.
export function Figure({
  title,
  what,
  name,
  keyed,
  children,
}: {
  title: string;
  what?: string;
  name: string;
  keyed?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <figure class="chart" data-chart={name}>
      <figcaption>
        {clean(title)}
        {what && <span class="what">{clean(what)}</span>}
        {keyed && <span class="key">{keyed}</span>}
        <span class="tools">
          <IconButton icon="image" size="s" label="Save as SVG" onClick={e => svg(e.currentTarget, name)} />
          <IconButton icon="download" size="s" label="Save as PNG" onClick={e => png(e.currentTarget, name)} />
        </span>
      </figcaption>
      {children}
    </figure>
  );
}

// Drawn is a chart, and its table always, so that every number can be read.
// Plain is a picture of a table that stands beside it.
export function Drawn({ chart: c, bases, id, plain }: { chart: Chart; bases: Bases; id: string; plain?: boolean }) {
  const picture = drawing(c, bases);
  return (
    <div>
      {picture}
      {plain ? null : picture ? (
        <details class="numbers">
          <summary>Numbers</summary>
          <Grid table={c} bases={bases} id={id} />
        </details>
      ) : (
        <Grid table={c} bases={bases} id={id} boxed />
      )}
    </div>
  );
}

const named = (c: Chart): string =>
  c.title ||
  (c.kind === "line" ? c.y.label : "") ||
  (/^body[\d.]+$/.test(c.id) ? (c.kind === "timeline" ? "Samples" : "") : c.id);

function drawing(c: Chart, bases: Bases): ComponentChildren {
  const list = c.columns.findIndex(x => x.type === "list"),
    series = list >= 0 && c.rows.some(r => points(r[list]).length > 1),
    framed = (what: string, picture: ComponentChildren) =>
      picture ? (
        <Figure
          title={named(c)}
          what={what}
          name={c.id || "chart"}
          keyed={bases.some(b => b) ? <Legend bases={bases} /> : undefined}
        >
          {picture}
        </Figure>
      ) : null;
  switch (c.kind) {
    case "roofline":
      return framed(c.x.label, <Roofline chart={c} bases={bases} />);
    case "timeline":
      return series
        ? framed(
            `${c.rows.filter(r => points(r[list]).length > 1).length} counters sampled while the kernel ran`,
            <Lanes chart={c} bases={bases} list={list} />,
          )
        : null;
    case "line":
      return framed("", series ? <Sweep chart={c} bases={bases} list={list} /> : <Line chart={c} bases={bases} />);
    case "histogram":
      if (inRole(c, "from") >= 0) return framed(c.y.label, <Histogram chart={c} bases={bases} />);
      if (series) return framed(c.x.label, <Binned chart={c} bases={bases} list={list} />);
  }
  if (c.kind !== "bar" && c.kind !== "histogram") return null;
  if (c.rows.length === 1 && (series || (list >= 0 && parts(c, list).length > 1)))
    return framed(c.y.label, <Mix chart={c} bases={bases} list={list} />);
  return c.rows.length > 0 && c.rows.length <= 100
    ? framed(
        c.y.label && c.y.label !== c.title
          ? c.y.label.replace(/^Speed Of Light \(SOL\) \[%\]$/, "% of peak").replace(/^Utilization \[%\]$/, "%")
          : "",
        <Bars chart={c} bases={bases} />,
      )
    : null;
}

const Legend = ({ bases }: { bases: Bases }) => (
  <>
    <i /> this{" "}
    {bases.map((_, i) => (
      <span key={i} class="bk" style={{ marginLeft: "8px" }}>
        {i + 1}
      </span>
    ))}
  </>
);

// nameColumn is the column of what a bar stands for: by its role, else the texts that differ most.
export function nameColumn(c: Chart): number {
  for (const role of ["label", "metric", "kernel", "nvtx", "operation", "function", "code"]) {
    const k = inRole(c, role);
    if (k >= 0 && c.labels[k] !== null && c.rows.some(r => typeof r[k] === "string")) return k;
  }
  let best = -1,
    most = 0;
  c.columns.forEach((x, k) => {
    if (c.labels[k] === null || x.type === "unit" || x.type === "list") return;
    const n = new Set(c.rows.map(r => r[k]).filter(v => typeof v === "string")).size;
    if (n > most) {
      most = n;
      best = k;
    }
  });
  return best;
}

// A Bar is a row of a bar chart.
export interface Bar {
  label: string;
  full: string;
  value: number;
  unit: string;
  then: (number | undefined)[];
  metric?: string;
}

// Tracks draws bars on their tracks, the number beside each: negative ones to the left of
// the line at zero.
export function Tracks({
  bars,
  most,
  colour,
  wide,
}: {
  bars: Bar[];
  most?: number;
  colour?: (b: Bar, i: number) => string;
  wide?: boolean;
}) {
  const all = bars.flatMap(b => [b.value, ...b.then.filter(x => x !== undefined)]).filter(Number.isFinite),
    top = Math.max(most ?? 0, ...all, 0),
    low = Math.min(0, ...all),
    span = top - low || 1,
    zero = (-100 * low) / span,
    unit = bars[0]?.unit ?? "",
    fixed = bars.every(b => b.unit === unit)
      ? fixedFor(
          bars.map(b => b.value),
          unit,
        )
      : undefined;
  const note = (b: Bar, e: { currentTarget: Element }) =>
    card.show(
      {
        title: b.metric ?? b.full,
        metric: b.metric,
        lines: [
          ["Raw value", raw(b.value, b.unit)],
          ...b.then.map((x, k): [string, string] => {
            const d = x === undefined ? null : relative(b.value, x, b.unit, b.metric);
            return ["Baseline " + mark(k), x === undefined ? "no value" : `${raw(x, b.unit)} (${d!.text} ${d!.unit})`];
          }),
        ],
      },
      e.currentTarget,
    );
  return (
    <div role="list">
      {bars.map((b, i) => {
        const n = num(b.value, b.unit, 3, fixed);
        return (
          <div
            key={i}
            class={"pb" + (wide ? " wide" : "")}
            role="listitem"
            tabIndex={0}
            data-value={b.value}
            onMouseEnter={e => note(b, e)}
            onFocus={e => note(b, e)}
            onBlur={card.hide}
            onMouseLeave={card.hide}
          >
            <span class="l">{b.label}</span>
            <span class="trk">
              <i
                class={b.value < 0 ? "negative" : ""}
                style={{
                  left: `${b.value < 0 ? zero - (100 * -b.value) / span : zero}%`,
                  width: `${(100 * Math.abs(Number.isFinite(b.value) ? b.value : 0)) / span}%`,
                  background: colour?.(b, i),
                }}
              />
              {low < 0 && <s style={{ left: zero + "%" }} />}
              {b.then.map(
                (x, k) =>
                  x !== undefined && (
                    <em
                      key={k}
                      class={x > top ? "over" : ""}
                      title={`baseline ${k + 1}: ${raw(x, b.unit)}`}
                      style={{ left: `${Math.min(100, zero + (100 * x) / span)}%` }}
                    />
                  ),
              )}
            </span>
            <b>
              {n.text}
              {n.unit !== "%" && <span class="u">{brief(n.unit)}</span>}
            </b>
          </div>
        );
      })}
    </div>
  );
}

// barsOf reads the rows of a chart as bars.
export function barsOf(c: Chart, bases: Bases): Bar[] {
  const v =
      inRole(c, "value") >= 0
        ? inRole(c, "value")
        : c.columns.findIndex((x, i) => x.type !== "unit" && c.rows.some(r => typeof r[i] === "number")),
    l = nameColumn(c);
  if (v < 0 || l < 0) return [];
  const former = formers(c, bases),
    metric = inRole(c, "metric"),
    names = metric >= 0 && c.columns[l].role === "label" ? labelled(c) : c.rows.map(r => String(r[l] ?? ""));
  return c.rows.map((r, i) => ({
    label: short(names[i]),
    full: names[i],
    value: Number(r[v]),
    unit: unitOf(c, i, v),
    then: former.map(f => {
      const x = f(i)?.[v];
      return typeof x === "number" ? x : undefined;
    }),
    metric: metric >= 0 ? String(r[metric]) : undefined,
  }));
}

// short takes off a label what its chart's title says.
const short = (s: string): string =>
  clean(/[(<]/.test(s) && s.length > 40 ? kernel(s).name : s)
    .replace(/ \[%\]$/, "")
    .replace(/^Stall (?=\w)/, "")
    .replace(/^(\S+) Cache Throughput$/, "$1 cache")
    .replace(/ Throughput$/, "");

function Bars({ chart: c, bases }: { chart: Chart; bases: Bases }) {
  const bars = barsOf(c, bases);
  if (!bars.length) return null;
  const shares = bars.every(b => b.unit === "%"),
    stalls = bars.some(b => b.metric?.includes("issue_stalled_"));
  const shown = (stalls || bars.length > 8) && !shares ? [...bars].sort((a, b) => b.value - a.value) : bars;
  const few = shown.length > 16 ? shown.filter(b => b.value !== 0 || b.then.some(x => x)).slice(0, 16) : shown;
  const colour = (b: Bar) =>
    shares && b.value >= 0
      ? `var(--h${heat(b.value)})`
      : stalls
        ? `var(--c${/selected/.test(b.metric ?? "") ? 7 : 1})`
        : "var(--c1)";
  const one = few.every(b => b.unit === few[0].unit),
    most = c.x.max ?? c.y.max ?? (shares ? 100 : undefined),
    top = Math.max(most ?? 0, ...few.map(b => b.value).filter(Number.isFinite));
  if (c.upright && one && few.length <= 16 && few.every(b => !(b.value < 0)))
    return <Upright bars={few} top={top} colour={colour} />;
  const wide = few.some(b => b.label.length > 22);
  return (
    <>
      <Tracks bars={few} most={most} colour={colour} wide={wide} />
      {one && few.every(b => b.value >= 0) && (c.y.ticks ?? 0) > 1 && (
        <Ticks n={c.y.ticks!} top={top} unit={few[0].unit} wide={wide} />
      )}
    </>
  );
}

// Ticks names places of the axis below bars, from 0 to their longest.
const Ticks = ({ n, top, unit, wide }: { n: number; top: number; unit: string; wide: boolean }) => (
  <div class={"pb axis" + (wide ? " wide" : "")} aria-hidden="true">
    <span />
    <span class="ticks">
      {Array.from({ length: Math.min(n, 16) }, (_, i) => {
        const v = num((top * i) / (Math.min(n, 16) - 1), unit, 3);
        return <s key={i}>{v.text.replace(/\.0+$/, "") + (v.unit.length < 3 ? v.unit : "")}</s>;
      })}
    </span>
  </div>
);

// brief is a unit where there is little room: of a long one its prefix, without which
// the number would be another.
const brief = (unit: string): string =>
  unit.length < 4 ? unit : /^([kMGTPEmµnu]) ?\S/.exec(unit)?.[0].includes(" ") ? unit[0] : "";

// Upright draws bars side by side.
const Upright = ({ bars, top, colour }: { bars: Bar[]; top: number; colour: (b: Bar) => string }) => (
  <div class="upright" role="list">
    {bars.map((b, i) => {
      const n = num(b.value, b.unit, 3);
      return (
        <div
          key={i}
          role="listitem"
          tabIndex={0}
          data-value={b.value}
          title={`${b.metric ?? b.full}: ${raw(b.value, b.unit)}`}
        >
          <b>
            {n.text}
            <span class="u">{brief(n.unit)}</span>
          </b>
          <span class="stand">
            <i style={{ height: `${(100 * Math.max(0, b.value || 0)) / (top || 1)}%`, background: colour(b) }} />
            {b.then.map(
              (x, k) =>
                x !== undefined && <em key={k} style={{ bottom: `${Math.min(100, (100 * x) / (top || 1))}%` }} />,
            )}
          </span>
          <span class="l">{b.label}</span>
        </div>
      );
    })}
  </div>
);

// Binned counts the values behind a metric in bins of one width.
function Binned({ chart: c, bases, list }: { chart: Chart; bases: Bases; list: number }) {
  const read = (t: Chart | undefined) => (t?.rows ?? []).flatMap(r => points(r[list]).map(p => p.value));
  const all = read(c),
    low = all.reduce((m, v) => Math.min(m, v), Infinity),
    high = all.reduce((m, v) => Math.max(m, v), -Infinity),
    n = low === high ? 1 : Math.min(64, c.bins || 10),
    unit = unitOf(c, 0, list);
  const counts = (values: number[]) => {
    const out = Array<number>(n).fill(0);
    for (const v of values)
      if (v >= low && v <= high) out[Math.min(n - 1, Math.floor(((v - low) / (high - low || 1)) * n))]++;
    return out;
  };
  const old = bases.map(b => (b ? counts(read(b)) : undefined)),
    say = (v: number) => {
      const x = num(v, unit, 3);
      return x.text + (x.unit ? " " + x.unit : "");
    };
  return (
    <Tracks
      bars={counts(all).map((count, i) => {
        const label = `${say(low + ((high - low) * i) / n)} – ${say(low + ((high - low) * (i + 1)) / n)}`;
        return { label, full: label, value: count, unit: "", then: old.map(o => o?.[i]) };
      })}
      wide
    />
  );
}

// Rows sets charts that name the same row side by side.
export function Rows({ charts, children }: { charts: Chart[]; children: (c: Chart, i: number) => ComponentChildren }) {
  const out: { row?: string; all: ComponentChildren[] }[] = [];
  charts.forEach((c, i) => {
    const last = out[out.length - 1];
    if (c.beside && last?.row === c.beside) last.all.push(children(c, i));
    else out.push({ row: c.beside, all: [children(c, i)] });
  });
  return (
    <>
      {out.map((o, i) =>
        o.all.length > 1 ? (
          <div key={i} class="curves">
            {o.all}
          </div>
        ) : (
          o.all
        ),
      )}
    </>
  );
}

// Matrix is a table in the two dimensions that its definition has for it.
export function Matrix({ table: t }: { table: Table }) {
  const m = t.matrix!,
    label = inRole(t, "label"),
    value = inRole(t, "value"),
    units = t.columns.findIndex(c => c.type === "unit");
  const said = (n: number | null) =>
    n === null || !t.rows[n] ? "" : [t.text[n][value], units >= 0 ? t.text[n][units] : ""].filter(Boolean).join(" ");
  return (
    <figure class="chart" data-chart={t.id}>
      {t.title && <figcaption>{clean(t.title)}</figcaption>}
      <div class="mx">
        <table>
          {m.columns.length > 0 && (
            <thead>
              <tr>
                {m.rows.length > 0 && <td />}
                {m.columns.map((c, i) => (
                  <th key={i} scope="col">
                    {clean(c)}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {m.cells.map((r, i) => (
              <tr key={i}>
                {m.rows.length > 0 && <th scope="row">{clean(m.rows[i])}</th>}
                {r.map((n, k) => (
                  <>
                    {!m.columns.length && <th scope="row">{n === null ? "" : clean(t.text[n]?.[label] ?? "")}</th>}
                    <td key={k}>{said(n)}</td>
                  </>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

// What the opcodes of a mix are for, by the beginnings of their names.
const opcodes: [RegExp, number, string][] = [
  [/^(HMMA|IMMA|DMMA|BMMA|QGMMA|HGMMA|IGMMA|WGMMA|UTC|OMMA|MMA)/, 1, "Tensor"],
  [/^(LD|ST|ATOM|RED|TEX|TLD|SU|CCTL|UBLK|UTMA|TMA|SYNCS|FENCE|MEMBAR|ERRBAR)/, 2, "Load, store"],
  [/^(FADD|FMUL|FFMA|FSET|FSEL|FMNMX|FCHK|MUFU|HADD|HFMA|HMUL|HSET|FRND|F2F)/, 3, "FP32, FP16"],
  [/^(BRA|BRX|JMP|CALL|RET|EXIT|BSSY|BSYNC|BAR|WARPSYNC|BREAK|NANOSLEEP|YIELD|DEPBAR|KILL|BPT)/, 4, "Branch, sync"],
  [/^(DADD|DMUL|DFMA|DSET|DMNMX)/, 5, "FP64"],
  [
    /^(I|LOP|SHF|SHL|SHR|LEA|PRMT|MOV|SEL|VOTE|POPC|FLO|BREV|S2|CS2|R2|P2|PLOP|SHFL|U|NOP|VABS|SGX|BMSK|MATCH)/,
    6,
    "Integer, move",
  ],
];
const kindOf = (op: string): number => opcodes.find(o => o[0].test(op))?.[1] ?? 7;

// parts are what the first metric of a chart is made of: names and numbers.
const parts = (c: Chart | undefined, list: number) =>
  ((c?.rows[0]?.[list] ?? []) as Cell[][])
    .filter(p => Array.isArray(p) && typeof p[1] === "number")
    .map(p => [String(p[0]), Number(p[1])] as const);

// Mix draws what one metric is made of: the kinds as one bar, then the largest of its parts.
function Mix({ chart: c, bases, list }: { chart: Chart; bases: Bases; list: number }) {
  const read = (x: Chart | undefined) => parts(x, list);
  const all = read(c).sort((a, b) => b[1] - a[1]),
    old = bases.map(b => new Map(read(b))),
    sum = all.reduce((s, p) => s + p[1], 0) || 1,
    ops = all.some(p => /^[A-Z]{2,}/.test(p[0]));
  const kinds = [1, 2, 3, 4, 5, 6, 7]
    .map(k => ({
      k,
      name: opcodes.find(o => o[1] === k)?.[2] ?? "Other",
      v: all.filter(p => kindOf(p[0]) === k).reduce((s, p) => s + p[1], 0),
    }))
    .filter(k => k.v > 0)
    .sort((a, b) => b.v - a.v);
  return (
    <>
      {ops && (
        <>
          <div
            class="stk"
            role="img"
            aria-label={kinds.map(k => `${k.name} ${num((100 * k.v) / sum, "%").text} %`).join(", ")}
          >
            {kinds.map(k => (
              <span key={k.k} class={"k" + k.k} style={{ width: (100 * k.v) / sum + "%" }} />
            ))}
          </div>
          <div class="lg">
            {kinds.map(k => (
              <span key={k.k}>
                <i class={"k" + k.k} /> {k.name} <b>{num((100 * k.v) / sum, "%").text}</b> %
              </span>
            ))}
          </div>
        </>
      )}
      <div class="ops">
        <Tracks
          bars={all
            .slice(0, 12)
            .map(p => ({ label: p[0], full: p[0], value: p[1], unit: "", then: old.map(o => o.get(p[0])) }))}
          colour={b => (ops ? `var(--c${kindOf(b.full)})` : "var(--c1)")}
        />
      </div>
    </>
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
      title={named(c)}
      curves={curves([of(c), ...bases.map(of)], "now")}
      dots={[]}
      guides={guides(c)}
      log={c.x.log}
      top={c.y.max}
      x={c.x.label || heading(c, n[0])}
      y={c.y.label || heading(c, n[1])}
      xUnit={c.columns[n[0]].unit}
      yUnit={c.columns[n[1]].unit}
    />
  );
}

export const curves = (all: Dot[][], label: string): Curve[] =>
  all
    .map((dots, i) => ({
      dots,
      label: i ? "baseline " + mark(i - 1) : label,
      kind: i ? "base b" + ((i - 1) % 4) : "curve",
    }))
    .filter(c => c.dots.length > 0);

// Sweep draws what a metric would be were a parameter another, and marks the
// launch's own: rows of many points are curves, those of one the own parameter.
function Sweep({ chart: c, bases, list }: { chart: Chart; bases: Bases; list: number }) {
  const of = (t: Chart): Dot[] =>
    steps(
      t.rows
        .flatMap(r => {
          const p = points(r[list]);
          return p.length > 1 ? p.map(d => ({ x: d.id, y: d.value, label: `${d.id}: ${d.value}` })) : [];
        })
        .sort((a, b) => a.x - b.x),
    );
  const own = (t: Chart, kind: string, label: string): Dot[] =>
    t.rows.flatMap(r => {
      const p = points(r[list]),
        curve = of(t),
        x = p[0]?.value;
      if (p.length !== 1 || !curve.length) return [];
      const near = curve.reduce((m, d) => (Math.abs(d.x - x) < Math.abs(m.x - x) ? d : m));
      return [{ x, y: near.y, label: `${label}: ${x}`, kind }];
    });
  const mine = own(c, "pt", "this launch");
  return (
    <Plane
      title={named(c)}
      curves={curves([of(c), ...bases.map(b => (b ? of(b) : []))], "now")}
      guides={mine.length ? [] : guides(c)}
      dots={[...mine, ...bases.flatMap((b, i) => (b ? own(b, "hollow", "baseline " + mark(i)) : []))]}
      x={c.x.label}
      y={c.y.label}
      from={c.y.min}
      top={c.y.max}
      left={c.x.min}
      right={c.x.max}
      named={[c.x.ticks, c.y.ticks]}
      high={180}
    />
  );
}

// steps makes a curve of values that hold until the next one.
export const steps = (ds: Dot[]): Dot[] =>
  ds.flatMap((d, i) =>
    i && d.y !== ds[i - 1].y ? [{ ...d, y: ds[i - 1].y }, d] : i && i < ds.length - 1 && ds[i + 1].y === d.y ? [] : [d],
  );

// Histogram draws counts over spans, and their sum up to there as a line.
function Histogram({ chart: c, bases }: { chart: Chart; bases: Bases }) {
  const at = (role: string) => inRole(c, role),
    a = at("from"),
    b = at("to"),
    v = at("count");
  const bins = (t: Chart | undefined): Dot[] =>
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
      curves={curves([bins(c), ...bases.map(bins)], "lifetimes").map((k, i) => (i ? k : { ...k, kind: "area" }))}
      dots={[]}
      guides={guides(c)}
      log={c.x.log}
      x={c.x.label}
      y={c.y.label}
      xUnit={c.columns[a].unit}
    />
  );
}
