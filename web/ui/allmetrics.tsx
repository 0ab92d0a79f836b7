import { useMemo, useState } from "preact/hooks";
import { column, inRole, type Table, unitOf } from "./document";
import { Icon } from "./icon";
import { Alert, Busy, Note } from "./parts";
import { points } from "./series";
import { set, useAddress } from "./state";
import { FilterField, formers } from "./table";
import { raw, num, relative } from "./num";
import { Difference } from "./parts";
import { clean } from "./names";
import * as card from "./card";
import { useDoc, type View } from "./use";

// What the units are called that metrics begin with.
const units: Record<string, string> = {
  dram: "Device memory",
  fbpa: "Memory controllers",
  lts: "L2 slices",
  ltc: "L2",
  l1tex: "L1 and texture",
  sm: "Multiprocessors",
  smsp: "Schedulers",
  gpc: "GPCs",
  gpu: "GPU",
  launch: "Launch",
  device: "Device",
  idc: "Constants",
  sys: "System",
  pcie: "PCIe",
  nvlrx: "NVLink in",
  nvltx: "NVLink out",
  numa: "NUMA",
  memory: "Memory of the source",
  inst: "Instructions",
  smsp__pcsamp: "Samples",
  sass: "SASS",
  derived: "Derived",
  breakdown: "Breakdowns",
  group: "Groups",
  pmsampling: "Samples over time",
  profiler: "Profiler",
};
const unitName = (m: string): string =>
  m.split(":")[0].includes("__")
    ? (m.split("__")[0].split(":").pop() ?? "")
    : m.includes(":")
      ? m.split(":")[0]
      : m.split("_")[0];

// AllMetrics is one table of everything that was measured of a launch.
export function AllMetrics({ v }: { v: View }) {
  const known = v.launches !== null || v.state.launch !== undefined,
    { got, error, busy } = useDoc(v, "raw", {}, known ? v.launch : 0);
  if (error) return <Alert title="The metrics cannot be listed.">{error}</Alert>;
  const t = got?.doc.sections[0]?.tables.find(t => t.id === "metrics") ?? got?.doc.sections[0]?.tables[0];
  if (!got || !known) return <Busy what="Reading the metrics" />;
  if (!t) return <Note title="No metric was measured of this launch" />;
  return (
    <Table_
      t={t}
      bases={got.bases.map(b => b?.sections[0]?.tables.find(o => o.id === t.id) ?? b?.sections[0]?.tables[0])}
      stale={busy}
    />
  );
}

const high = 24;

