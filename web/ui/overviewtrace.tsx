import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { type Cell, column, type Document, inRole, linked, type Section, type Table } from "./document";
import { firstSentences } from "./finding";
import { Icon } from "./icon";
import { clean, kernel, kind, kindNames } from "./names";
import { count, num, say, time } from "./num";
import { Alert, Busy, Note, To, Value } from "./parts";
import { plainTitle, words } from "./stats";
import { Grid } from "./table";
import { Source } from "./timeline/model";
import { colours, ready } from "./timeline/colour";
import { toTimeline } from "./timeline/link";
import { useAsk, useDoc, type View } from "./use";

const find = (d: Document | undefined, id: string): Table | undefined => d?.sections.find(s => s.id === id)?.tables[0];
const at = (t: Table | undefined, r: number, name: string): number => {
  const v = t?.rows[r]?.[t ? column(t, name) : -1];
  return typeof v === "number" ? v : NaN;
};
const sum = (t: Table | undefined, name: string): number =>
  t?.rows.reduce((s, _, i) => s + (at(t, i, name) || 0), 0) ?? 0;
const most = (t: Table | undefined, name: string): number =>
  t?.rows.reduce((m, _, i) => Math.max(m, at(t, i, name) || 0), 0) ?? 0;

interface Check {
  s: Section;
  ns: number;
  what: string;
  to?: ReturnType<typeof toTimeline>;
}

function checksOf(d: Document): Check[] {
  return d.sections
    .filter(
      s => s.tables.some(t => t.rows.length) && s.messages.some(m => m.type === "optimization" || m.type === "warning"),
    )
    .map(s => {
      const t = s.tables[0],
        ns = Number(s.properties?.cost) || 0;
      return {
        s,
        ns,
        what: `${count(t.rows.length)} ${t.rows.length === 1 ? "place" : "places"}`,
        to: t.link?.to === "span" && t.rows.length ? toTimeline(t, longest(t)) : undefined,
      };
    })
    .sort((a, b) => b.ns - a.ns);
}

function longest(t: Table): Cell[] {
  const d = linked(t)[1];
  return t.rows.reduce((m, r) => (Number(r[d]) > Number(m[d]) ? r : m), t.rows[0]);
}

// TraceOverview answers where the time of a timeline went, and what to do first.
export function TraceOverview({ v }: { v: View }) {
  const { got, error } = useDoc(v, "analyze"),
    stats = useAsk(JSON.stringify(["kernels", v.file.id, v.revision]), () =>
      api.page("stats", v.file.id, api.saved ? {} : { report: "cuda_gpu_kern_sum" }).catch(() => null),
    ),
    list = useAsk("reports", () => api.reports());
  const titles = useMemo(() => new Map((list.got ?? []).map(r => [r.name, clean(r.title)])), [list.got]);
  if (error) return <Alert title="The timeline cannot be checked.">{error}</Alert>;
  if (!got) return <Busy what="Checking the timeline" />;
  return (
    <Board
      v={v}
      d={got.doc}
      kernels={
        stats.got?.sections.find(s => s.tables.some(t => inRole(t, "kernel") >= 0 && inRole(t, "total") >= 0))
          ?.tables[0]
      }
      titles={titles}
    />
  );
}

