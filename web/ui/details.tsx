import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { type Chart, inRole, type Message, type Section, type Table, unitOf } from "./document";
import { Drawn, Matrix, Rows } from "./chart";
import { messages, metricOf, reason, titled } from "./finding";
import { Icon } from "./icon";
import { isMemoryChart, Memory } from "./memory";
import { isMetrics, type Marks, Metrics } from "./metrics";
import { clean, kernel } from "./names";
import { group, relative, say, time } from "./num";
import { Alert, Busy, Note, Value } from "./parts";
import { brief, Said, toMessage } from "./said";
import { pivot } from "./pivot";
import { Apply } from "./rules";
import { href, read, set } from "./state";
import { Grid, useKeys } from "./table";
import { options, pageOf, useDoc, type View } from "./use";

const filled = (s: Section): boolean =>
  s.tables.some(t => t.rows.length) ||
  s.charts.length > 0 ||
  s.messages.some(m => m.type !== "none") ||
  (s.sections ?? []).some(filled);

interface Listed {
  section: Section;
  saved: number; // ns
  dot: "bad" | "warn" | "off" | "";
  right: string;
}

// Details answers why one launch is slow.
export function Details({ v }: { v: View }) {
  const page = pageOf(v, "details"),
    opts = options(page, v.state),
    known = v.launches !== null || v.state.launch !== undefined;
  const { got, error, busy } = useDoc(v, "details", opts, known ? v.launch : 0);
  if (error) return <Alert title="This launch cannot be shown.">{error}</Alert>;
  if (!got || !known) return <Busy what={v.state.apply ? "Applying rules" : "Loading the launch"} />;
  const top = got.doc.sections[0];
  if (!top) return <Note title="There is nothing to show">The report has no launch of this number.</Note>;
  return (
    <Launch
      key={`${v.file.id} ${v.launch}`}
      v={v}
      top={top}
      bases={got.bases.map(b => b?.sections[0])}
      notes={got.doc.notes ?? []}
      stale={busy}
      page={page}
    />
  );
}

