import { useMemo, useState } from "preact/hooks";
import * as api from "./api";
import { column, inRole, type Section, type Table } from "./document";
import { Evidence } from "./said";
import { findings, type Finding, firstSentences, messages, metricOf, titled } from "./finding";
import { Icon } from "./icon";
import { base, clean, kernel } from "./names";
import { group, heat, num, say, step, time } from "./num";
import { Alert, Busy, Note, Seg, To, Value } from "./parts";
import { set, type State } from "./state";
import { Grid } from "./table";
import { useAsk, useDoc, type View } from "./use";

// What each unit of a GPU is called for short, by the beginning of its metrics.
const units: [RegExp, string][] = [
  [/^(dram|fbpa)__/, "DRAM"],
  [/^(lts|ltc)__/, "L2"],
  [/^l1tex__/, "L1/TEX"],
  [/^(sm|smsp)__/, "SM"],
];
const unitOf = (metric: string): string => units.find(x => x[0].test(metric))?.[1] ?? metric.replace(/__.*$/, "");

interface Kernel {
  full: string;
  launches: api.Launch[];
  time: number;
}

// Overview answers where the time went, and what to do first.
export function Overview({ v }: { v: View }) {
  const wide = v.state.scope === "all",
    ids = wide
      ? v.files
          .filter(f => api.holds(f, "launches") && !f.error)
          .map(f => f.id)
          .join(",")
      : v.file.id;
  const { got, error, busy } = useDoc(
    v,
    "summary",
    v.state.apply ? { "apply-rules": "yes" } : {},
    undefined,
    v.file.id,
  );
  if (error) return <Alert title="The launches cannot be listed.">{error}</Alert>;
  if (!got || v.launches === null) return <Busy what="Reading the launches" />;
  if (!v.launches.length)
    return (
      <Note title="There is no launch in this report">A launch is recorded when a kernel runs under the profiler.</Note>
    );
  const found = findings(got.doc);
  return (
    <div class={"wrap" + (busy ? " stale" : "")} id="page" data-page="overview">
      <Board
        v={v}
        found={found}
        summary={got.doc.sections.find(s => s.id === "launches")!.tables[0]}
        times={got.doc.sections.find(s => s.id === "kernels")?.tables[0]}
        bases={got.bases.map(
          b => b?.sections.find(s => s.tables[0]?.columns.some(c => c.name === "duration"))?.tables[0],
        )}
        ids={ids}
        wide={wide}
        notes={got.doc.notes ?? []}
      />
    </div>
  );
}

function kernels(ls: api.Launch[]): Kernel[] {
  const by = new Map<string, Kernel>();
  for (const l of ls) {
    if (!by.has(l.kernel)) by.set(l.kernel, { full: l.kernel, launches: [], time: 0 });
    const k = by.get(l.kernel)!;
    k.launches.push(l);
    k.time += l.duration;
  }
  return [...by.values()].sort((a, b) => b.time - a.time);
}

