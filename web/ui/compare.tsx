import { useMemo, useState } from "preact/hooks";
import * as api from "./api";
import * as base from "./base";
import { column, type Document, inRole, linked, type Section, type Table, unitOf } from "./document";
import { Icon } from "./icon";
import { labelled } from "./cell";
import { isMetrics } from "./metrics";
import { brief } from "./said";
import { clean, fileTitle, kernel } from "./names";
import { noise, num, raw, relative, say, time } from "./num";
import { Alert, Busy, copy, Note, Seg, To, Value } from "./parts";
import { set, type State } from "./state";
import { Grid } from "./table";
import { commandLine } from "./commands";
import { useAsk, type View } from "./use";

// Compare answers whether it helped, and what changed.
export function Compare({ v }: { v: View }) {
  const bs = base.parse(v.state.base);
  if (v.launches === null) return <Busy what="Reading the launches" />;
  if (!bs.length) return <Choose v={v} />;
  return <Board v={v} b={bs[0]} />;
}

function Choose({ v }: { v: View }) {
  const others = v.files.filter(f => f.id !== v.file.id && api.holds(f, "launches") && !f.error);
  return (
    <div class="wrap" id="page" data-page="compare">
      <Note title="Compare with what?" icon="git-compare">
        <p>Choose a launch of this report, or another file, as the baseline: differences are told against it.</p>
        <div class="ev" style={{ justifyContent: "center" }}>
          {others.map(f => (
            <To key={f.id} class="btn" to={{ base: f.id }}>
              {fileTitle(f.name).name}
            </To>
          ))}
          {v
            .launches!.filter(l => l.number !== v.launch)
            .slice(0, 12)
            .map(l => (
              <To key={l.number} class="btn" to={{ base: `${v.file.id}:${l.number}` }}>
                {l.id} · {kernel(l.kernel).name} <span class="u">{l.duration ? time(l.duration, 3) : ""}</span>
              </To>
            ))}
        </div>
      </Note>
    </div>
  );
}

// A Row is what diff says of a metric.
interface Row {
  metric: string;
  label: string;
  now: number;
  then: number;
  unit: string;
  difference: string;
  word: string;
  share: number; // of the former value, in percent; of percentages in points
}
interface Group {
  id: string;
  title: string;
  rows: Row[];
}

const quiet = (word: string): boolean => word === "the same" || word === "within noise";
const way = (word: string): string => (word === "worse" || word === "better" ? word : quiet(word) ? "same" : "");

// told are the metrics of a comparison by their names.
function told(d: Document | null | undefined): Map<string, Row> {
  const t = d?.sections.find(s => s.id === "metrics")?.tables[0],
    out = new Map<string, Row>();
  if (!t) return out;
  const [m, o, n, u, w, x, r] = ["metric", "old", "new", "unit", "word", "difference", "ratio"].map(c => column(t, c));
  for (const c of t.rows) {
    const [then, now, unit] = [Number(c[o]), Number(c[n]), unitOf(t, t.rows.indexOf(c), n) || String(c[u] ?? "")];
    out.set(String(c[m]), {
      metric: String(c[m]),
      label: "",
      now,
      then,
      unit,
      difference: String(c[x]),
      word: String(c[w]),
      share: unit === "%" ? now - then : typeof c[r] === "number" ? 100 * (Number(c[r]) - 1) : now === then ? 0 : 100,
    });
  }
  return out;
}

// groups are the metrics that were compared, once each, by the section of Details that shows them.
function groups(now: Section, told: Map<string, Row>): Group[] {
  const seen = new Set<string>(),
    out: Group[] = [];
  const add = (g: Group, t: Table) => {
    if (!isMetrics(t)) return;
    const names = labelled(t),
      m = inRole(t, "metric");
    t.rows.forEach((r, i) => {
      const row = told.get(String(r[m]));
      if (!row || seen.has(row.metric)) return;
      seen.add(row.metric);
      g.rows.push({ ...row, label: names[i] });
    });
  };
  for (const s of now.sections ?? []) {
    const g: Group = { id: s.id, title: brief(s.title), rows: [] };
    const walk = (x: Section) => {
      for (const t of x.tables.filter(t => t.id === "header")) add(g, t);
      for (const t of x.charts) add(g, t);
      for (const t of x.tables.filter(t => t.id !== "header")) add(g, t);
      x.sections?.forEach(walk);
    };
    walk(s);
    if (g.rows.length) out.push(g);
  }
  return out;
}

type Only = "changed" | "worse" | "all";