function Launch({
  v,
  top,
  bases,
  notes,
  stale,
  page,
}: {
  v: View;
  top: Section;
  bases: (Section | undefined)[];
  notes: string[];
  stale: boolean;
  page?: api.Page;
}) {
  const [now, setNow] = useState(""),
    [charts, setCharts] = useState(true),
    box = useRef<HTMLDivElement>(null),
    l = v.launches?.find(l => l.number === v.launch),
    duration = l?.duration || Number(metricOf(top, "gpu__time_duration.sum")?.value) || 0;
  const said = useMemo(() => messages(top), [top]);
  const list = useMemo<Listed[]>(
    () =>
      (top.sections ?? []).map(section => {
        const own = said.filter(m => inside(section, m.section)),
          saved = Math.max(
            0,
            ...own.map(m => (m.message.speedup?.scope === "global" ? (duration * m.message.speedup.percent) / 100 : 0)),
          );
        const dot = !filled(section)
          ? "off"
          : own.some(m => m.message.type === "optimization")
            ? saved > 0
              ? "bad"
              : "warn"
            : own.some(m => m.message.type === "warning" || m.message.type === "error")
              ? "warn"
              : "";
        return {
          section,
          saved,
          dot,
          right: dot === "off" ? "off" : saved > 0 ? "≤ " + time(saved, 3) : headline(section),
        };
      }),
    [top, said, duration],
  );
  const shown = [...list.filter(s => s.dot !== "off"), ...list.filter(s => s.dot === "off")],
    state = v.state,
    changed = state.changed === "1",
    flagged = state.flagged === "1",
    want = (state.filter ?? "").toLowerCase();
  const marks = useMemo<Marks>(() => {
    const out: Marks = new Map();
    for (const { message: m } of said)
      m.tables?.forEach(t => {
        const c = inRole(t, "metric");
        if (c >= 0)
          for (const r of t.rows)
            if (typeof r[c] === "string" && !out.has(r[c]))
              out.set(r[c], { text: titled(m.title, m.source) || clean(m.text.slice(0, 80)), go: () => toMessage(m) });
      });
    return out;
  }, [said]);
  const go = (id: string) => {
    const e = box.current?.querySelector<HTMLElement>(`[data-section="${CSS.escape(id)}"]`);
    e?.scrollIntoView({ block: "start" });
    setNow(id);
  };
  useEffect(() => {
    // a link to a place of the page: a section, a rule, a metric
    const at = read().at,
      metric = read().metric;
    if (metric) {
      const e = box.current?.querySelector<HTMLElement>(`tr[data-metric="${CSS.escape(metric)}"]`);
      if (e) {
        e.scrollIntoView({ block: "center" });
        e.focus({ preventScroll: true });
        return;
      }
    }
    if (at) {
      const e = box.current?.querySelector<HTMLElement>(
        `[data-at="${CSS.escape(at)}"],[data-section="${CSS.escape(at)}"]`,
      );
      e?.scrollIntoView({ block: e.dataset.at ? "center" : "start" });
      if (e?.dataset.at) e.focus({ preventScroll: true });
    }
  }, [top, state.at, state.metric]);
  useEffect(() => {
    // which section is in sight
    const main = box.current?.closest("main");
    if (!main) return;
    const look = () => {
      const all = [...(box.current?.querySelectorAll<HTMLElement>(".dm > .sect") ?? [])],
        at = all.filter(e => e.getBoundingClientRect().top < 180).pop() ?? all[0];
      if (at) setNow(at.dataset.section ?? "");
    };
    look();
    main.addEventListener("scroll", look, { passive: true });
    return () => main.removeEventListener("scroll", look);
  }, [top]);
  useKeys(e => {
    const ids = shown.filter(s => s.dot !== "off").map(s => s.section.id),
      k = ids.indexOf(now);
    if (e.key === "j") go(ids[Math.min(ids.length - 1, k + 1)]);
    if (e.key === "k") go(ids[Math.max(0, k - 1)]);
    if (e.key === "x") set({ changed: changed ? "" : "1" }, false);
    if (e.key === "f") {
      const all = [...(box.current?.querySelectorAll<HTMLElement>("aside.msg.optimization, aside.msg.warning") ?? [])],
        i = all.indexOf(document.activeElement as HTMLElement);
      const next = all[(i + 1) % all.length];
      next?.scrollIntoView({ block: "center" });
      next?.focus({ preventScroll: true });
    }
  });
  const only = (metric: string, text: string, differs: boolean) =>
    (!changed || differs) &&
    (!flagged || marks.has(metric)) &&
    (!want || text.toLowerCase().includes(want) || metric.toLowerCase().includes(want));
  const best = said
    .flatMap(m =>
      m.message.speedup?.scope === "global" ? [{ ...m, saved: (duration * m.message.speedup.percent) / 100 }] : [],
    )
    .sort((a, b) => b.saved - a.saved)
    .slice(0, 5);
  return (
    <div class="det" id="page" data-page="details" ref={box}>
      <nav class="outline" aria-label="Sections">
        <label class="inp">
          <Icon name="list-filter" size="s" />
          <input
            type="search"
            data-filter
            aria-label="Filter metrics"
            placeholder="Filter metrics"
            value={state.filter ?? ""}
            onInput={e => set({ filter: e.currentTarget.value }, false)}
          />
          <kbd>/</kbd>
        </label>
        <ol>
          {shown.map(s => (
            <li key={s.section.id}>
              <a
                href={href({ at: s.section.id })}
                class={s.dot === "off" ? "off" : ""}
                aria-current={now === s.section.id ? "true" : undefined}
                title={s.dot === "off" ? why(s.section) : clean(s.section.title)}
                onClick={e => {
                  if (e.ctrlKey || e.metaKey) return;
                  e.preventDefault();
                  go(s.section.id);
                }}
              >
                <i class={"d " + s.dot} />
                <span>{brief(s.section.title)}</span>
                <b>{s.right}</b>
              </a>
            </li>
          ))}
        </ol>
        <div class="oo">
          <label>
            <input type="checkbox" checked={charts} onChange={e => setCharts(e.currentTarget.checked)} /> Charts
          </label>
          {bases.length > 0 && (
            <label>
              <input
                type="checkbox"
                checked={changed}
                onChange={e => set({ changed: e.currentTarget.checked ? "1" : "" }, false)}
              />{" "}
              Only changed
            </label>
          )}
          <label>
            <input
              type="checkbox"
              checked={flagged}
              onChange={e => set({ flagged: e.currentTarget.checked ? "1" : "" }, false)}
            />{" "}
            Only flagged
          </label>
          {api.takes(page, "apply-rules") && !api.saved && <Apply state={state} details={api.takes(page, "set")} />}
        </div>
      </nav>
      <div class={"dm" + (stale ? " stale" : "")} aria-busy={stale}>
        <Head top={top} v={v} duration={duration} bases={bases} />
        {notes.map(n => (
          <Alert key={n} kind="warn">
            {n}
          </Alert>
        ))}
        {best.length > 0 && (
          <div class="tops" role="group" aria-label="Findings by time">
            {best.map((m, i) => (
              <a
                key={i}
                href={href({ at: m.message.source })}
                onClick={e => {
                  if (e.ctrlKey || e.metaKey) return;
                  e.preventDefault();
                  toMessage(m.message);
                }}
              >
                <b>
                  <Value v={m.saved} unit="ns" />
                </b>
                <span>{titled(m.message.title, m.message.source)}</span>
              </a>
            ))}
          </div>
        )}
        {top.messages.length > 0 && <p class="note">{top.messages.map(m => reason(m.text)).join(" ")}</p>}
        {shown
          .filter(s => s.dot !== "off")
          .map(s => (
            <Part
              key={s.section.id}
              s={s.section}
              bases={bases.map(b => same(b, s.section.id))}
              all={top}
              said={said}
              marks={marks}
              only={changed || flagged || want ? only : undefined}
              charts={charts}
              saved={s.saved}
              duration={duration}
              level={2}
            />
          ))}
        {shown.some(s => s.dot === "off") && (
          <p class="note">
            Nothing to show:{" "}
            {shown
              .filter(s => s.dot === "off")
              .map(s => `${brief(s.section.title)} (${why(s.section)})`)
              .join(", ")}
            .
          </p>
        )}
      </div>
    </div>
  );
}