function Board({ v, d, kernels, titles }: { v: View; d: Document; kernels?: Table; titles: Map<string, string> }) {
  const busy = find(d, "gpu_busy"),
    comm = find(d, "exposed_communication"),
    idle = find(d, "gpu_idle"),
    bound = find(d, "launch_bound"),
    sync = find(d, "sync_points"),
    checks = checksOf(d);
  const main = busy?.rows.length
      ? busy.rows.reduce((m, _, i) => (at(busy, i, "busy_time") > at(busy, m, "busy_time") ? i : m), 0)
      : -1,
    span = most(busy, "span"),
    name = kernels ? inRole(kernels, "kernel") : -1,
    total = kernels ? inRole(kernels, "total") : -1,
    all = kernels ? kernels.rows.reduce((s, r) => s + (Number(r[total]) || 0), 0) : 0;
  const kinds = useMemo(() => {
    const by = new Map<number, { v: number; n: number }>();
    for (const r of kernels?.rows ?? []) {
      const k = kind(String(r[name])),
        x = by.get(k) ?? { v: 0, n: 0 };
      by.set(k, { v: x.v + (Number(r[total]) || 0), n: x.n + 1 });
    }
    return [...by].sort((a, b) => b[1].v - a[1].v);
  }, [kernels]);
  // The largest kind, or the largest kernel where no name tells its kind.
  const largest =
    kinds[0]?.[0] === 5
      ? kernels!.rows
          .map(r => ({ v: Number(r[total]) || 0, name: kernel(String(r[name])).name }))
          .reduce((m, k) => (k.v > m.v ? k : m))
      : kinds[0] && { v: kinds[0][1].v, name: kindNames[kinds[0][0]].toLowerCase() };
  const exposed = most(comm, "exposed_time"),
    device = main >= 0 ? at(busy, main, "device_id") : 0;
  const tile = (title: string, ns: number, sub: string, id: string) =>
    ns > 0 ? (
      <div>
        <dt>{title}</dt>
        <dd>
          <To to={{ page: "stats", ask: id }} class="plain">
            <Value v={ns} unit="ns" />
          </To>
        </dd>
        <dd class="s">{sub}</dd>
      </div>
    ) : null;
  return (
    <div class="wrap" id="page" data-page="overview">
      <section class="verdict">
        <div>
          <p class="eyebrow">Overview</p>
          <h1>
            {main >= 0 ? (
              <>
                GPU {device} works <b>{say(at(busy, main, "busy"), "%")}</b> of {time(at(busy, main, "span"))}
                {largest && all > 0 && (
                  <>
                    ; {say((100 * largest.v) / all, "%")} of the kernel time is <b>{largest.name}</b>
                  </>
                )}
                {exposed > 0 ? (
                  <>
                    ; <b>{time(exposed, 3)}</b> of communication is not hidden.
                  </>
                ) : (
                  "."
                )}
              </>
            ) : (
              <>No GPU work was recorded.</>
            )}
          </h1>
          <p class="sec">
            {busy && busy.rows.length > 1 && `${busy.rows.length} GPUs. `}
            {checks[0]
              ? `${plainTitle(checks[0].s.title)} cost${/s$/.test(plainTitle(checks[0].s.title)) ? "" : "s"} most.`
              : "The checks found nothing to mend."}
          </p>
        </div>
        <dl class="facts">
          {main >= 0 && (
            <div>
              <dt>Busy</dt>
              <dd>
                <Value v={at(busy, main, "busy_time")} unit="ns" />
              </dd>
              <dd class="s">
                GPU {device}, of {time(span)}
              </dd>
            </div>
          )}
          {idle && idle.rows.length > 0 && tile("Idle", most(idle, "idle_time"), cause(idle), "gpu_idle")}
          {tile(
            "Exposed communication",
            exposed,
            comm ? `${say(most(comm, "exposed"), "%")} of it` : "",
            "exposed_communication",
          )}
          {tile("Launch-bound", sum(bound, "duration"), "the GPU waits for launches", "launch_bound")}
          {tile(
            "Host waits",
            most(sync, "waiting_time"),
            sync ? `${say(most(sync, "waiting"), "%")} of its time` : "",
            "sync_points",
          )}
        </dl>
      </section>
      {d.notes?.map(n => (
        <Alert key={n} kind="warn">
          {n}
        </Alert>
      ))}
      {kinds.length > 0 && all > 0 && (
        <section class="went" aria-label="Where the kernel time went">
          <header>
            <h2>Where the kernel time went</h2>
            <span class="sub">by category, guessed from the names</span>
          </header>
          <div class="stack">
            {kinds.map(([k, x]) => {
              const share = (100 * x.v) / all;
              return (
                <button
                  key={k}
                  class={`g${k}` + (share > 6 ? " roomy" : "")}
                  style={{ width: share + "%" }}
                  title={`${kindNames[k]}\n${time(x.v)} · ${say(share, "%")}`}
                  aria-label={share > 6 ? undefined : `${kindNames[k]}, ${time(x.v)}, ${say(share, "%")}`}
                  onClick={() =>
                    location.assign(`#${new URLSearchParams({ page: "stats", file: v.file.id, kind: String(k) })}`)
                  }
                >
                  {share > 6 && <span>{kindNames[k]}</span>}
                  {share > 16 && (
                    <em>
                      {time(x.v)} · {say(share, "%")}
                    </em>
                  )}
                </button>
              );
            })}
          </div>
        </section>
      )}
      <div class="cols">
        <section class="card findings">
          <header>
            <h2>What to do first</h2>
            <span class="sub">
              {checks.length} {checks.length === 1 ? "finding" : "findings"}, ranked by the time on one GPU or process
            </span>
          </header>
          {!checks.length && <Note title="The checks found nothing to mend" icon="circle-check" />}
          <ol>
            {checks.slice(0, 8).map((c, i) => {
              const x = num(c.ns, "ns"),
                m = c.s.messages[0];
              return (
                <li key={c.s.id} class="f">
                  <span class="rk">{i + 1}</span>
                  <div class="sv">
                    {c.ns > 0 ? (
                      <>
                        <b>{x.text}</b>
                        <span class="u">{x.unit}</span>
                        <span class="bt">
                          <i style={{ width: (100 * c.ns) / (checks[0].ns || 1) + "%" }} />
                        </span>
                        <small>{span > 0 ? say((100 * c.ns) / span, "%") + " of the span" : ""}</small>
                      </>
                    ) : (
                      <b class="none">{c.what}</b>
                    )}
                  </div>
                  <div class="tx">
                    <To to={{ page: "stats", ask: c.s.id }} class="tt">
                      {plainTitle(c.s.title)}
                    </To>
                    <span class="kk">{c.ns > 0 ? c.what : ""}</span>
                    {m && <p class="clip">{firstSentences(words(m.text, titles))}</p>}
                    <div class="ev">
                      {c.to && (
                        <To class="chip" to={c.to}>
                          <Icon name="chart-gantt" size="xs" /> Show on timeline
                        </To>
                      )}
                    </div>
                  </div>
                  <To
                    to={c.to ?? { page: "stats", ask: c.s.id }}
                    class="go ib"
                    aria-label={"Show " + plainTitle(c.s.title)}
                  >
                    <Icon name="chevron-right" />
                  </To>
                </li>
              );
            })}
          </ol>
        </section>
        <section class="card" aria-label="Utilisation of the GPUs">
          <header>
            <h2>GPUs over time</h2>
            <span class="sub">busy; a click goes there</span>
          </header>
          <Strips v={v} busy={busy} />
          {idle && idle.rows.length > 0 && (
            <div class="blk">
              <div class="bh">
                Idle by cause<span>GPU {device}</span>
              </div>
              {(["host_waits", "host_launches", "neither"] as const).map(k => {
                const i = idle.rows.findIndex((_, i) => at(idle, i, "device_id") === device),
                  ns = at(idle, Math.max(0, i), k);
                return (
                  <div key={k} class="pb">
                    <span class="l">
                      {{ host_waits: "Host waits", host_launches: "Host launches", neither: "Neither" }[k]}
                    </span>
                    <span class="trk">
                      <i
                        style={{
                          width: `${(100 * ns) / (at(idle, Math.max(0, i), "idle_time") || 1)}%`,
                          background: "var(--c1)",
                        }}
                      />
                    </span>
                    <b>{time(ns, 3)}</b>
                  </div>
                );
              })}
            </div>
          )}
        </section>
      </div>
      {kernels && (
        <section class="card kern">
          <header>
            <h2>Kernels</h2>
            <span class="sub">
              {time(all)} in {num(sum(kernels, kernels.columns[inRole(kernels, "count")]?.name ?? "")).text} launches of{" "}
              {count(kernels.rows.length)} kernels
            </span>
          </header>
          <Grid
            table={{ ...kernels, title: "", description: undefined }}
            id="cuda_gpu_kern_sum"
            bare
            spread
            totals={["total", "count", "share"]}
            colour={r => kind(String(kernels.rows[r][name]))}
          />
        </section>
      )}
    </div>
  );
}

