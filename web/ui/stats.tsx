import { useMemo, useState } from "preact/hooks";
import * as api from "./api";
import { inRole, type Section, type Table } from "./document";
import { Said } from "./said";
import { Drawn } from "./chart";
import { Icon } from "./icon";
import { clean, kind, kindNames } from "./names";
import { count, num, say } from "./num";
import { Alert, Busy, Note, Seg, To } from "./parts";
import { set } from "./state";
import { Grid } from "./table";
import { useAsk, useDoc, type View } from "./use";

// What the reports are about, by their titles: host or GPU.
const host =
  /API|NVTX|OS Runtime|MPI|File|Callchain|Call Chain|Stack|OpenMP|OpenACC|DX|Vulkan|Page Fault|Payload|WDDM|Network/i;
// plainTitle leaves out what all of them are called.
export const plainTitle = (t: string): string =>
  clean(t)
    .replace(/^CUDA (?=GPU|Kernel|API)/, "")
    .replace(/ Summary\b/, "")
    .replace(/^GPU Kernel$/, "Kernels")
    .replace(/^GPU Kernel \//, "Kernels by ")
    .replace(/^Kernel Launch & Exec Time$/, "Launch to kernel")
    .replace(/^GPU MemOps/, "Copies and sets")
    .replace(/^API$/, "CUDA API");

// total is what the outline says of a report: the sum of its times, else its rows.
function total(t: Table): string {
  const c = inRole(t, "total") >= 0 ? inRole(t, "total") : -1;
  if (c >= 0 && t.columns[c].unit === "ns")
    return say(
      t.rows.reduce((s, r) => s + (Number(r[c]) || 0), 0),
      "ns",
    );
  return count(t.rows.length);
}

// words says in a rule's text what its identifiers are called.
export const words = (text: string, titles: Map<string, string>): string =>
  text.replace(/ ?\(:\w+\)/g, "").replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, w => titles.get(w) ?? w);

// Stats answers how much of each: the reports at the left, the one chosen at the right.
export function Stats({ v }: { v: View }) {
  const chosen = v.state.ask?.split(":")[0] ?? "",
    [find, setFind] = useState("");
  const sums = useDoc(v, "stats"),
    checks = useAsk(JSON.stringify(["checks", v.file.id, v.revision]), () =>
      api.page("analyze", v.file.id).catch(() => null),
    ),
    list = useAsk("reports", () => api.reports());
  const titles = useMemo(() => new Map((list.got ?? []).map(r => [r.name, clean(r.title)])), [list.got]);
  const there = [...(sums.got?.doc.sections ?? []), ...(checks.got?.sections ?? [])],
    first = there.find(s => s.tables.some(t => inRole(t, "kernel") >= 0 && t.rows.length))?.id ?? there[0]?.id ?? "";
  const name = chosen || first,
    own = there.find(s => s.id === name),
    far = useDoc(v, "stats", name && (!own || v.state.base) && !api.saved ? { report: v.state.ask || name } : {});
  if (sums.error) return <Alert title="The reports cannot be made.">{sums.error}</Alert>;
  if (!sums.got) return <Busy what="Adding up the timeline" />;
  const section = own && !v.state.base ? own : (far.got?.doc.sections.find(s => s.id === name || !own) ?? own),
    bases = far.got?.bases.map(b => b?.sections[0]) ?? [];
  const link = (s: { id: string; title: string }, right: string, dot = "", off = false) =>
    !find || (s.title + s.id).toLowerCase().includes(find.toLowerCase()) ? (
      <li key={s.id}>
        <To
          to={{ ask: s.id, filter: "" }}
          class={off ? "off" : ""}
          aria-current={name === s.id ? "true" : undefined}
          title={clean(s.title)}
        >
          {dot && <i class={"d " + dot} />}
          <span>{plainTitle(s.title)}</span>
          <b>{right}</b>
        </To>
      </li>
    ) : null;
  const found = (checks.got?.sections ?? []).filter(s => s.tables.some(t => t.rows.length)),
    none = (checks.got?.sections ?? []).filter(s => !found.includes(s)),
    full = sums.got.doc.sections.filter(s => s.tables.some(t => t.rows.length)),
    rest = (list.got ?? []).filter(r => !there.some(s => s.id === r.name));
  return (
    <div class="side" id="page" data-page="stats">
      <nav class="outline" aria-label="Reports">
        <label class="inp">
          <Icon name="list-filter" size="s" />
          <input
            type="search"
            aria-label="Find a report"
            placeholder="Find a report"
            value={find}
            onInput={e => setFind(e.currentTarget.value)}
          />
        </label>
        <ol id="reports">
          <li class="g">Time</li>
          {full.filter(s => !host.test(s.title)).map(s => link(s, total(s.tables[0])))}
          <li class="g">Host</li>
          {full.filter(s => host.test(s.title)).map(s => link(s, total(s.tables[0])))}
          {found.length > 0 && <li class="g">Findings</li>}
          {found.map(s =>
            link(
              s,
              count(s.tables[0]?.rows.length ?? 0),
              s.messages.some(m => m.type === "optimization" || m.type === "warning") ? "bad" : "warn",
            ),
          )}
          {rest.length > 0 && <li class="g">More</li>}
          {rest.filter(r => !r.rule).map(r => link({ id: r.name, title: r.title }, ""))}
          {none.length > 0 && <li class="g">Nothing found</li>}
          {none.map(s => link(s, "0", "", true))}
        </ol>
      </nav>
      {!section ? (
        far.error ? (
          <Alert title="This report cannot be made.">{far.error}</Alert>
        ) : (
          <Busy what="Adding up" />
        )
      ) : (
        <Report key={name} v={v} s={section} bases={bases} titles={titles} stale={sums.busy} />
      )}
    </div>
  );
}