const same = (b: Section | undefined, id: string): Section | undefined => b?.sections?.find(o => o.id === id);
const inside = (s: Section, what: Section): boolean => s === what || (s.sections ?? []).some(p => inside(p, what));
const why = (s: Section): string =>
  reason(s.messages.find(m => m.text)?.text ?? "") || "it was not collected, or this device has none";

// headline is the one number of a section for the outline: of its chart in percent, else the
// first of its metrics that is one.
function headline(s: Section): string {
  for (const t of [...s.charts.filter(c => c.kind === "bar"), ...s.tables]) {
    const v = inRole(t, "value");
    if (v < 0 || !t.rows.length) continue;
    const rows = t.rows.map((r, i) => ({ r, u: unitOf(t, i, v) }));
    const pct = rows.filter(x => x.u === "%" && typeof x.r[v] === "number").map(x => Number(x.r[v]));
    if (/SpeedOfLight|Compute|Occupancy/.test(s.id) && pct.length) return say(Math.max(...pct), "%");
  }
  return "";
}

function Head({
  top,
  v,
  duration,
  bases,
}: {
  top: Section;
  v: View;
  duration: number;
  bases: (Section | undefined)[];
}) {
  const p = top.properties ?? {},
    k = kernel(String(p.kernel ?? v.launches?.find(l => l.number === v.launch)?.kernel ?? top.title)),
    m = (name: string) => metricOf(top, name);
  const metric = (label: string, name: string) => {
    const f = m(name);
    return f && typeof f.value === "number" ? (
      <div>
        <dt>{label}</dt>
        <dd>
          <Value v={f.value} unit={f.unit} />
        </dd>
      </div>
    ) : null;
  };
  const text = (label: string, value: unknown) =>
    value === undefined || value === null || value === "" ? null : (
      <div>
        <dt>{label}</dt>
        <dd>{clean(String(value))}</dd>
      </div>
    );
  const size = (s: unknown) =>
    String(s ?? "")
      .replace(/[()]/g, "")
      .replace(/(, 1)+$/, "")
      .split(", ")
      .map(group)
      .join(" × ");
  const shared = m("launch__shared_mem_per_block"),
    then = bases.map(b => b && Number(metricOf(b, "gpu__time_duration.sum")?.value)).find(x => x);
  return (
    <header class="dh">
      <div class="dn">
        <h1 title={k.full}>
          <span class="mut">{k.space}</span>
          {k.name}
          <span class="mut">
            {k.args}
            {k.params}
          </span>
        </h1>
        {duration > 0 && (
          <span class="dur">
            <Value v={duration} unit="ns" />
            {then ? (
              <>
                {" "}
                <span class={"delta " + relative(duration, then, "ns", "duration").way} style={{ fontSize: "13px" }}>
                  {relative(duration, then, "ns", "duration").text} {relative(duration, then, "ns", "duration").unit}
                </span>
              </>
            ) : null}
          </span>
        )}
      </div>
      <dl>
        {text("Grid", size(p.grid))}
        {text("Block", size(p.block))}
        {metric("Waves/SM", "launch__waves_per_multiprocessor")}
        {metric("Registers", "launch__registers_per_thread")}
        {shared && typeof shared.value === "number" && (
          <div>
            <dt>Shared</dt>
            <dd>
              <Value v={shared.value} unit="byte" />
            </dd>
          </div>
        )}
        {metric("Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active")}
        {text("CC", p.cc)}
        {text("Device", p.device)}
        {text("Stream", p.stream)}
      </dl>
    </header>
  );
}

