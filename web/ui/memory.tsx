import { mark } from "./base";
import * as card from "./card";
import { Figure } from "./chart";
import { inRole, type Table, unitOf } from "./document";
import { heat, relative, say } from "./num";

// The drawing of the memory chart: boxes, and what flows between them. Which
// metrics a launch has depends on its GPU and on the tool; a flow is the sum of
// those of one of its lists that are there.
interface Box {
  name: string;
  x: number;
  y: number;
  w: number;
  h: number;
  lines?: [string, string][];
  peak?: string[]; // share of its peak: the first that is there
}
interface Flow {
  x0: number;
  x1: number;
  y: number;
  of: string[][];
}

const requests = (space: string, ops: string[]) => ops.map(o => `l1tex__t_requests_pipe_lsu_mem_${space}_op_${o}.sum`);
const surface = ["ld", "st", "red", "atom"].map(o => `l1tex__t_requests_pipe_tex_mem_surface_op_${o}.sum`);
const aperture = (a: string, ops: string[]) => ops.map(o => `lts__t_sectors_srcunit_tex_aperture_${a}_op_${o}.sum`);

const boxes: Box[] = [
  { name: "Global", x: 10, y: 10, w: 120, h: 44 },
  { name: "Local", x: 10, y: 66, w: 120, h: 44 },
  { name: "Texture", x: 10, y: 122, w: 120, h: 44 },
  { name: "Surface", x: 10, y: 178, w: 120, h: 44 },
  { name: "Shared", x: 10, y: 250, w: 120, h: 44 },
  {
    name: "L1/TEX Cache",
    x: 260,
    y: 10,
    w: 110,
    h: 212,
    lines: [["hit rate", "l1tex__t_sector_hit_rate.pct"]],
    peak: [
      "l1tex__throughput",
      "l1tex__lsuin_requests",
      "l1tex__data_pipe_lsu_wavefronts",
      "l1tex__m_xbar2l1tex_read_sectors",
    ],
  },
  {
    name: "Shared Memory",
    x: 260,
    y: 250,
    w: 110,
    h: 44,
    peak: ["l1tex__data_bank_reads", "l1tex__data_pipe_lsu_wavefronts_mem_shared"],
  },
  {
    name: "L2 Cache",
    x: 480,
    y: 10,
    w: 110,
    h: 284,
    lines: [["hit rate", "lts__t_sector_hit_rate.pct"]],
    peak: ["lts__throughput", "lts__t_sectors", "lts__t_tag_requests", "lts__d_sectors"],
  },
  { name: "System Memory", x: 690, y: 10, w: 106, h: 64 },
  {
    name: "Device Memory",
    x: 690,
    y: 120,
    w: 106,
    h: 64,
    peak: ["dram__throughput", "dram__cycles_active", "dram__bytes"],
  },
  { name: "Peer Memory", x: 690, y: 230, w: 106, h: 64 },
];

const flows: Flow[] = [
  { x0: 130, x1: 260, y: 32, of: [requests("global", ["ld", "st", "red", "atom"])] },
  { x0: 130, x1: 260, y: 88, of: [requests("local", ["ld", "st"])] },
  { x0: 130, x1: 260, y: 144, of: [["l1tex__t_requests_pipe_tex_mem_texture.sum"]] },
  { x0: 130, x1: 260, y: 200, of: [surface] },
  {
    x0: 130,
    x1: 260,
    y: 272,
    of: [
      [
        "smsp__sass_inst_executed_op_shared_ld.sum",
        "smsp__sass_inst_executed_op_shared_st.sum",
        "smsp__inst_executed_op_shared_atom.sum",
      ],
      ["smsp__sass_inst_executed_op_shared.sum"],
      ["sass__inst_executed_shared_loads", "sass__inst_executed_shared_stores"],
    ],
  },
  { x0: 480, x1: 370, y: 80, of: [["l1tex__m_xbar2l1tex_read_bytes.sum"]] },
  { x0: 370, x1: 480, y: 150, of: [["l1tex__m_l1tex2xbar_write_bytes.sum"]] },
  { x0: 690, x1: 590, y: 30, of: [aperture("sysmem", ["read_lookup_miss"]), aperture("sysmem", ["read"])] },
  {
    x0: 590,
    x1: 690,
    y: 60,
    of: [aperture("sysmem", ["write_lookup_miss", "red_lookup_miss"]), aperture("sysmem", ["write", "red", "atom"])],
  },
  { x0: 690, x1: 590, y: 136, of: [["dram__bytes_read.sum"]] },
  { x0: 590, x1: 690, y: 172, of: [["dram__bytes_write.sum"]] },
  { x0: 690, x1: 590, y: 250, of: [aperture("peer", ["read_lookup_miss"]), aperture("peer", ["read"])] },
  {
    x0: 590,
    x1: 690,
    y: 280,
    of: [aperture("peer", ["write_lookup_miss", "red_lookup_miss"]), aperture("peer", ["write", "red", "atom"])],
  },
];