type By = "name" | "category";

function Report({
  v,
  s,
  bases,
  titles,
  stale,
}: {
  v: View;
  s: Section;
  bases: (Section | undefined)[];
  titles: Map<string, string>;
  stale: boolean;
}) {
  const [by, setBy] = useState<By>("name"),
    t = s.tables[0],
    name = t ? nameOf(t) : -1,
    total = t ? inRole(t, "total") : -1,
    kernels = t && inRole(t, "kernel") >= 0 && total >= 0;
  const only = v.state.kind ? Number(v.state.kind) : 0;
  const kinds = useMemo(() => {
    if (!kernels) return [];
    const sums = new Map<number, number>();
    for (const r of t.rows) {
      const k = kind(String(r[name]));
      sums.set(k, (sums.get(k) ?? 0) + (Number(r[total]) || 0));
    }
    return [...sums].sort((a, b) => b[1] - a[1]);
  }, [t]);
  if (!t)
    return (
      <div class="body">
        <Head s={s} what="" />
        {s.messages.map((m, i) => (
          <Said key={i} m={{ ...m, text: words(m.text, titles) }} duration={0} all={s} />
        ))}
        {!s.messages.length && <Note title="There is nothing to report" />}
      </div>
    );
  const all = total >= 0 ? t.rows.reduce((n, r) => n + (Number(r[total]) || 0), 0) : 0,
    often = inRole(t, "count"),
    n = often >= 0 ? t.rows.reduce((n, r) => n + (Number(r[often]) || 0), 0) : 0,
    unit = total >= 0 ? t.columns[total].unit : "";
  const what = [
    total >= 0 && unit ? say(all, unit) : "",
    n ? `${count(n)} ${kernels ? "launches" : "times"}` : "",
    `${count(t.rows.length)} ${t.rows.length === 1 ? "row" : kernels ? "kernels" : "rows"}`,
  ]
    .filter(Boolean)
    .join(" · ");
  const shown = only && kernels ? filtered(t, r => kind(String(r[name])) === only) : t;
  const table = by === "category" && kernels ? byCategory(t, name, total, all) : shown;
  return (
    <div class={"body" + (stale ? " stale" : "")}>
      <Head s={s} what={what}>
        {kernels && (
          <Seg
            label="Grouping"
            value={by}
            options={[
              ["name", "By name"],
              ["category", "By category"],
            ]}
            pick={setBy}
          />
        )}
        {kernels && !api.saved && (
          <To to={{ ask: "nvtx_gpu_proj_sum", filter: "" }} class="btn">
            By NVTX range
          </To>
        )}
      </Head>
      <div>
        {s.messages.map((m, i) => (
          <Said key={i} m={{ ...m, text: words(m.text, titles) }} duration={0} all={s} />
        ))}
        {kinds.length > 1 && (
          <section class="card">
            <header>
              <h2>Share of kernel time</h2>
              <span class="sub">by category, guessed from the names; click to filter</span>
            </header>
            <div class="pad">
              <div class="stk">
                {kinds.map(([k, v]) => (
                  <span
                    key={k}
                    class={"k" + k}
                    style={{ width: (100 * v) / (all || 1) + "%" }}
                    title={`${kindNames[k]} ${say(v, "ns")}`}
                  />
                ))}
              </div>
              <div class="lg">
                {kinds.map(([k, x]) => (
                  <button
                    key={k}
                    aria-pressed={!only || only === k}
                    onClick={() => set({ kind: only === k ? "" : String(k) }, false)}
                  >
                    <i class={"k" + k} /> {kindNames[k]} <b>{num(x, "ns", 3).text}</b> {num(x, "ns", 3).unit}{" "}
                    {say((100 * x) / (all || 1), "%")}
                  </button>
                ))}
              </div>
            </div>
          </section>
        )}
        {t.columns[0]?.role === "share" && !kernels && name >= 0 && t.rows.length > 1 && t.rows.length <= 12 && (
          <Shares t={t} name={name} />
        )}
      </div>
      <div class="card tcard">
        <Grid
          table={table}
          id={s.id}
          find
          fill
          spread
          title=""
          sub=""
          bases={bases.map(b => b?.tables.find(o => o.id === t.id))}
          only={c => c !== "style"}
          totals={["total", "count", "share"]}
          colour={
            by === "category"
              ? r => Number(table.rows[r][table.columns.length - 1])
              : kernels
                ? r => kind(String(table.rows[r][name]))
                : undefined
          }
        />
        {s.tables.slice(1).map((x, i) => (
          <Grid key={i} table={x} id={`${s.id}.${i + 1}`} />
        ))}
        {s.charts.map((c, i) => (
          <Drawn key={i} chart={c} bases={[]} id={`${s.id}.c${i}`} />
        ))}
      </div>
    </div>
  );
}