function Board({ v, b }: { v: View; b: base.Base }) {
  const whole = b.launch === undefined,
    bf = v.files.find(f => f.id === b.file);
  const theirs = useAsk(JSON.stringify(["theirs", b.file, v.revision]), () => api.launches(b.file)),
    [only, setOnly] = useState<Only>("changed"),
    [shut, setShut] = useState<Set<string>>(new Set()),
    least = v.state.least === undefined ? noise.share : Number(v.state.least) || 0;
  const against = useAsk(JSON.stringify(["diff", v.file.id, b.file, v.revision, least]), () =>
    whole && b.file !== v.file.id ? base.diff(v.file.id, b.file, api.saved ? undefined : least) : null,
  );
  const wish = JSON.stringify([v.file.id, v.launch, v.state.base, v.revision, least]),
    details = useAsk(JSON.stringify(["details", v.file.id, v.launch, v.revision]), () =>
      api.page("details", v.file.id, { "print-details": "all" }, v.launch),
    ),
    pair = useAsk(wish, () => base.pair(v.file.id, v.launch, b, least)),
    bases = base.parse(v.state.base).slice(1),
    rest = useAsk(bases.length ? wish : "", () =>
      bases.length
        ? Promise.all(bases.map(x => base.pair(v.file.id, v.launch, x, least).then(told, () => told(null))))
        : null,
    );
  const now = details.got?.sections[0],
    facts = useMemo(() => told(pair.got), [pair.got]),
    all = useMemo(() => (now ? groups(now, facts) : []), [now, facts]);
  const error = details.error || pair.error;
  const own = v.launches!.find(l => l.number === v.launch),
    pairs = useMemo(() => against.got && base.partners(against.got), [against.got]),
    at = !whole || b.file === v.file.id ? (b.launch ?? v.launch) : pairs?.get(v.launch),
    old = at === undefined ? undefined : theirs.got?.[at];
  if (error) return <Alert title="This cannot be compared.">{error}</Alert>;
  if (against.error) return <Alert title="These files cannot be compared.">{against.error}</Alert>;
  if (against.got && (base.same(against.got) || at === undefined))
    return (
      <div class={"wrap cmp" + (against.busy ? " stale" : "")} id="page" data-page="compare">
        <Whole v={v} d={against.got} name={fileTitle(bf?.name ?? "").name} of={b.file} />
        {at === undefined && !base.same(against.got) && (
          <Note title={`${kernel(own?.kernel ?? "").name} has no partner there`} icon="git-compare">
            <p>Choose a launch of either file as the baseline to see every metric beside it.</p>
            <div class="ev" style={{ justifyContent: "center" }}>
              {(theirs.got ?? []).slice(0, 12).map(l => (
                <To key={l.number} class="btn" to={{ base: `${b.file}:${l.number}` }}>
                  {l.id} · {kernel(l.kernel).name} <span class="u">{l.duration ? time(l.duration, 3) : ""}</span>
                </To>
              ))}
            </div>
          </Note>
        )}
      </div>
    );
  if (!own || !old || !now || !pair.got) return <Busy what="Comparing" />;
  const tile = (title: string, metric: string) => {
    const r = facts.get(metric);
    return (
      r && (
        <div>
          <dt>{title}</dt>
          <dd>
            <Value v={r.now} unit={r.unit} />
          </dd>
          <dd class="s">was {say(r.then, r.unit)}</dd>
          <dd class={"s delta " + way(r.word)}>
            {r.difference} {r.word}
          </dd>
        </div>
      )
    );
  };
  const flat = all.flatMap(g => g.rows),
    changed = flat.filter(r => !quiet(r.word)),
    worse = flat.filter(r => r.word === "worse"),
    keep = (r: Row) => only === "all" || (only === "worse" ? r.word === "worse" : !quiet(r.word)),
    said = pair.got.sections[0].messages,
    verdict = said.find(m => m.source === "verdict"),
    goes = pair.got.sections.find(s => s.id === "with");
  return (
    <div class={"wrap cmp" + (pair.busy || details.busy ? " stale" : "")} id="page" data-page="compare">
      <section class="verdict" data-section="pair">
        <div>
          <p class="eyebrow">Compare</p>
          <h1>{clean(verdict?.text ?? "")}</h1>
          {said
            .filter(m => m !== verdict)
            .map((m, i) => (
              <p key={i} class={"sec note " + m.type}>
                {clean(m.text)}
              </p>
            ))}
        </div>
        <dl class="facts">
          {tile("Duration", "gpu__time_duration.sum")}
          {tile("Compute", "sm__throughput.avg.pct_of_peak_sustained_elapsed")}
          {tile("Memory", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed")}
          {tile("Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active")}
        </dl>
      </section>
      {against.got && <Whole v={v} d={against.got} name={fileTitle(bf?.name ?? "").name} of={b.file} />}
      {goes && (
        <section class="card whole" data-section="goes">
          <header>
            <h2>{goes.title}</h2>
          </header>
          <div class="pad">
            {goes.tables.map((t, i) => (
              <Grid
                key={i}
                table={t}
                id="pair.with"
                keep
                find={false}
                bare
                only={c => c !== "unit" && c !== "kernel"}
              />
            ))}
          </div>
        </section>
      )}
      <Ladder v={v} old={old} theirs={theirs.got!} pairs={whole ? pairs : undefined} own={own.number} bf={bf} />
      <section class="card" style={{ marginTop: "14px" }}>
        <header>
          <Seg
            label="Rows"
            value={only}
            options={[
              ["changed", `Changed ${changed.length}`],
              ["worse", `Worse ${worse.length}`],
              ["all", `All ${flat.length}`],
            ]}
            pick={setOnly}
          />
          <label class="th">
            Noise
            <input
              type="range"
              min={0}
              max={25}
              step={0.5}
              value={least}
              aria-label="Differences below this are noise"
              onInput={e =>
                set({ least: Number(e.currentTarget.value) === noise.share ? "" : e.currentTarget.value }, false)
              }
            />
            <b>{least} %</b> or {noise.points} pp
          </label>
          <span class="sub">{flat.length - changed.length} within noise or the same</span>
          <span class="grow" />
          {!api.saved && (
            <button class="btn ghost" onClick={async () => copy(await base.comment(v.file.id, v.launch, b, at, least))}>
              <Icon name="copy" size="s" /> Markdown for a pull request
            </button>
          )}
          {!api.saved && (
            <button class="btn ghost" onClick={() => copy(commandLine(v, "compare"))}>
              <Icon name="terminal" size="s" /> Command
            </button>
          )}
        </header>
        <div class="scrollx" tabIndex={0} role="group" aria-label="Metrics compared">
          <table>
            <thead>
              <tr>
                <th scope="col">Metric</th>
                <th scope="col" class="number">
                  {kernel(own.kernel).name.slice(0, 24)}
                </th>
                <th scope="col" class="number">
                  <span class="bk">1</span>
                  {whole ? "before" : kernel(old.kernel).name.slice(0, 24)}
                </th>
                <th scope="col" class="number">
                  Change
                </th>
                <th scope="col">
                  <span class="mut">less · more</span>
                </th>
                <th scope="col">In words</th>
                {bases.map((_, k) => (
                  <th key={k} scope="col" class="number">
                    <span class="bk">{k + 2}</span>
                  </th>
                ))}
              </tr>
            </thead>
            {all.map(g => {
              const rows = g.rows.filter(keep);
              if (!rows.length) return null;
              const closed = shut.has(g.id),
                n = g.rows.filter(r => !quiet(r.word)).length;
              return (
                <tbody key={g.id} data-section={g.id}>
                  <tr class="gh">
                    <th colSpan={6 + bases.length} scope="rowgroup">
                      <button
                        aria-expanded={!closed}
                        onClick={() => {
                          const s = new Set(shut);
                          if (!s.delete(g.id)) s.add(g.id);
                          setShut(s);
                        }}
                      >
                        <Icon name={closed ? "chevron-right" : "chevron-down"} size="s" />
                        {g.title}
                      </button>
                      <span>
                        {n} changed · {g.rows.length - n} the same
                      </span>
                    </th>
                  </tr>
                  {!closed &&
                    rows.slice(0, 60).map(r => {
                      const w = Math.min(50, Math.abs(r.share) / 2);
                      return (
                        <tr
                          key={r.metric}
                          data-metric={r.metric}
                          title={`${r.metric}\n${raw(r.now, r.unit)}, baseline ${raw(r.then, r.unit)}`}
                        >
                          <td>{r.label}</td>
                          <td class="number">
                            <b>{num(r.now, r.unit).text}</b>
                            <span class="slot">
                              <span class="u">{num(r.now, r.unit).unit}</span>
                            </span>
                          </td>
                          <td class="number sec">
                            {num(r.then, r.unit).text}
                            <span class="slot">
                              <span class="u">{num(r.then, r.unit).unit}</span>
                            </span>
                          </td>
                          <td class={"number delta " + way(r.word)}>{r.difference}</td>
                          <td>
                            <span class="dvg">
                              <i
                                class={way(r.word)}
                                style={r.share < 0 ? { right: "50%", width: w + "%" } : { left: "50%", width: w + "%" }}
                              />
                            </span>
                          </td>
                          <td class={"delta " + way(r.word)}>{r.word}</td>
                          {bases.map((_, k) => {
                            const x = rest.got?.[k]?.get(r.metric);
                            return (
                              <td key={k} class={"number delta " + way(x?.word ?? "")} title={x && raw(x.then, x.unit)}>
                                {x?.difference ?? "–"}
                              </td>
                            );
                          })}
                        </tr>
                      );
                    })}
                </tbody>
              );
            })}
          </table>
        </div>
        {!changed.length && only !== "all" && (
          <Note title="Nothing changed by more than the noise" icon="circle-check" />
        )}
      </section>
    </div>
  );
}

// Whole is what the comparison of two files says: the verdict, what makes them unlike but the code, kernels, and
// what goes with their change. It is the Document of gpuprof diff, its words too.
function Whole({ v, d, name, of }: { v: View; d: Document; name: string; of: string }) {
  const [head, ...rest] = d.sections,
    verdict = head?.messages.find(m => m.source === "verdict"),
    notes = head?.messages.filter(m => m !== verdict) ?? [];
  return (
    <section class="card whole" data-section="diff">
      <header>
        <h2>
          All of {fileTitle(v.file.name).name} against <span class="bk">1</span> {name}
        </h2>
      </header>
      <div class="pad">
        {verdict && <p class="say">{verdict.text}</p>}
        {notes.map((m, i) => (
          <p key={i} class={"note " + m.type}>
            {m.text}
          </p>
        ))}
        {rest
          .filter(s => s.id !== "metrics")
          .map(s => (
            <div key={s.id} data-section={s.id}>
              <h3>{s.title}</h3>
              {s.tables.map((t, i) => (
                <Grid
                  key={i}
                  table={t}
                  id={"diff." + s.id}
                  keep
                  find={false}
                  bare
                  only={c => c !== "unit" && (c !== "matched" || t.rows.some(r => r[0] === "~"))}
                  at={t.link ? column(t, t.link.cell) : undefined}
                  to={t.link?.to === "launch" ? r => leads(t, r, v, of) : undefined}
                  opens="Details of this launch"
                />
              ))}
            </div>
          ))}
      </div>
    </section>
  );
}

// leads is the launch that a row of a comparison is about: operands are the baseline, then the file.
function leads(t: Table, row: number, v: View, of: string): State {
  const [operand, number] = linked(t).map(c => t.rows[row][c]);
  return {
    page: "details",
    file: operand === 0 ? of : v.file.id,
    launch: String(number ?? 0),
    base: operand === 0 ? "" : (v.state.base ?? ""),
    filter: "",
  };
}

// Ladder is every launch against the baseline, on a scale of logarithms; with a file each
// against its own partner there.
function Ladder({
  v,
  old,
  theirs,
  pairs: to,
  own,
  bf,
}: {
  v: View;
  old: api.Launch;
  theirs: api.Launch[];
  pairs?: Map<number, number>; // of launches, if the baseline is a file
  own: number;
  bf?: api.File;
}) {
  const whole = !!to,
    ls = v.launches!.filter(l => l.duration > 0).slice(0, 60),
    pairs = ls.map(l => ({ l, o: to ? theirs[to.get(l.number) ?? -1] : old }));
  if (ls.length < 2) return null;
  const all = pairs.flatMap(p => [p.l.duration, p.o?.duration ?? 0]).filter(x => x > 0),
    low = Math.log10(Math.min(...all)) - 0.15,
    high = Math.log10(Math.max(...all)),
    place = (x: number) => (100 * (Math.log10(x) - low)) / (high - low || 1);
  const lost = whole ? theirs.filter(t => !pairs.some(p => p.o === t)) : [];
  return (
    <section class="card ladder">
      <header>
        <h2>
          All launches against <span class="bk">1</span>
          {whole ? fileTitle(bf?.name ?? "").name : `${old.id} · ${kernel(old.kernel).name}`}
        </h2>
        <span class="sub">duration, log scale; the line is the baseline</span>
      </header>
      <div class="lad">
        {pairs.map(({ l, o }) => {
          const r = o && o.duration > 0 ? relative(l.duration, o.duration, "ns", "duration") : undefined,
            self = !whole && o === theirs[l.number] && bf?.id === v.file.id && l.number === old.number;
          return (
            <To
              key={l.number}
              to={{ launch: String(l.number) }}
              aria-current={l.number === own ? "true" : undefined}
              title={clean(l.kernel)}
            >
              <span class="nm">
                {l.id} · {kernel(l.kernel).name}
              </span>
              <span class="trk">
                <i style={{ width: place(l.duration) + "%" }} />
                {o && o.duration > 0 && <em style={{ left: place(o.duration) + "%" }} />}
              </span>
              <b>{time(l.duration, 3)}</b>
              <em class={"delta " + (r?.way ?? "")}>
                {self ? "baseline" : r ? `${r.text} ${r.unit}` : o ? "" : "new"}
              </em>
            </To>
          );
        })}
      </div>
      {lost.length > 0 && (
        <p class="pad mut">Only in the baseline: {lost.map(l => kernel(l.kernel).name).join(", ")}</p>
      )}
    </section>
  );
}