function Board({
  v,
  found,
  summary,
  times,
  bases,
  ids,
  wide,
  notes,
}: {
  v: View;
  found: Finding[];
  summary: Table;
  times?: Table; // what each kernel took and what bounds it; none where no time was measured
  bases: (Table | undefined)[];
  ids: string;
  wide: boolean;
  notes: string[];
}) {
  const ls = v.launches!,
    ks = useMemo(() => kernels(ls), [ls]),
    total = ks.reduce((s, k) => s + k.time, 0),
    top = ks.find(k => k.full === v.state.kernel) ?? ks[0],
    row = times?.rows.find(r => r[inRole(times, "kernel")] === top.full),
    of = (name: string) => row?.[column(times!, name)],
    worst =
      top.launches.find(l => row && l.number === row[inRole(times!, "launch")]) ??
      top.launches.reduce((m, l) => (l.duration > m.duration ? l : m));
  const [mem, comp] = ["memory", "compute"].map(n => (typeof of(n) === "number" ? (of(n) as number) : undefined)),
    bound = String(of("bound") ?? "");
  const detail = useAsk(JSON.stringify(["details", v.file.id, worst.number, v.revision, v.state.apply ?? ""]), () =>
      api.page(
        "details",
        v.file.id,
        { "print-details": "all", ...(v.state.apply ? { "apply-rules": "yes" } : {}) },
        worst.number,
      ),
    ),
    device = useAsk(JSON.stringify(["session", v.file.id, v.revision]), () => api.page("session", v.file.id));
  const d = detail.got?.sections[0],
    parts = d ? throughput(d) : null;
  const best = found.find(f => f.saved > 0);
  return (
    <>
      <section class="verdict">
        <div>
          <p class="eyebrow">Overview</p>
          <h1>
            <To to={{ page: "details", launch: String(worst.number) }} title={clean(top.full)}>
              <code>{kernel(top.full).name}</code>
            </To>{" "}
            takes <b>{total > 0 ? say((100 * top.time) / total, "%") : "all"}</b> of the GPU time
            {bound === "latency" ? (
              <>
                {" "}
                and waits: <b>latency</b> bounds it.
              </>
            ) : bound ? (
              <>
                {" "}
                and is bound by <b>{bound}</b>.
              </>
            ) : (
              "."
            )}
          </h1>
          <p class="sec">
            {mem !== undefined && comp !== undefined && (
              <>
                It runs at{" "}
                <Go
                  metric="gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
                  launch={worst.number}
                  text={`${say(mem, "%")} of the ${parts?.memory[0] ? unitOf(parts.memory[0].metric) : "memory"} peak`}
                />{" "}
                and{" "}
                <Go
                  metric="sm__throughput.avg.pct_of_peak_sustained_elapsed"
                  launch={worst.number}
                  text={`${say(comp, "%")} of the ${parts?.compute[0] ? pipe(parts.compute[0].label) : "compute"} peak`}
                />
                .{" "}
              </>
            )}
            {best && `${best.title}${best.kernel === top.full ? "" : ` in ${kernel(best.kernel).name}`} costs most.`}
          </p>
        </div>
        <dl class="facts">
          <div>
            <dt>GPU time</dt>
            <dd>
              <Value v={total} unit="ns" />
            </dd>
            <dd class="s">
              {ls.length} {ls.length === 1 ? "launch" : "launches"} of {ks.length}{" "}
              {ks.length === 1 ? "kernel" : "kernels"}
            </dd>
          </div>
          {best && (
            <div>
              <dt>Could save up to</dt>
              <dd>
                <Value v={best.saved} unit="ns" />
              </dd>
              <dd class="s">one finding, {say((100 * best.saved) / total, "%")}</dd>
            </div>
          )}
          <Device session={device.got?.sections ?? []} d={d} />
        </dl>
      </section>
      {notes.map(n => (
        <Alert key={n} kind="warn">
          {n}
        </Alert>
      ))}
      <Went ks={ks} total={total} ls={ls} chosen={v.state.kernel ?? ""} />
      <div class="cols">
        <Findings v={v} found={v.state.kernel ? found.filter(f => f.kernel === v.state.kernel) : found} total={total} />
        <Why v={v} k={top} launch={worst.number} d={d} parts={parts} />
      </div>
      <section class="card kern">
        <header>
          <h2>Kernels</h2>
          <span class="sub">
            {ks.length}, in {ls.length} {ls.length === 1 ? "launch" : "launches"}
          </span>
          <span class="grow" />
          {v.files.filter(f => api.holds(f, "launches")).length > 1 && !api.saved && (
            <Seg
              label="Files"
              value={wide ? "all" : ""}
              options={[
                ["", "This file"],
                ["all", "All open files"],
              ]}
              pick={x => set({ scope: x }, false)}
            />
          )}
          {ks.length < ls.length && !wide && (
            <Seg
              label="Rows"
              value={v.state.rows === "launch" ? "launch" : "kernel"}
              options={[
                ["kernel", "Kernels"],
                ["launch", "Launches"],
              ]}
              pick={x => set({ rows: x === "launch" ? x : "" }, false)}
            />
          )}
        </header>
        {wide ? (
          <AllFiles ids={ids} v={v} />
        ) : v.state.rows === "launch" || ks.length === ls.length ? (
          <Launches table={summary} bases={bases} ids={[v.file.id]} />
        ) : (
          <Kernels ks={ks} summary={summary} found={found} total={total} />
        )}
      </section>
      {d && d.messages.length > 0 && (
        <p class="note">
          <Icon name="info" size="s" />
          {d.messages.map(m => firstSentences(m.text)).join(" ")}
        </p>
      )}
    </>
  );
}

