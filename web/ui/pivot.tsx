import { type Cell, inRole, type Table } from "./document";

// Memory tables come as long lists of metrics, whose names say what is counted and
// for whom: l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum. A pivot lays them out
// with a row for each of whom and a column for each of what.

interface Part {
  what: string;
  whom: string;
}

const words: [RegExp, string][] = [
  [/^t_|^data_|^sass_|^lsu_/, ""],
  [/^m_xbar2l1tex_read_/, "from L2: "],
  [/^m_l1tex2xbar_write_/, "to L2: "],
  [/^sass_l1tex_/, ""],
  [/^pipe_lsu_/, ""],
  [/_pipe_(lsu|tex)/, ""],
  [/^sector$/, "sector"],
  [/^inst_executed$/, "instructions"],
  [/_/g, " "],
];
const plain = (s: string) => words.reduce((t, [from, to]) => t.replace(from, to), s).trim();
const ops: Record<string, string> = {
  ld: "loads",
  st: "stores",
  atom: "atomics",
  red: "reductions",
  ldgsts: "asynchronous copies",
  ldsm: "matrix loads",
  lg: "local and global",
  lgds: "local, global and shared",
  tex: "from L1",
  ltcfabric: "from the L2 fabric",
  device: "device memory",
  sysmem: "system memory",
  peer: "peer memory",
  alu: "arithmetic",
  cas: "compare and swap",
};

// split takes a name apart, or is null where it tells no whom.
function split(name: string): Part | null {
  const m =
    /^[a-z0-9]+__(\w+?)(?:_(mem_\w+|srcunit_\w+|aperture_\w+|op_\w+|lookup_\w+|read|write))?\.(\w+)(?:\.(\w+))?$/.exec(
      name,
    );
  if (!m || (!m[2] && !m[4] && m[3] !== "sum")) return null;
  const [, what, whom = "", rollup, sub = ""] = m,
    state = /_?(lookup_hit|lookup_miss|hit_rate)$/.exec(whom);
  const rest = (state ? whom.slice(0, state.index) : whom)
    .replace(/^(mem|op)_|^srcunit_/, "")
    .replaceAll("_aperture_", "_to_")
    .replace(/^aperture_/, "to_")
    .replaceAll("_op_", "_")
    .replaceAll("_dot_", "_");
  const subject = rest
    .split("_")
    .map(w => ops[w] ?? w)
    .join(" ");
  if (sub.startsWith("peak_") || sub.startsWith("per_cycle_")) return { what: "", whom: "" }; // of the unit, not of the launch
  const unit = sub.startsWith("pct_")
    ? " % of peak"
    : sub === "per_second"
      ? " per second"
      : sub && " " + sub.replaceAll("_", " ");
  const counted =
    plain(what) +
    (state ? { lookup_hit: " that hit", lookup_miss: " that missed", hit_rate: " hit rate (%)" }[state[1]] : "");
  return {
    what: counted + (rollup === "sum" || rollup === "pct" || sub.startsWith("pct_") ? "" : " " + rollup) + unit,
    whom: subject || "all",
  };
}

// pivot lays a table of metrics out, or is null where that makes it no smaller.
export function pivot(t: Table): Table | null {
  const m = inRole(t, "metric"),
    v = inRole(t, "value"),
    u = t.columns.findIndex(c => c.type === "unit"),
    l = inRole(t, "label");
  if (m < 0 || v < 0 || t.rows.length < 12 || (l >= 0 && t.rows.some(r => r[l] !== r[m]))) return null; // it has labels to read
  const rows = new Map<string, Map<string, number>>(),
    whats: string[] = [];
  let left = 0; // for which there is no place
  t.rows.forEach((r, i) => {
    const p = split(String(r[m]));
    if (!p || typeof r[v] !== "number") return;
    if (!p.what) {
      left++;
      return;
    }
    if (!whats.includes(p.what)) whats.push(p.what);
    if (!rows.has(p.whom)) rows.set(p.whom, new Map());
    rows.get(p.whom)!.set(p.what, i);
  });
  const cells = [...rows.values()].reduce((n, r) => n + r.size, 0);
  const told = (w: string) => [...rows.values()].filter(r => r.has(w) && t.rows[r.get(w)!][v] !== 0).length;
  const shown = whats.filter(told).sort((a, b) => told(b) - told(a));
  if (rows.size < 3 || shown.length < 2 || cells < (t.rows.length - left) * 0.7) return null;
  const of = <T,>(whom: string, what: string, at: (i: number) => T, none: T): T => {
    const i = rows.get(whom)!.get(what);
    return i === undefined ? none : at(i);
  };
  const names = [...rows.keys()].filter(w => shown.some(s => of(w, s, i => t.rows[i][v] !== 0, false)));
  if (names.length < 2) return null;
  return {
    ...t,
    id: t.id + "-by-kind",
    title: t.title + ", by kind",
    columns: [{ name: "kind", unit: "", type: "string" }, ...shown.map(w => ({ name: w, unit: "", type: "number" }))],
    labels: ["", ...shown],
    rows: names.map(n => [n, ...shown.map(w => of<Cell>(n, w, i => t.rows[i][v], null))]),
    text: names.map(n => [
      n,
      ...shown.map(w =>
        of(
          n,
          w,
          i => {
            const unit = t.text[i][u] ?? "";
            return t.text[i][v] + (/^[KMGTP]?byte|bit/.test(unit) ? " " + unit : "");
          },
          "",
        ),
      ),
    ]),
  };
}