const nameOf = (t: Table): number =>
  t.columns.findIndex(c => ["kernel", "nvtx", "operation", "function"].includes(c.role ?? ""));

function Shares({ t, name }: { t: Table; name: number }) {
  const pick = <T,>(r: T[]): T[] => [r[name], r[0]];
  return (
    <Drawn
      plain
      bases={[]}
      id={t.id + ".s"}
      chart={{
        ...t,
        title: "Share of time",
        kind: "bar",
        x: { label: "" },
        y: { label: "", max: 100 },
        columns: pick(t.columns),
        labels: pick(t.labels),
        rows: t.rows.map(pick),
        text: t.text.map(pick),
      }}
    />
  );
}

function filtered(t: Table, keep: (r: Table["rows"][0]) => boolean): Table {
  const at = t.rows.map((_, i) => i).filter(i => keep(t.rows[i]));
  return { ...t, rows: at.map(i => t.rows[i]), text: at.map(i => t.text[i]) };
}

function byCategory(t: Table, name: number, total: number, all: number): Table {
  const count = inRole(t, "count"),
    by = new Map<number, [number, number, number]>();
  for (const r of t.rows) {
    const k = kind(String(r[name])),
      v = by.get(k) ?? [0, 0, 0];
    by.set(k, [v[0] + (Number(r[total]) || 0), v[1] + (Number(r[count]) || 0), v[2] + 1]);
  }
  const rows = [...by]
    .sort((a, b) => b[1][0] - a[1][0])
    .map(([k, v]) => [kindNames[k], v[0], (100 * v[0]) / (all || 1), v[1], v[2], k]);
  const c = (name: string, unit: string, type: string, role?: string) => ({ name, unit, type, role });
  return {
    id: t.id + "-category",
    title: "",
    columns: [
      c("category", "", "string"),
      c("total", "ns", "number", "total"),
      c("share", "%", "number", "share"),
      c("launches", "", "number", "count"),
      c("kernels", "", "number"),
      c("colour", "", "number"),
    ],
    labels: ["Category", "Total", "Share", "Launches", "Kernels", null],
    rows,
    text: rows.map(r => r.map(String)),
  };
}

function Head({ s, what, children }: { s: Section; what: string; children?: preact.ComponentChildren }) {
  return (
    <div class="hd">
      <div>
        <h1>{plainTitle(s.title)}</h1>
        <p class="sec">{what || clean(s.description)}</p>
      </div>
      <span class="grow" />
      {children}
    </div>
  );
}