interface PartProps {
  s: Section;
  bases: (Section | undefined)[];
  all: Section;
  said: { message: Message; section: Section }[];
  marks: Marks;
  only?: (metric: string, text: string, changed: boolean) => boolean;
  charts: boolean;
  saved?: number;
  duration: number;
  level: 2 | 3;
}

// Part is a section: chart, then table, then what rules say, in two columns.
function Part({ s, bases, all, said, marks, only, charts, saved = 0, duration, level }: PartProps) {
  const H = level === 2 ? "h2" : "h3",
    own = said
      .filter(m => m.section === s && m.message.type !== "none")
      .sort((a, b) => (b.message.speedup?.percent ?? -1) - (a.message.speedup?.percent ?? -1));
  const roofs = s.charts.filter(c => c.kind === "roofline").map(c => c.id + ".");
  const match = (t: Table, i: number) =>
    bases.map(
      b =>
        b?.tables.find(o => o.id === t.id && o.title === t.title) ?? b?.tables.find((o, k) => o.id === t.id && k === i),
    );
  const head = s.tables.filter(t => isMetrics(t) && t.id === "header"),
    rest = s.tables.filter(t => !head.includes(t) && !roofs.some(r => t.id.startsWith(r)));
  // What stands in a part of the section that is a chart is shown with the section's own.
  const lifted = (s.sections ?? []).filter(
      p => level === 2 && filled(p) && p.charts.length > 0 && !p.charts.some(c => c.kind === "timeline"),
    ),
    below = (s.sections ?? []).filter(p => filled(p) && !lifted.includes(p));
  const wide = s.charts.some(c => c.kind === "timeline") || rest.some(isMemoryChart);
  const left =
    !charts || only
      ? []
      : [
          ...(s.charts.length
            ? [
                <Rows key="charts" charts={s.charts}>
                  {(c, i) => (
                    <Drawn
                      key={"c" + i}
                      chart={more(c, head)}
                      bases={bases.map(b => b?.charts.find(o => o.id === c.id && o.title === c.title) ?? b?.charts[i])}
                      id={`${s.id}.c${i}`}
                    />
                  )}
                </Rows>,
              ]
            : []),
          ...lifted.flatMap(p =>
            p.charts.map((c, i) => (
              <Drawn key={p.id + i} chart={c} bases={bases.map(b => same(b, p.id)?.charts[i])} id={`${p.id}.c${i}`} />
            )),
          ),
          ...rest
            .filter(isMemoryChart)
            .map((t, i) => (
              <Memory key={"m" + i} table={t} bases={match(t, s.tables.indexOf(t))} others={metricTables(all)} />
            )),
        ];
  const tables = [
    ...head.map((t, i) =>
      t.rows.length > 60 && !only ? (
        <Fold key={"h" + i} title={`${t.rows.length} metrics`}>
          <Metrics table={t} bases={match(t, i)} marks={marks} />
        </Fold>
      ) : (
        <Metrics key={"h" + i} table={t} bases={match(t, i)} marks={marks} only={only} label={brief(s.title)} />
      ),
    ),
    ...(only
      ? rest
          .filter(isMetrics)
          .map((t, i) => (
            <Metrics key={"o" + i} table={t} bases={match(t, s.tables.indexOf(t))} marks={marks} only={only} />
          ))
      : rest
          .filter(t => !isMemoryChart(t) || !charts)
          .map((t, i) => {
            const list = (
              <Listed key={"t" + i} table={t} bases={match(t, s.tables.indexOf(t))} id={`${s.id}.${i}`} marks={marks} />
            );
            return isMetrics(t) && t.rows.length > 10 && head.length > 0 && !pivot(t) ? (
              <Fold key={"t" + i} title={`${t.title || "More"}: ${t.rows.length} metrics`}>
                {list}
              </Fold>
            ) : (
              list
            );
          })),
    ...(!only && charts
      ? rest.filter(isMemoryChart).map((t, i) => (
          <Fold key={"n" + i} title="Numbers of the chart">
            <Metrics table={t} bases={match(t, s.tables.indexOf(t))} marks={marks} />
          </Fold>
        ))
      : []),
  ];
  const theirs = said.filter(m => lifted.includes(m.section) && m.message.type !== "none");
  const words = only
    ? []
    : [...own, ...theirs].map((m, i) => <Said key={i} m={m.message} duration={duration} all={all} />);
  const behind = only
    ? []
    : lifted.flatMap(p =>
        p.tables.map((t, i) =>
          isMetrics(t) ? (
            <Metrics key={p.id + i} table={t} bases={bases.map(b => same(b, p.id)?.tables[i])} marks={marks} />
          ) : (
            <Grid key={p.id + i} table={t} id={`${p.id}.${i}`} boxed keep />
          ),
        ),
      );
  if (behind.length)
    tables.push(
      <Fold key="lifted" title={`Metrics of the ${lifted.length > 1 ? "charts" : "chart"}`}>
        <div style={{ display: "grid", gap: "10px", marginTop: "6px" }}>{behind}</div>
      </Fold>,
    );
  const right = [...tables, ...words];
  const body = wide ? (
    <>
      {left}
      <div class={"two" + (tables.length && words.length ? "" : " one")}>
        {tables.length > 0 && <div>{tables}</div>}
        {words.length > 0 && <div>{words}</div>}
      </div>
    </>
  ) : left.length && right.length ? (
    <div class="two">
      <div>{left}</div>
      <div>{right}</div>
    </div>
  ) : (
    <div class={"two" + (tables.length > 1 || (tables.length && words.length) || left.length > 1 ? "" : " one")}>
      {left.length > 0 && left.map((x, i) => <div key={"l" + i}>{x}</div>)}
      {tables.length > 0 && words.length > 0 ? (
        <>
          <div>{tables}</div>
          <div>{words}</div>
        </>
      ) : (
        right.map((x, i) => <div key={"r" + i}>{x}</div>)
      )}
    </div>
  );
  return (
    <section class="sect" data-section={s.id}>
      <header>
        <H>{brief(s.title)}</H>
        {s.description && (
          <span class="sub" title={clean(s.description)}>
            {reason(s.description)}
          </span>
        )}
        {saved > 0 && <span class="tag bad">saves ≤ {time(saved)}</span>}
      </header>
      {body}
      {(only ? (s.sections ?? []).filter(filled) : below).map(p => (
        <Part
          key={p.id}
          s={p}
          bases={bases.map(b => same(b, p.id))}
          all={all}
          said={said}
          marks={marks}
          only={only}
          charts={charts}
          duration={duration}
          level={3}
        />
      ))}
    </section>
  );
}