const pipe = (label: string): string => {
  const s = label
    .replace(/^SM: /, "")
    .replace(/ Cycles Active$/, "")
    .replace(/^Pipe /, "")
    .toLowerCase();
  return /pipe|tensor|fma|alu|fp64|shared|xu|lsu|uniform/.test(s)
    ? s.replace(/^shared$/, "tensor") + " pipe"
    : "compute";
};

const Go = ({ metric, launch, text }: { metric: string; launch: number; text: string }) => (
  <To to={{ page: "details", launch: String(launch), metric }}>{text}</To>
);

function Device({ session, d }: { session: Section[]; d?: Section }) {
  const t = session.find(s => s.id === "devices")?.tables[0],
    get = (n: string) => t?.rows.find(r => r[0] === n)?.[1];
  const name = get("display_name") ?? (d && metricOf(d, "numa__dev_display_name_all")?.value);
  if (!t && !d) return null;
  const clock = d && metricOf(d, "gpc__cycles_elapsed.avg.per_second"),
    cc =
      d?.properties?.cc ??
      (get("compute_capability_major") !== undefined
        ? `${get("compute_capability_major")}.${get("compute_capability_minor")}`
        : undefined);
  const facts = [
    cc && `CC ${cc}`,
    get("multiprocessor_count") && `${get("multiprocessor_count")} SM`,
    clock && typeof clock.value === "number" && say(clock.value, "hz", 3),
  ].filter(Boolean);
  if (!facts.length && typeof name !== "string") return null;
  return (
    <div>
      <dt>Device</dt>
      <dd class="w">{typeof name === "string" ? clean(name).replace(/^NVIDIA /, "") : "–"}</dd>
      <dd class="s">{facts.join(" · ")}</dd>
    </div>
  );
}

// Went is one bar of all the time, by kernel or in the order of the launches.
function Went({ ks, total, ls, chosen }: { ks: Kernel[]; total: number; ls: api.Launch[]; chosen: string }) {
  const [order, setOrder] = useState<"kernel" | "launch">("kernel"),
    colour = new Map(ks.map((k, i) => [k.full, Math.min(7, i + 1)]));
  if (total <= 0) return null;
  const small = ks.filter((k, i) => i >= 6 && k.time / total < 0.01);
  const bars =
    order === "kernel"
      ? ks.filter(k => !small.includes(k)).map(k => ({ full: k.full, v: k.time }))
      : ls.slice(0, 400).map(l => ({ full: l.kernel, v: l.duration }));
  const rest = small.reduce((s, k) => s + k.time, 0);
  return (
    <section class="went" aria-label="Where the time went">
      <header>
        <h2>Where the time went</h2>
        <span class="sub">by {order === "kernel" ? "kernel" : "launch, as they ran"}</span>
        {ls.length > ks.length && (
          <Seg
            label="Order"
            value={order}
            options={[
              ["kernel", "Kernel"],
              ["launch", "Order"],
            ]}
            pick={setOrder}
          />
        )}
      </header>
      <div class="stack">
        {bars.map((b, i) => {
          const share = (100 * b.v) / total;
          return (
            <button
              key={i}
              class={`g${colour.get(b.full)}` + (share > 6 ? " roomy" : "")}
              style={{ width: share + "%" }}
              title={`${kernel(b.full).name}\n${time(b.v)} · ${say(share, "%")}`}
              aria-label={share > 6 ? undefined : `${kernel(b.full).name}, ${time(b.v)}, ${say(share, "%")}`}
              aria-pressed={chosen === b.full}
              onClick={() => set({ kernel: chosen === b.full ? "" : b.full }, false)}
            >
              {share > 6 && <span>{kernel(b.full).name}</span>}
              {share > 18 && (
                <em>
                  {time(b.v)} · {say(share, "%")}
                </em>
              )}
            </button>
          );
        })}
        {order === "kernel" && rest > 0 && (
          <button
            class="g7"
            style={{ width: (100 * rest) / total + "%" }}
            title={`${small.length} other kernels\n${time(rest)}`}
            aria-label={`${small.length} other kernels, ${time(rest)}`}
            onClick={() => set({ kernel: "" }, false)}
          />
        )}
      </div>
    </section>
  );
}

const few = 6;