// cause is the largest cause of idle time, in words.
function cause(t: Table): string {
  const all: [string, string][] = [
    ["host_waits", "the host waited"],
    ["host_launches", "the host launched"],
    ["neither", "the host did something else"],
  ];
  return "mostly " + all.reduce((m, c) => (sum(t, c[0]) > sum(t, m[0]) ? c : m))[1];
}

// Strips is how busy each GPU was over time.
function Strips({ v, busy }: { v: View; busy?: Table }) {
  const [made, setMade] = useState<{ name: string; bins: Float32Array; share: number }[]>([]),
    [said, tell] = useState(api.saved ? "On the timeline." : "Reading the timeline…");
  useEffect(() => {
    let live = true;
    if (api.saved) return;
    (async () => {
      const s = await new Source(v.file.id).open(() => {}),
        out: { name: string; bins: Float32Array; share: number }[] = [];
      for (const g of gpusOf(s).slice(0, 16)) {
        const bins = await utilisation(s, g.streams, 0, s.span, 240);
        out.push({ name: g.name, bins, share: (100 * bins.reduce((a, b) => a + b, 0)) / bins.length });
      }
      if (!live) return;
      setMade(out);
      if (!out.length) tell("No work of a GPU is on the timeline.");
    })().catch(e => live && tell(`The timeline could not be read: ${e instanceof Error ? e.message : e}`));
    return () => {
      live = false;
    };
  }, [v.file.id, v.file.version]);
  const exact = (name: string) => {
    const n = /(\d+)/.exec(name)?.[1],
      i = busy?.rows.findIndex((_, i) => String(at(busy, i, "device_id")) === n) ?? -1;
    return i >= 0 ? at(busy, i, "busy") : NaN;
  };
  return (
    <div class="strips">
      {made.map(m => (
        <div key={m.name}>
          <span>{m.name}</span>
          <Strip bins={m.bins} />
          <b>{say(Number.isFinite(exact(m.name)) ? exact(m.name) : m.share, "%")}</b>
        </div>
      ))}
      {!made.length && <p class="mut">{said}</p>}
    </div>
  );
}