// more adds to the chart of the throughput what the head of its section says of further units.
function more(c: Chart, head: Table[]): Chart {
  const m = inRole(c, "metric"),
    v = inRole(c, "value");
  if (c.kind !== "bar" || m < 0 || !c.rows.some(r => r[m] === "sm__throughput.avg.pct_of_peak_sustained_elapsed"))
    return c;
  const rows = head.flatMap(t =>
    t.rows.flatMap((r, i) =>
      /__throughput.*pct_of_peak|memory_throughput.*pct/.test(String(r[inRole(t, "metric")])) &&
      typeof r[inRole(t, "value")] === "number" &&
      !c.rows.some(o => o[m] === r[inRole(t, "metric")] || o[v] === r[inRole(t, "value")])
        ? [{ r, text: t.text[i] }]
        : [],
    ),
  );
  return { ...c, rows: [...c.rows, ...rows.map(x => x.r)], text: [...c.text, ...rows.map(x => x.text)] };
}

function metricTables(s: Section): Table[] {
  return [...s.tables.filter(isMetrics), ...s.charts.filter(isMetrics), ...(s.sections ?? []).flatMap(metricTables)];
}

function Fold({ title, children }: { title: string; children: preact.ComponentChildren }) {
  return (
    <details class="numbers">
      <summary>{title}</summary>
      {children}
    </details>
  );
}

// Listed shows a table of the body: metrics in their form, long lists of memory metrics by kind.
function Listed({
  table: t,
  bases,
  id,
  marks,
}: {
  table: Table;
  bases: (Table | undefined)[];
  id: string;
  marks: Marks;
}) {
  const kinds = useMemo(() => pivot(t), [t]);
  if (!t.rows.length) return null;
  if (kinds)
    return (
      <div>
        <Grid table={kinds} bases={bases.map(b => (b && pivot(b)) || undefined)} id={id + ".k"} boxed keep />
        <Fold title={`All ${t.rows.length} metrics`}>
          <Metrics table={t} bases={bases} marks={marks} />
        </Fold>
      </div>
    );
  if (t.matrix && !bases.some(b => b))
    return (
      <div>
        <Matrix table={t} />
        <Fold title="Metrics of the table">
          <Metrics table={t} bases={bases} marks={marks} />
        </Fold>
      </div>
    );
  if (isMetrics(t)) return <Metrics table={t} bases={bases} marks={marks} />;
  return <Grid table={t} bases={bases} id={id} boxed keep />;
}