function Findings({ v, found, total }: { v: View; found: Finding[]; total: number }) {
  const [all, open] = useState(false),
    [by, order] = useState<"ms" | "%" | "rule">("ms");
  const sorted =
      by === "ms" ? found : [...found].sort((a, b) => (by === "%" ? b.percent - a.percent : a.rule < b.rule ? -1 : 1)),
    shown = all ? sorted : sorted.slice(0, few),
    rest = sorted.slice(few),
    most = found[0]?.saved || 1;
  // The words and the evidence stand in the details of the launch that would save most.
  const launches = [...new Set(shown.map(f => f.launches[0]))].slice(0, 8),
    texts = useAsk(JSON.stringify(["why", v.file.id, launches, v.revision, v.state.apply ?? ""]), () =>
      Promise.all(
        launches.map(n =>
          api
            .page(
              "details",
              v.file.id,
              { "print-details": "all", ...(v.state.apply ? { "apply-rules": "yes" } : {}) },
              n,
            )
            .then(
              d => [n, d.sections[0]] as const,
              () => [n, undefined] as const,
            ),
        ),
      ),
    ),
    of = new Map(texts.got ?? []);
  return (
    <section class="card findings">
      <header>
        <h2>What to do first</h2>
        <span class="sub">
          {found.length} {found.length === 1 ? "finding" : "findings"}, ranked by{" "}
          {by === "ms" ? "the time they could save" : by === "%" ? "their share of the launch" : "rule"}
        </span>
        <span class="tools">
          <Seg
            label="Order of the findings"
            value={by}
            options={[
              ["ms", "Time saved"],
              ["%", "%"],
              ["rule", "Rule"],
            ]}
            pick={order}
          />
        </span>
      </header>
      {!found.length && (
        <Note title="No rule found anything" icon="circle-check">
          {!api.saved && !v.state.apply && (
            <button class="btn pri" onClick={() => set({ apply: "yes" })}>
              Apply the rules of gpuprof
            </button>
          )}
        </Note>
      )}
      <ol>
        {shown.map((f, i) => (
          <One key={f.kernel + f.rule + f.title} f={f} n={i + 1} total={total} most={most} d={of.get(f.launches[0])} />
        ))}
      </ol>
      {found.length > 0 && (
        <footer>
          {rest.length > 0 ? (
            <button onClick={() => open(!all)} aria-expanded={all}>
              <Icon name={all ? "chevron-up" : "chevron-down"} size="s" />
              {all
                ? "fewer"
                : `${rest.length} more${rest.some(f => f.saved) ? `, each under ${time(Math.max(...rest.map(f => f.saved)) * 1.05, 2)}` : ""}`}
            </button>
          ) : (
            <span />
          )}
          <span class="mut">Estimates are upper bounds and do not add up.</span>
        </footer>
      )}
    </section>
  );
}

function One({ f, n, total, most, d }: { f: Finding; n: number; total: number; most: number; d?: Section }) {
  const to = { page: "details", launch: String(f.launches[0]), at: f.rule, metric: "" },
    m =
      d &&
      (
        messages(d).find(x => x.message.source === f.rule && titled(x.message.title, x.message.source) === f.title) ??
        messages(d).find(x => x.message.source === f.rule)
      )?.message,
    focus = m?.tables?.find(t => inRole(t, "metric") >= 0),
    x = num(f.saved, "ns");
  return (
    <li class="f">
      <span class="rk">{n}</span>
      <div class="sv">
        {f.saved > 0 ? (
          <>
            <b>{x.text}</b>
            <span class="u">{x.unit}</span>
            <span class="bt">
              <i style={{ width: (100 * f.saved) / most + "%" }} />
            </span>
            <small>{say((100 * f.saved) / total, "%")} of all</small>
          </>
        ) : (
          <>
            <b class="none">{f.percent > 0 ? `≤ ${say(f.percent, "%")}` : "–"}</b>
            <br />
            <small>{f.percent > 0 ? "of its part" : "no estimate"}</small>
          </>
        )}
      </div>
      <div class="tx">
        <To to={to} class="tt">
          {f.title}
        </To>
        <span class="kk">
          {kernel(f.kernel).name}
          {f.launches.length > 1 && ` · ${f.launches.length} launches`}
        </span>
        {m && (
          <p class="clip" title={clean(m.text)}>
            {firstSentences(m.text)}
          </p>
        )}
        {focus && d && <Evidence table={focus} all={d} launch={f.launches[0]} />}
      </div>
      <To to={to} class="go ib" aria-label={"Show " + f.title}>
        <Icon name="chevron-right" />
      </To>
    </li>
  );
}