function Strip({ bins }: { bins: Float32Array }) {
  const c = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const draw = () => {
      const e = c.current,
        g = e?.getContext("2d");
      if (!e || !g || !ready()) return;
      const ratio = devicePixelRatio || 1;
      e.width = e.clientWidth * ratio;
      e.height = e.clientHeight * ratio;
      g.fillStyle = colours().c[1];
      bins.forEach((b, i) =>
        g.fillRect((i * e.width) / bins.length, e.height * (1 - b), e.width / bins.length + 0.5, e.height * b),
      );
    };
    draw();
    addEventListener("theme", draw);
    return () => removeEventListener("theme", draw);
  }, [bins]);
  return <canvas ref={c} role="img" aria-label="Utilisation over time" />;
}

// gpusOf are the GPUs of a timeline with the tracks of their streams.
export function gpusOf(s: Source): { name: string; track: number; streams: number[] }[] {
  const below = (k: number): number[] => [
    ...(s.tracks[k].kind === "stream" ? [k] : []),
    ...s.children[k].flatMap(below),
  ];
  return s.roots
    .filter(k => s.tracks[k].kind === "device")
    .map(k => ({ name: s.tracks[k].name, track: k, streams: below(k) }));
}

// utilisation is how busy tracks were in each of so many stretches, 0 to 1.
export async function utilisation(
  s: Source,
  tracks: number[],
  a: number,
  b: number,
  cells: number,
): Promise<Float32Array> {
  const out = new Float32Array(cells);
  if (!tracks.length) return out;
  const v = await s.view(a, b, cells, tracks.slice(0, 200), 0);
  v.rows.forEach(items => {
    for (let i = 0; i < items.x.length; i++) {
      const x0 = (items.x[i] * cells) / 65535,
        x1 = x0 + (items.wide[i] * cells) / 65535,
        d = items.one[i] ? 1 : items.density[i] / 255;
      for (let k = Math.floor(x0); k < Math.min(cells, Math.ceil(x1)); k++)
        out[k] += d * Math.max(0, Math.min(x1, k + 1) - Math.max(x0, k));
    }
  });
  for (let i = 0; i < cells; i++) out[i] = Math.min(1, out[i]);
  return out;
}