const peak = ".pct_of_peak_sustained_elapsed";

// isMemoryChart reports whether a table has what the drawing shows.
export const isMemoryChart = (t: Table): boolean =>
  inRole(t, "metric") >= 0 &&
  ["l1tex__m_xbar2l1tex_read_bytes.sum", "dram__bytes_read.sum", "lts__t_sector_hit_rate.pct"].every(n =>
    t.rows.some(r => r[inRole(t, "metric")] === n),
  );

type Lookup = (name: string) => { value: number; unit: string; text: string } | undefined;

function lookup(t: Table): Lookup {
  const m = inRole(t, "metric"),
    v = inRole(t, "value");
  const rows = new Map(t.rows.map((r, i) => [r[m], i]));
  return name => {
    const i = rows.get(name);
    if (i === undefined || typeof t.rows[i][v] !== "number") return undefined;
    return {
      value: t.rows[i][v] as number,
      unit: unitOf(t, i, v),
      text: say(t.rows[i][v] as number, unitOf(t, i, v), 3),
    };
  };
}

// sum is a flow: what is there of the first of its lists of which anything is.
function sum(f: Flow, at: Lookup) {
  for (const names of f.of) {
    const found = names.flatMap(n => {
      const m = at(n);
      return m ? [{ ...m, n }] : [];
    });
    if (!found.length) continue;
    return {
      names: found.map(m => m.n),
      value: found.reduce((s, m) => s + m.value, 0),
      unit: found[0].unit,
      text: found.length === 1 ? found[0].text : "",
      share: Math.max(0, ...found.map(m => at(m.n + peak)?.value ?? 0)),
    };
  }
  return undefined;
}

const rollups = [
  ".avg.pct_of_peak_sustained_elapsed",
  ".sum.pct_of_peak_sustained_elapsed",
  ".avg.pct_of_peak_sustained_active",
];

// share is the part of its peak that a unit reaches, of the first of its metrics that is there.
function share(b: Box, at: Lookup, speed: Lookup) {
  for (const n of b.peak ?? [])
    for (const r of rollups) {
      const m = at(n + r) ?? speed(n + r);
      if (m) return { name: n + r, value: m.value };
    }
  return undefined;
}

// Memory draws units, shaded by their share of their peak, and what flows between them.
// speed has the metrics of other tables of the launch.
export function Memory({ table, bases, others }: { table: Table; bases: (Table | undefined)[]; others: Table[] }) {
  const at = lookup(table),
    old = bases.map(b => b && lookup(b)),
    more = others.map(lookup),
    speed: Lookup = n => more.map(l => l(n)).find(m => m);
  const busy = (b: Box) =>
    flows.some(
      f =>
        f.y >= b.y &&
        f.y <= b.y + b.h &&
        (f.x0 === b.x || f.x1 === b.x || f.x0 === b.x + b.w || f.x1 === b.x + b.w) &&
        sum(f, at)?.value,
    );
  return (
    <Figure title={table.title || "Memory chart"} what="units are shaded by their share of peak" name="memory-chart">
      <div class="memc">
        <svg
          role="img"
          aria-label="Memory chart: what flows between the memories"
          viewBox="0 0 806 308"
          class="memory"
          onMouseLeave={card.hide}
        >
          <defs>
            <marker
              id="tip"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerUnits="userSpaceOnUse"
              markerWidth="9"
              markerHeight="9"
              orient="auto"
            >
              <path d="M0 0L8 4L0 8Z" style={{ fill: "var(--accent)" }} />
            </marker>
          </defs>
          {boxes.map(b => {
            const p = share(b, at, speed),
              step = p && heat(p.value);
            return (
              <g
                key={b.name}
                class={"unit" + (busy(b) ? "" : " idle")}
                style={step !== undefined ? { "--f": `var(--h${step})` } : undefined}
              >
                <rect class="gd" x={b.x} y={b.y} width={b.w} height={b.h} rx="6" />
                <text class="n" x={b.x + b.w / 2} y={b.y + b.h / 2 + (b.lines || p ? -6 : 4)}>
                  {b.name}
                </text>
                {b.lines?.map(
                  ([label, name]) =>
                    at(name) && (
                      <Fact
                        key={name}
                        x={b.x + b.w / 2}
                        y={b.y + b.h / 2 + 12}
                        name={name}
                        label={label}
                        at={at}
                        old={old}
                      />
                    ),
                )}
                {p && (
                  <>
                    <text x={b.x + b.w / 2} y={b.y + b.h - 10}>{`${say(p.value, "%")} of peak`}</text>
                    <rect
                      class="fill"
                      x={b.x + 1}
                      y={b.y + b.h - 5}
                      width={((b.w - 2) * Math.min(100, p.value)) / 100}
                      height="4"
                      rx="2"
                    />
                  </>
                )}
              </g>
            );
          })}
          {flows.map((f, i) => (
            <Arrow key={i} flow={f} at={at} old={old} />
          ))}
        </svg>
      </div>
      <div class="hl" aria-hidden="true">
        <span>0 %</span>
        {[0, 1, 2, 3, 4, 5].map(h => (
          <i key={h} class={"h" + h} />
        ))}
        <span>100 % of peak</span>
      </div>
    </Figure>
  );
}