function Table_({ t, bases, stale }: { t: Table; bases: (Table | undefined)[]; stale: boolean }) {
  const state = useAddress(),
    [top, scroll] = useState(0),
    [open, setOpen] = useState<string>(""),
    m = inRole(t, "metric"),
    val = inRole(t, "value"),
    inst = column(t, "instances"),
    former = useMemo(() => formers(t, bases), [t, ...bases]);
  const groups = useMemo(() => {
    const g = new Map<string, number>();
    for (const r of t.rows) g.set(unitName(String(r[m])), (g.get(unitName(String(r[m]))) ?? 0) + 1);
    return [...g].sort((a, b) => b[1] - a[1]);
  }, [t]);
  const pins = (state.pinned ?? "").split(",").filter(Boolean),
    want = (state.filter ?? "").toLowerCase();
  let re: RegExp | null = null;
  try {
    re = want ? new RegExp(want, "i") : null;
  } catch {
    re = null;
  }
  const rows = useMemo(() => {
    const all = t.rows
      .map((_, i) => i)
      .filter(i => {
        const n = String(t.rows[i][m]);
        return (
          (!state.unit || unitName(n) === state.unit) && (!want || (re ? re.test(n) : n.toLowerCase().includes(want)))
        );
      });
    const up = all.filter(i => pins.includes(String(t.rows[i][m])));
    return [...up, ...all.filter(i => !up.includes(i))];
  }, [t, state.unit, want, state.pinned]);
  const from = Math.max(0, Math.min(Math.floor(top / high) - 10, rows.length - 80)),
    to = Math.min(rows.length, from + 80);
  const note = (i: number, e: { currentTarget: Element }) =>
    card.show(
      {
        title: String(t.rows[i][m]),
        metric: String(t.rows[i][m]),
        lines: [["Raw value", raw(t.rows[i][val], unitOf(t, i, val))]],
      },
      e.currentTarget,
    );
  return (
    <div class={"side" + (stale ? " stale" : "")} id="page" data-page="raw" style={{ height: "100%" }}>
      <nav class="outline" aria-label="Units">
        <ol>
          <li>
            <a
              href="#"
              aria-current={!state.unit ? "true" : undefined}
              onClick={e => (e.preventDefault(), set({ unit: "" }, false))}
            >
              <span>All</span>
              <b>{t.rows.length}</b>
            </a>
          </li>
          {groups.map(([g, n]) => (
            <li key={g}>
              <a
                href="#"
                aria-current={state.unit === g ? "true" : undefined}
                title={units[g]}
                onClick={e => (e.preventDefault(), set({ unit: g }, false))}
              >
                <span>
                  <span class="mono">{g}</span> <span class="mut">{units[g] ?? ""}</span>
                </span>
                <b>{n}</b>
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <div class="body">
        <div class="hd">
          <div>
            <h1>Metrics</h1>
            <p class="sec">
              {rows.length} of {t.rows.length}
              {pins.length > 0 && `, ${pins.length} pinned`}
            </p>
          </div>
          <span class="grow" />
          <FilterField label="Filter metrics" />
        </div>
        <div />
        <div class="card tcard">
          <figure class="grid fill bare" data-grid="metrics">
            <figcaption />
            <div
              class="scroll"
              tabIndex={0}
              role="group"
              aria-label="Metrics"
              onScroll={e => scroll(e.currentTarget.scrollTop)}
            >
              <table aria-rowcount={rows.length + 1}>
                <thead>
                  <tr>
                    <th scope="col">Metric</th>
                    <th scope="col" class="number">
                      Value
                    </th>
                    <th scope="col">Unit</th>
                    {former.map((_, k) => (
                      <>
                        <th scope="col" class="number">
                          <span class="bk">{k + 1}</span>
                        </th>
                        <th scope="col" class="number">
                          Change
                        </th>
                      </>
                    ))}
                    <th scope="col">Instances</th>
                  </tr>
                </thead>
                <tbody>
                  {from > 0 && <tr style={{ height: from * high + "px" }} />}
                  {rows.slice(from, to).map((i, k) => {
                    const r = t.rows[i],
                      name = String(r[m]),
                      unit = unitOf(t, i, val),
                      n = typeof r[val] === "number" ? num(r[val] as number, unit, 5) : null,
                      ps = inst >= 0 ? points(r[inst]) : [],
                      pinned = pins.includes(name);
                    return (
                      <>
                        <tr key={i} aria-rowindex={from + k + 2} data-metric={name} style={{ "--row": high + "px" }}>
                          <td>
                            <button
                              class="ib pinb"
                              aria-label={(pinned ? "Unpin " : "Pin ") + name}
                              aria-pressed={pinned}
                              onClick={() =>
                                set(
                                  { pinned: (pinned ? pins.filter(p => p !== name) : [...pins, name]).join(",") },
                                  false,
                                )
                              }
                            >
                              <Icon name="pin" size="xs" />
                            </button>
                            <span
                              class="mono"
                              tabIndex={0}
                              onMouseEnter={e => note(i, e)}
                              onMouseLeave={card.hide}
                              onFocus={e => note(i, e)}
                              onBlur={card.hide}
                            >
                              {clean(name)}
                            </span>
                          </td>
                          <td class="number" data-raw={raw(r[val], unit)} title={raw(r[val], unit)}>
                            {n ? n.text : <span class="val">{clean(t.text[i][val] ?? "")}</span>}
                          </td>
                          <td class="mut">{n ? n.unit : ""}</td>
                          {former.map(f => {
                            const then = f(i)?.[val];
                            return (
                              <>
                                <td class="number sec">
                                  {typeof then === "number" ? (
                                    num(then, unit, 5).text + " " + num(then, unit, 5).unit
                                  ) : then === null || then === undefined ? (
                                    <span title="not measured there">–</span>
                                  ) : (
                                    clean(String(then))
                                  )}
                                </td>
                                <td class="number">
                                  {typeof then === "number" && typeof r[val] === "number" ? (
                                    <Difference
                                      d={relative(r[val] as number, then, unit, name)}
                                      title={"baseline " + then}
                                    />
                                  ) : (
                                    ""
                                  )}
                                </td>
                              </>
                            );
                          })}
                          <td>
                            {ps.length > 1 && (
                              <button
                                class="chip"
                                aria-expanded={open === name}
                                onClick={() => setOpen(open === name ? "" : name)}
                              >
                                {ps.length} <Bars ps={ps.map(p => p.value)} />
                              </button>
                            )}
                          </td>
                        </tr>
                        {open === name && (
                          <tr key={"o" + i}>
                            <td colSpan={4 + 2 * former.length} class="inst">
                              {(r[inst] as unknown[][]).slice(0, 200).map((p, j) => (
                                <span key={j} class="chip">
                                  {clean(String(p[0] ?? j))} <b>{clean(String(p[1]))}</b>
                                </span>
                              ))}
                              {(r[inst] as unknown[][]).length > 200 &&
                                ` and ${(r[inst] as unknown[][]).length - 200} more`}
                            </td>
                          </tr>
                        )}
                      </>
                    );
                  })}
                  {to < rows.length && <tr style={{ height: (rows.length - to) * high + "px" }} />}
                </tbody>
              </table>
              {!rows.length && (
                <p class="empty">
                  No metric matches.{" "}
                  <button class="btn" onClick={() => set({ filter: "", unit: "" }, false)}>
                    Clear the filter
                  </button>
                </p>
              )}
            </div>
          </figure>
        </div>
      </div>
    </div>
  );
}

// Bars is a small histogram of values.
function Bars({ ps }: { ps: number[] }) {
  const low = ps.reduce((m, v) => Math.min(m, v), Infinity),
    high = ps.reduce((m, v) => Math.max(m, v), -Infinity),
    n = 10,
    bins = new Array<number>(n).fill(0);
  for (const v of ps) bins[Math.min(n - 1, Math.floor(((v - low) / (high - low || 1)) * n))]++;
  const most = Math.max(...bins);
  return (
    <svg width="40" height="12" aria-hidden="true">
      {bins.map((b, i) => (
        <rect
          key={i}
          x={i * 4}
          width="3"
          y={12 - (12 * b) / most}
          height={(12 * b) / most}
          style={{ fill: "var(--edge)" }}
        />
      ))}
    </svg>
  );
}