interface Row {
  metric: string;
  label: string;
  value: number;
}

// throughput is what the section of the speed of light says, with what it is made of.
function throughput(d: Section): { top: Row[]; memory: Row[]; compute: Row[] } | null {
  const s = d.sections?.find(x =>
    x.charts.some(c => c.rows.some(r => r[inRole(c, "metric")] === "sm__throughput.avg.pct_of_peak_sustained_elapsed")),
  );
  if (!s) return null;
  const rows = (t: Table): Row[] => {
    const [m, l, val] = ["metric", "label", "value"].map(r => inRole(t, r));
    return m < 0
      ? []
      : t.rows
          .filter(r => typeof r[val] === "number")
          .map(r => ({ metric: String(r[m]), label: String(r[l]), value: Number(r[val]) }));
  };
  const top = rows(
      s.charts.find(c =>
        c.rows.some(r => r[inRole(c, "metric")] === "sm__throughput.avg.pct_of_peak_sustained_elapsed"),
      )!,
    ),
    lists = s.tables.filter(t => t.id !== "header").map(rows),
    one = (rs: Row[]) =>
      rs.filter((r, i) => r.value >= 1 && rs.findIndex(o => unitOf(o.metric) === unitOf(r.metric)) === i);
  return {
    top,
    memory: one(lists.find(l => l.some(r => /^(dram|lts|fbpa)__/.test(r.metric))) ?? []),
    compute: (lists.find(l => l.length && l.every(r => /^(sm|smsp|idc|gpc)__/.test(r.metric))) ?? []).filter(r =>
      /pipe_/.test(r.metric),
    ),
  };
}

// Why is the kernel with most time, on one look: its throughput, what its warps wait for, its hottest lines.
function Why({
  v,
  k,
  launch,
  d,
  parts,
}: {
  v: View;
  k: Kernel;
  launch: number;
  d?: Section;
  parts: ReturnType<typeof throughput>;
}) {
  const stalls = d?.sections
    ?.flatMap(s => s.charts)
    .find(c => c.rows.some(r => /issue_stalled_/.test(String(r[inRole(c, "metric")]))));
  const rows = stalls
    ? stalls.rows
        .map(r => ({
          label: String(r[inRole(stalls, "label")]).replace(/^Stall (?=\w)/, ""),
          v: Number(r[inRole(stalls, "value")]) || 0,
        }))
        .filter(r => r.label !== "Selected")
        .sort((a, b) => b.v - a.v)
        .slice(0, 5)
    : [];
  const all = d && metricOf(d, "smsp__average_warp_latency_per_inst_issued.ratio")?.value;
  const source = useAsk(d ? JSON.stringify(["hot", v.file.id, launch, v.revision]) : "", () =>
    d ? hotLines(v.file.id, launch) : null,
  );
  const to = (at: string) => ({ page: "details", launch: String(launch), at, metric: "" });
  const bar = (label: string, value: number, inner: boolean, at: string) => (
    <To key={label} to={to(at)} class={"pb" + (inner ? " in" : "")}>
      <span class="l">{label}</span>
      <span class="trk">
        <i style={{ width: Math.min(100, value) + "%", background: `var(--h${heat(value)})` }} />
      </span>
      <b>{num(value, "%").text}</b>
    </To>
  );
  const sol =
      d?.sections?.find(s => s.charts.some(c => parts && c.rows.some(r => r[0] === parts.top[0]?.metric)))?.id ??
      "SpeedOfLight",
    warp = d?.sections?.find(s => stalls && s.charts.includes(stalls))?.id ?? "WarpStateStats",
    most = rows[0]?.v || 1;
  return (
    <section class="card why" aria-label="Why it takes its time">
      <header>
        <h2>Why {kernel(k.full).name.slice(0, 28)} takes its time</h2>
      </header>
      {!d && <Busy what="Reading the launch" />}
      {parts && (
        <div class="blk">
          <div class="bh">
            Throughput<span>% of peak</span>
          </div>
          {parts.top.map(t => (
            <>
              {bar(t.label.replace(/ \[%\]$/, ""), t.value, false, sol)}
              {/^sm__/.test(t.metric)
                ? parts.compute.slice(0, 3).map(r => bar(pipeName(r.label), r.value, true, sol))
                : parts.memory.slice(0, 3).map(r => bar(unitOf(r.metric), r.value, true, sol))}
            </>
          ))}
        </div>
      )}
      {rows.length > 0 && (
        <div class="blk">
          <div class="bh">
            Warps wait for<span>cycles per instruction{typeof all === "number" && `, of ${num(all, "", 3).text}`}</span>
          </div>
          {rows.map(r => (
            <To key={r.label} to={to(warp)} class="pb">
              <span class="l">{r.label}</span>
              <span class="trk">
                <i style={{ width: (100 * r.v) / most + "%", background: "var(--c1)" }} />
              </span>
              <b>{num(r.v, "", 3).text}</b>
            </To>
          ))}
        </div>
      )}
      {source.got && source.got.length > 0 && (
        <div class="blk">
          <div class="bh">
            Hottest lines<span>share of samples</span>
          </div>
          {source.got.map(l => (
            <To
              key={l.file + l.line}
              to={{ page: "source", launch: String(launch), line: l.file ? `${l.file}:${l.line}` : "", spot: l.spot }}
              class="ln"
              title={`${clean(l.file)}:${l.line}\n${clean(l.text)}`}
            >
              <i style={{ background: `var(--h${step(l.share, source.got![0].share)})` }} />
              <span class="loc">{l.file ? `${base(l.file)}:${l.line}` : l.line}</span>
              <span class="cd">{clean(l.text.trim())}</span>
              <b>
                {num(l.share, "%").text}
                <span class="u">%</span>
              </b>
            </To>
          ))}
        </div>
      )}
    </section>
  );
}

