import { useMemo, useState } from "preact/hooks";
import * as api from "./api";
import * as base from "./base";
import { column, type Document, inRole, linked, type Section, type Table, unitOf } from "./document";
import { metricOf } from "./finding";
import { Icon } from "./icon";
import { isMetrics, labelled } from "./metrics";
import { brief } from "./said";
import { clean, fileTitle, kernel } from "./names";
import { delta, noise, num, raw, relative, say, time } from "./num";
import { Alert, Busy, copy, Difference, Note, Seg, To, Value } from "./parts";
import { set, type State } from "./state";
import { Grid } from "./table";
import { commandLine } from "./commands";
import { useAsk, useDoc, type View } from "./use";

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
          {v.launches!.slice(0, 12).map(l => (
            <To key={l.number} class="btn" to={{ base: `${v.file.id}:${l.number}` }}>
              {l.id} · {kernel(l.kernel).name} <span class="u">{l.duration ? time(l.duration, 3) : ""}</span>
            </To>
          ))}
        </div>
      </Note>
    </div>
  );
}

interface Row {
  metric: string;
  label: string;
  now: number;
  then: number;
  more: (number | undefined)[]; // of further baselines
  unit: string;
}
interface Group {
  id: string;
  title: string;
  rows: Row[];
}

// rows are the metrics of a launch that the baseline has too, once each, by section.
function groups(now: Section, bases: (Section | undefined)[]): Group[] {
  const seen = new Set<string>(),
    out: Group[] = [];
  const find = (s: Section | undefined): Map<string, number> => {
    const all = new Map<string, number>();
    const walk = (x: Section) => {
      for (const t of [...x.tables, ...x.charts])
        if (isMetrics(t))
          t.rows.forEach(
            r =>
              typeof r[inRole(t, "value")] === "number" &&
              !all.has(String(r[inRole(t, "metric")])) &&
              all.set(String(r[inRole(t, "metric")]), Number(r[inRole(t, "value")])),
          );
      x.sections?.forEach(walk);
    };
    if (s) walk(s);
    return all;
  };
  const then = bases.map(find);
  const add = (g: Group, t: Table) => {
    if (!isMetrics(t)) return;
    const names = labelled(t),
      [m, val] = [inRole(t, "metric"), inRole(t, "value")];
    t.rows.forEach((r, i) => {
      const metric = String(r[m]),
        old = then[0]?.get(metric);
      if (seen.has(metric) || typeof r[val] !== "number" || old === undefined) return;
      seen.add(metric);
      g.rows.push({
        metric,
        label: names[i],
        now: r[val] as number,
        then: old,
        more: then.slice(1).map(b => b.get(metric)),
        unit: unitOf(t, i, val),
      });
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
  const { got, error, busy } = useDoc(v, "details", { "print-details": "all" }, v.launch);
  const now = got?.doc.sections[0],
    then = got?.bases.map(x => x?.sections[0]);
  const all = useMemo(() => (now && then?.[0] ? groups(now, then) : []), [now, then?.[0], then?.[1]]);
  if (error) return <Alert title="This cannot be compared.">{error}</Alert>;
  const own = v.launches!.find(l => l.number === v.launch),
    pairs = useMemo(() => against.got && base.partners(against.got), [against.got]),
    at = !whole || b.file === v.file.id ? (b.launch ?? v.launch) : pairs?.get(v.launch),
    old = at === undefined ? undefined : theirs.got?.[at];
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
  if (!own || !old || !now || !then?.[0]) return <Busy what="Comparing" />;
  const timed = own.duration > 0 && old.duration > 0,
    d = delta(own.duration, old.duration, "ns", "duration", least),
    rel = relative(own.duration, old.duration, "ns", "duration", least),
    m = (s: Section, n: string) => metricOf(s, n)?.value as number | undefined;
  const tile = (title: string, metric: string, unit: string) => {
    const a = m(now, metric),
      z = m(then[0]!, metric);
    if (typeof a !== "number" || typeof z !== "number") return null;
    const x = relative(a, z, unit, metric, least);
    return (
      <div>
        <dt>{title}</dt>
        <dd>
          <Value v={a} unit={unit} />
        </dd>
        <dd class="s">was {say(z, unit)}</dd>
        <dd class="s">
          <Difference d={x} /> {x.same ? "the same within noise" : x.more ? "more" : "less"}
        </dd>
      </div>
    );
  };
  const judged = all.map(g => ({
    ...g,
    rows: g.rows.map(r => ({
      ...r,
      d: delta(r.now, r.then, r.unit, r.metric, least),
      rel: relative(r.now, r.then, r.unit, r.metric, least),
    })),
  }));
  const flat = judged.flatMap(g => g.rows),
    changed = flat.filter(r => !r.d.same),
    worse = flat.filter(r => r.d.way === "worse");
  const keep = (r: (typeof flat)[0]) => only === "all" || (only === "worse" ? r.d.way === "worse" : !r.d.same);
  const sameWork = own.grid === old.grid && own.block === old.block,
    bound = (s: Section): string =>
      (m(s, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed") ?? 0) >=
      (m(s, "sm__throughput.avg.pct_of_peak_sustained_elapsed") ?? 0)
        ? "memory"
        : "compute";
  const markdown = () => {
    const lines = [
      `**${kernel(own.kernel).name}** takes ${d.same ? "the same time as" : `${time(Math.abs(own.duration - old.duration))} ${d.more ? "more" : "less"} time than`} \`${kernel(old.kernel).name}\`: ${time(own.duration)} instead of ${time(old.duration)}.`,
      "",
      "| metric | now | before | change |",
      "|---|--:|--:|--:|",
    ];
    for (const r of changed.slice(0, 40))
      lines.push(`| ${r.label} | ${say(r.now, r.unit)} | ${say(r.then, r.unit)} | ${r.rel.text} ${r.rel.unit} |`);
    return lines.join("\n") + "\n";
  };
  return (
    <div class={"wrap cmp" + (busy ? " stale" : "")} id="page" data-page="compare">
      <section class="verdict">
        <div>
          <p class="eyebrow">Compare</p>
          <h1>
            <code>{kernel(own.kernel).name}</code>
            {!timed ? (
              <>
                : the time of{" "}
                {own.duration > 0 ? "the baseline was not" : old.duration > 0 ? "this launch was not" : "neither was"}{" "}
                measured.
              </>
            ) : (
              <>
                {d.same ? (
                  <>
                    {" "}
                    takes <b>the same time</b> as
                  </>
                ) : (
                  <>
                    {" "}
                    takes{" "}
                    <b class={d.way}>
                      {time(Math.abs(own.duration - old.duration))} {d.more ? "more" : "less"} time
                    </b>{" "}
                    than
                  </>
                )}{" "}
                <code>{whole ? fileTitle(bf?.name ?? "").name : kernel(old.kernel).name}</code>: {time(own.duration)}{" "}
                instead of {time(old.duration)}.
              </>
            )}
          </h1>
          <p class="sec">
            {sameWork
              ? "Same grid and block."
              : `Grid and block ${own.grid.replace(/, 1/g, "")}×${own.block.replace(/, 1/g, "")}, before ${old.grid.replace(/, 1/g, "")}×${old.block.replace(/, 1/g, "")}.`}{" "}
            {bound(now) === bound(then[0])
              ? `Both come closest to the peak of ${bound(now)}.`
              : `It was bound by ${bound(then[0])}, now by ${bound(now)}.`}{" "}
            One measurement of each: differences have no verdict of chance.
          </p>
        </div>
        <dl class="facts">
          {timed && (
            <div>
              <dt>Duration</dt>
              <dd>
                <Value v={own.duration} unit="ns" />
              </dd>
              <dd class="s">was {time(old.duration)}</dd>
              <dd class={"s delta " + rel.way}>
                {rel.text}
                {rel.unit && ` ${rel.unit}`} {rel.way}
              </dd>
            </div>
          )}
          {tile("Compute", "sm__throughput.avg.pct_of_peak_sustained_elapsed", "%")}
          {tile("Memory", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "%")}
          {tile("Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active", "%")}
        </dl>
      </section>
      {against.got && <Whole v={v} d={against.got} name={fileTitle(bf?.name ?? "").name} of={b.file} />}
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
          <button class="btn ghost" onClick={() => copy(markdown())}>
            <Icon name="copy" size="s" /> Markdown for a pull request
          </button>
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
                {then.slice(1).map((_, k) => (
                  <th key={k} scope="col" class="number">
                    <span class="bk">{k + 2}</span>
                  </th>
                ))}
              </tr>
            </thead>
            {judged.map(g => {
              const rows = g.rows.filter(keep);
              if (!rows.length) return null;
              const closed = shut.has(g.id),
                n = g.rows.filter(r => !r.d.same).length;
              return (
                <tbody key={g.id} data-section={g.id}>
                  <tr class="gh">
                    <th colSpan={6 + then.length - 1} scope="rowgroup">
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
                      const share =
                          r.unit === "%" ? r.now - r.then : r.then ? (100 * (r.now - r.then)) / Math.abs(r.then) : 100,
                        w = Math.min(50, Math.abs(share) / 2);
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
                          <td class="number">
                            <span class={"delta " + (r.d.way || (r.d.same ? "same" : ""))}>{r.d.text}</span>
                            <span class="slot">
                              <span class="u">{r.d.unit}</span>
                            </span>
                          </td>
                          <td>
                            <span class="dvg">
                              <i
                                class={r.d.way}
                                style={share < 0 ? { right: "50%", width: w + "%" } : { left: "50%", width: w + "%" }}
                              />
                            </span>
                          </td>
                          <td class={"delta " + (r.d.way || (r.d.same ? "same" : ""))}>
                            {r.d.same
                              ? r.now === r.then
                                ? "the same"
                                : "within noise"
                              : `${r.d.share || ""} ${r.d.way || (r.d.more ? "more" : "less")}`.trim()}
                          </td>
                          {r.more.map((x, k) => (
                            <td key={k} class="number">
                              {x === undefined ? (
                                "–"
                              ) : (
                                <Difference
                                  d={relative(r.now, x, r.unit, r.metric, least)}
                                  title={"baseline " + raw(x, r.unit)}
                                />
                              )}
                            </td>
                          ))}
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