function Fact({
  x,
  y,
  name,
  label,
  at,
  old,
}: {
  x: number;
  y: number;
  name: string;
  label: string;
  at: Lookup;
  old: (Lookup | undefined)[];
}) {
  const m = at(name)!,
    then = old.map(o => o?.(name)?.value),
    note = (e: { currentTarget: Element }) =>
      card.show({ title: name, metric: name, lines: [["Raw value", `${m.value} ${m.unit}`]] }, e.currentTarget);
  return (
    <g tabIndex={0} role="img" aria-label={`${label} ${m.text}`} onMouseEnter={note} onFocus={note} onBlur={card.hide}>
      <text x={x} y={y}>
        {label}
      </text>
      <text x={x} y={y + 15}>
        {m.text}
      </text>
      <Was now={m.value} then={then} x={x} y={y + 28} unit={m.unit} />
    </g>
  );
}

function Arrow({ flow: f, at, old }: { flow: Flow; at: Lookup; old: (Lookup | undefined)[] }) {
  const s = sum(f, at),
    mid = (f.x0 + f.x1) / 2;
  if (!s) return null;
  const note = (e: { currentTarget: Element }) =>
    card.show(
      {
        title: s.names.length === 1 ? s.names[0] : `Sum of ${s.names.length} metrics`,
        metric: s.names.length === 1 ? s.names[0] : undefined,
        lines: [
          ["Raw value", `${s.value} ${s.unit}`],
          ["Of peak", s.share ? s.share.toFixed(1) + " %" : ""],
          ...(s.names.length > 1 ? s.names.map((n): [string, string] => [n, String(at(n)?.value)]) : []),
        ],
      },
      e.currentTarget,
    );
  const text = s.text || say(s.value, s.unit || "request", 3);
  return (
    <g
      tabIndex={0}
      role="img"
      aria-label={text}
      class={"flow" + (s.value ? "" : " idle")}
      onMouseEnter={note}
      onFocus={note}
      onBlur={card.hide}
    >
      <rect fill="transparent" x={Math.min(f.x0, f.x1)} y={f.y - 16} width={Math.abs(f.x1 - f.x0)} height="28" />
      <line
        style={s.value ? { strokeWidth: Math.max(1.25, Math.min(7, Math.log10(s.value + 1) / 1.8)) } : undefined}
        x1={f.x0}
        x2={f.x1 + (f.x1 > f.x0 ? -4 : 4)}
        y1={f.y}
        y2={f.y}
        marker-end={s.value ? "url(#tip)" : undefined}
      />
      <text x={mid} y={f.y - 7}>
        {s.value ? text : "0"}
      </text>
      <Was now={s.value} then={old.map(o => o && sum(f, o)?.value)} x={mid} y={f.y + 15} unit={s.unit} />
    </g>
  );
}

function Was({
  now,
  then,
  x,
  y,
  unit,
}: {
  now: number;
  then: (number | undefined)[];
  x: number;
  y: number;
  unit: string;
}) {
  const said = then.flatMap((t, i) => {
    if (t === undefined || t === now) return [];
    const d = relative(now, t, unit);
    return [(then.length > 1 ? mark(i) : "") + d.text + (d.unit ? " " + d.unit : "")];
  });
  return said.length ? (
    <text class="small" x={x} y={y}>
      {said.join(" ")}
    </text>
  ) : null;
}