const pipeName = (label: string): string =>
  label
    .replace(/^SM: /, "")
    .replace(/^Pipe /, "")
    .replace(/ Cycles Active$/, "")
    .replace(/^Inst Executed Pipe /, "");

interface Hot {
  file: string;
  line: string;
  text: string;
  share: number;
  spot: string;
}

// hotLines are the lines with the most samples; without lines the instructions.
async function hotLines(file: string, launch: number): Promise<Hot[]> {
  const sass = (await api.page("source", file, { "print-source": "sass" }, launch)).sections[0];
  const rows: { file: string; line: string; v: number; text: string; spot: string }[] = [];
  sass?.tables.forEach((t, k) => {
    const [s, f, l, c, a] = ["samples", "file", "line", "code", "address"].map(r => inRole(t, r));
    if (s >= 0)
      t.rows.forEach((r, i) => {
        const v = Number(r[s]) || 0;
        if (v > 0)
          rows.push({
            file: f >= 0 ? String(r[f] ?? "") : "",
            line: String(
              (l >= 0 && r[l]) || (a >= 0 && r[a] !== null ? "0x" + Number(r[a]).toString(16).slice(-5) : ""),
            ),
            v,
            text: String(r[c] ?? ""),
            spot: `sass.${k},${i}`,
          });
      });
  });
  const sum = rows.reduce((s, r) => s + r.v, 0);
  if (!sum) return [];
  const by = new Map<string, (typeof rows)[0]>();
  for (const r of rows) {
    const key = r.file + ":" + r.line,
      had = by.get(key);
    if (had) had.v += r.v;
    else by.set(key, { ...r });
  }
  const top = [...by.values()].sort((a, b) => b.v - a.v).slice(0, 5);
  if (top.some(r => r.file)) {
    const cuda = await api.page("source", file, { "print-source": "cuda" }, launch).catch(() => null);
    for (const r of top) {
      const t = cuda?.sections[0]?.tables.find(t => t.title === r.file);
      if (!t) continue;
      const [l, c] = [inRole(t, "line"), inRole(t, "code")],
        row = t.rows.find(x => String(x[l]) === r.line);
      if (row) r.text = String(row[c] ?? "");
    }
  }
  return top.map(r => ({
    file: r.file,
    line: r.line,
    text: r.text,
    share: (100 * r.v) / sum,
    spot: r.file ? "" : r.spot,
  }));
}

