import { mark } from "./base";
import * as card from "./card";
import { Figure } from "./chart";
import { inRole, type Table, unitOf } from "./document";
import { change } from "./table";

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
  { name: "L1/TEX Cache", x: 260, y: 10, w: 110, h: 212, lines: [["hit rate", "l1tex__t_sector_hit_rate.pct"]] },
  { name: "Shared Memory", x: 260, y: 250, w: 110, h: 44 },
  { name: "L2 Cache", x: 480, y: 10, w: 110, h: 284, lines: [["hit rate", "lts__t_sector_hit_rate.pct"]] },
  { name: "System Memory", x: 690, y: 10, w: 106, h: 64 },
  { name: "Device Memory", x: 690, y: 120, w: 106, h: 64 },
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
    v = inRole(t, "value"),
    u = t.columns.findIndex(c => c.type === "unit");
  const rows = new Map(t.rows.map((r, i) => [r[m], i]));
  return name => {
    const i = rows.get(name);
    if (i === undefined || typeof t.rows[i][v] !== "number") return undefined;
    return {
      value: t.rows[i][v] as number,
      unit: unitOf(t, i, v),
      text: `${t.text[i][v]} ${t.text[i][u] ?? ""}`.trim(),
    };
  };
}

const brief = (v: number) => {
  const s = ["", "K", "M", "G", "T", "P"],
    k = v ? Math.max(0, Math.min(5, Math.floor(Math.log10(Math.abs(v)) / 3))) : 0;
  return Number((v / 1000 ** k).toPrecision(3)) + " " + s[k];
};

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

export function Memory({ table, bases }: { table: Table; bases: (Table | undefined)[] }) {
  const at = lookup(table),
    old = bases.map(b => b && lookup(b));
  return (
    <Figure title={table.title || "Memory Chart"} name="memory-chart">
      <svg
        role="img"
        aria-label="Memory chart: what flows between the memories"
        viewBox="0 0 800 312"
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
            markerWidth="10"
            markerHeight="10"
            orient="auto"
          >
            <path class="tip" d="M0 0L8 4L0 8Z" />
          </marker>
        </defs>
        {boxes.map(b => (
          <g key={b.name}>
            <rect class="box" x={b.x} y={b.y} width={b.w} height={b.h} rx="4" />
            <text x={b.x + b.w / 2} y={b.y + b.h / 2 + (b.lines ? -6 : 4)} text-anchor="middle">
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
          </g>
        ))}
        {flows.map((f, i) => (
          <Arrow key={i} flow={f} at={at} old={old} />
        ))}
      </svg>
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
    then = old.map(o => o?.(name)?.value);
  return (
    <g
      tabIndex={0}
      onMouseEnter={e =>
        card.show({ title: name, metric: name, lines: [["Raw value", `${m.value} ${m.unit}`]] }, e.currentTarget)
      }
    >
      <text x={x} y={y} text-anchor="middle">
        {label}
      </text>
      <text x={x} y={y + 15} text-anchor="middle">
        {m.text}
      </text>
      <Was now={m.value} then={then} x={x} y={y + 28} />
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
          ["Of peak", s.share.toFixed(1) + " %"],
          ...(s.names.length > 1 ? s.names.map((n): [string, string] => [n, String(at(n)?.value)]) : []),
        ],
      },
      e.currentTarget,
    );
  return (
    <g tabIndex={0} onMouseEnter={note} onFocus={note} onBlur={card.hide}>
      <rect class="ground" x={Math.min(f.x0, f.x1)} y={f.y - 16} width={Math.abs(f.x1 - f.x0)} height="28" />
      <line
        class={"flow" + (s.value ? "" : " none")}
        style={s.value ? { strokeWidth: 1.5 + 6 * Math.min(1, s.share / 100) } : undefined}
        x1={f.x0}
        x2={f.x1 + (f.x1 > f.x0 ? -4 : 4)}
        y1={f.y}
        y2={f.y}
        marker-end="url(#tip)"
      />
      <text x={mid} y={f.y - 8} text-anchor="middle">
        {s.text || `${brief(s.value)}${s.unit || "req"}`}
      </text>
      <Was now={s.value} then={old.map(o => o && sum(f, o)?.value)} x={mid} y={f.y + 14} />
    </g>
  );
}

function Was({ now, then, x, y }: { now: number; then: (number | undefined)[]; x: number; y: number }) {
  const said = then.flatMap((t, i) => {
    const d = change(now, t);
    return d ? [(then.length > 1 ? mark(i) : "") + (d.share || d.text)] : [];
  });
  return said.length ? (
    <text class="small" x={x} y={y} text-anchor="middle">
      {said.join(" ")}
    </text>
  ) : null;
}