// Kernels is the table of kernels, made of the launches' rows.
function Kernels({ ks, summary: t, found, total }: { ks: Kernel[]; summary: Table; found: Finding[]; total: number }) {
  const at = (n: string) => column(t, n),
    id = inRole(t, "launch");
  const made = (name: string, label: string, unit: string, type: string, role?: string) => ({
    name,
    label,
    unit,
    type,
    role,
  });
  const cols = [
    made("kernel", "Kernel", "", "string", "kernel"),
    made("launches", "Launches", "", "number", "count"),
    made("time", "Time", "ns", "number", "total"),
    made("share", "Share", "%", "number", "share"),
    made("memory", "Memory", "%", "number"),
    made("compute", "Compute", "%", "number"),
    made("occupancy", "Occupancy", "%", "number"),
    made("registers", "Registers", "", "number"),
    made("shape", "Grid × block", "", "string"),
    made("finding", "Largest finding", "", "string", "finding"),
    made("saves", "Saves ≤", "ns", "number"),
  ];
  const rows = ks.map(k => {
    const own = k.launches.map(l => t.rows.find(r => Number(r[id]) === l.number)!).filter(Boolean),
      f = found.find(f => f.kernel === k.full),
      mean = (n: string) => {
        const w = own.filter(r => typeof r[at(n)] === "number"),
          d = w.reduce((s, r) => s + Number(r[at("duration")] || 1), 0);
        return w.length ? w.reduce((s, r) => s + Number(r[at(n)]) * Number(r[at("duration")] || 1), 0) / d : null;
      };
    const shapes = new Set(k.launches.map(l => shape(l.grid, l.block)));
    return [
      k.full,
      k.launches.length,
      k.time,
      (100 * k.time) / (total || 1),
      mean("memory"),
      mean("compute"),
      mean("occupancy"),
      mean("registers"),
      shapes.size > 1 ? `${shapes.size} shapes` : [...shapes][0],
      f?.title ?? null,
      f?.saved || null,
    ];
  });
  const table: Table = {
    id: "kernels",
    title: "",
    columns: cols.map(({ label: _, ...c }) => c),
    labels: cols.map(c => c.label),
    rows,
    text: rows.map(r => r.map(c => (c === null ? "" : String(c)))),
  };
  return (
    <Grid
      table={table}
      id="kernels"
      bare
      to={(r): State =>
        ks[r].launches.length > 1
          ? { rows: "launch", filter: "^" + ks[r].full.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") + "$" }
          : { page: "details", launch: String(ks[r].launches[0].number) }
      }
      opens="Show its launches"
      at={0}
      colour={r => Math.min(7, r + 1)}
    />
  );
}

const shape = (g: string, b: string): string => {
  const n = (s: string) =>
    s
      .replace(/[()]/g, "")
      .replace(/(, 1)+$/, "")
      .split(", ")
      .map(group)
      .join("×");
  return `${n(g)} × ${n(b)}`;
};

// Launches is the list of launches as the server has it: a row leads to its launch.
export function Launches({ table: t, bases, ids }: { table: Table; bases: (Table | undefined)[]; ids: string[] }) {
  const kernel = inRole(t, "kernel"),
    launch = inRole(t, "launch"),
    operand = inRole(t, "operand");
  const many = ids.length > 1,
    hide = new Set(["scope", "rule", ...(many ? [] : ["report"]), "speedup"]);
  const all = t.labels.map((l, i) => (many && t.columns[i].role === "report" ? "File" : l));
  return (
    <Grid
      table={{ ...t, title: "", labels: all }}
      bases={bases}
      id="launches"
      bare
      find={false}
      only={c => !hide.has(c)}
      at={kernel}
      to={r => ({
        page: "details",
        file: ids[Number(t.rows[r][operand])] ?? "",
        launch: String(t.rows[r][launch]),
        at: "",
        filter: "",
      })}
      opens="Details of this launch"
    />
  );
}

function AllFiles({ ids, v }: { ids: string; v: View }) {
  const { got, error } = useDoc(v, "summary", {}, undefined, ids);
  if (error) return <Alert>{error}</Alert>;
  const t = got?.doc.sections.find(s => s.id === "launches")?.tables[0];
  return t ? <Launches table={t} bases={[]} ids={ids.split(",")} /> : <Busy what="Reading the files" />;
}
