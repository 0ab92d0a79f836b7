import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import * as api from "./api";
import * as base from "./base";
import { column, inRole, type Section, type Table } from "./document";
import { messages } from "./finding";
import { Icon, IconButton } from "./icon";
import { Listing } from "./listing";
import { Popup } from "./menu";
import { base as last, clean, kernel } from "./names";
import { count, group, num, say, time } from "./num";
import { Alert, Busy, Note, Pick, Seg, To } from "./parts";
import { heatColumn, metricColumn, placeOf, splitPlace, spots, stalls } from "./spot";
import { read, set } from "./state";
import { formers, tester, useKeys } from "./table";
import { useAsk, type View } from "./use";

type Sections = { now?: Section; bases: (Section | undefined)[] };

const listings = (s: Section | undefined): Table[] => s?.tables.filter(t => t.id !== "markers") ?? [];

// useListing loads a view of the source of a launch, and of its baselines.
function useListing(v: View, view: string) {
  const bs = base.parse(v.state.base),
    ready = !!view && (v.launches !== null || v.state.launch !== undefined);
  return useAsk<Sections>(
    ready ? JSON.stringify(["source", v.file.id, v.launch, view, v.state.base ?? "", v.revision]) : "",
    () => {
      if (!ready) return null;
      const options = { "print-source": view };
      return api.page("source", v.file.id, options, v.launch).then(async d => ({
        now: d.sections[0],
        bases: await Promise.all(
          bs.slice(0, 1).map(b =>
            base.load("source", v.file.id, v.launch, options, b, d).then(
              o => o.sections[0],
              () => undefined,
            ),
          ),
        ),
      }));
    },
  );
}

const names: Record<string, string> = { sass: "SASS", both: "CUDA + SASS", cuda: "CUDA", ptx: "PTX" };

interface Pane {
  view: string;
  tables: Table[];
  bases: (Section | undefined)[];
}

// Source answers which line costs most, and what it waits for.
export function Source({ v }: { v: View }) {
  const { state } = v,
    sass = useListing(v, "sass");
  const lines = listings(sass.got?.now).some(t => inRole(t, "line") >= 0);
  const view = names[state.ask ?? ""] ? state.ask : sass.got ? (lines ? "both" : "sass") : "",
    other = view === "both" ? "cuda" : view === "sass" ? "" : view;
  const left = useListing(v, other),
    error = sass.error || (view === "both" ? "" : left.error);
  if (error) return <Alert title="The code cannot be shown.">{error}</Alert>;
  if (!sass.got || (other && !left.got && !left.error)) return <Busy what="Reading the code" />;
  return (
    <Board
      v={v}
      sass={sass.got}
      left={other ? left.got : undefined}
      view={view}
      other={other}
      lines={lines}
      stale={sass.busy || left.busy}
    />
  );
}

function Board({
  v,
  sass,
  left,
  view,
  other,
  lines,
  stale,
}: {
  v: View;
  sass: Sections;
  left?: Sections;
  view: string;
  other: string;
  lines: boolean;
  stale: boolean;
}) {
  const { state } = v,
    [menu, setMenu] = useState<Element | null>(null),
    box = useRef<HTMLDivElement>(null);
  const pane = (name: string, s?: Sections): Pane => ({ view: name, tables: listings(s?.now), bases: s?.bases ?? [] });
  const panes = useMemo(
    () =>
      [
        ...(other && left ? [pane(other, left)] : []),
        ...(view === "both" || view === "sass" ? [pane("sass", sass)] : []),
      ].filter(p => p.tables.length),
    [left, sass, view],
  );
  const tables = useMemo(
      () => panes.flatMap(p => p.tables.map((table, i) => ({ id: `${p.view}.${i}`, table }))),
      [panes],
    ),
    own = view === "both" || view === "sass" ? tables.filter(t => t.id.startsWith("sass")) : tables;
  const hottest = useMemo(() => spots(own, state.heat), [own, state.heat]),
    first = own[0]?.table,
    hot = first ? heatColumn(first, state.heat) : -1,
    heatName = hot >= 0 ? first.columns[hot].name : "";
  const sum = useMemo(() => {
    const of = listings(sass.now).some(t => column(t, heatName) >= 0) ? listings(sass.now) : own.map(o => o.table);
    return of.reduce((s, t) => s + t.rows.reduce((n, r) => n + (Number(r[column(t, heatName)]) || 0), 0), 0);
  }, [sass, own, heatName]);
  const found = useMemo(() => matches(tables, state.seek ?? ""), [tables, state.seek]);
  const all = useMemo(() => metricsOf(tables.map(t => t.table)), [tables]),
    cols = state.cols === undefined ? preset(all, view === "sass") : state.cols.split(",");
  const heats = all.filter(m => !m.live);
  useEffect(() => {
    // a line number that was typed: the first file that has it
    if (!state.go) return;
    const t =
      tables.find(
        t => t.id.startsWith("cuda") && t.table.rows.some(r => String(r[inRole(t.table, "line")]) === state.go),
      ) ??
      tables.find(
        t => inRole(t.table, "line") >= 0 && t.table.rows.some(r => String(r[inRole(t.table, "line")]) === state.go),
      );
    const r = t ? t.table.rows.findIndex(r => String(r[inRole(t.table, "line")]) === state.go) : -1;
    set({ go: "", ...(t && r >= 0 ? { line: placeOf(t.table, r), spot: `${t.id},${r}` } : {}) }, false);
  }, [state.go, tables]);
  const step = (list: string[], by: number) => {
    const at = list.indexOf(read().spot ?? ""),
      n = list.length;
    if (!n) return;
    const spot = list[by > 0 ? (at + 1) % n : (Math.max(at, 0) + n - 1) % n],
      [id, row] = spot.split(","),
      t = tables.find(t => t.id === id)?.table;
    set({ spot, line: t ? placeOf(t, Number(row)) : "" }, false);
  };
  const views = ["sass", ...(lines ? ["both", "cuda"] : []), "ptx"].filter(x => !api.saved || x !== "ptx");
  useKeys(e => {
    if (e.key === "n") step(hottest, 1);
    if (e.key === "p") step(hottest, -1);
    if (e.key === "v") set({ ask: views[(views.indexOf(view) + 1) % views.length], spot: "" });
    if (e.key === "h" && heats.length)
      set({ heat: heats[(heats.findIndex(m => m.name === heatName) + 1) % heats.length].name, spot: "" }, false);
    if (e.key === "q") set({ dock: state.dock === "0" ? "" : "0" }, false);
    if (e.key === "l") box.current?.querySelector(".pane:not(:focus-within) .sc")?.dispatchEvent(new Event("reveal"));
  });
  const [spotGrid, spotRow] = (state.spot ?? "").split(","),
    place = state.line ?? "",
    at = hottest.indexOf(state.spot ?? "");
  const noText =
    listings(sass.now).length > 0 &&
    listings(sass.now).every(t =>
      t.rows.every(r => r[inRole(t, "code")] === null || /^0x/.test(String(r[inRole(t, "code")]))),
    );
  const markers = sass.now?.tables.find(t => t.id === "markers");
  return (
    <div class={"src" + (stale ? " stale" : "")} id="page" data-page="source" ref={box}>
      <div class="tb">
        <h1 class="sr">
          Source of {kernel(v.launches?.find(l => l.number === v.launch)?.kernel ?? sass.now?.title ?? "").name}
        </h1>
        <Seg
          label="View"
          value={view}
          options={views.map((x): [string, string] => [x, names[x]])}
          pick={x => set({ ask: x, spot: "" })}
        />
        {first && hot >= 0 && (
          <span class="heatpick">
            <Icon name="flame" size="s" />
            <Pick
              id="heat"
              label="Heat"
              value={heatName}
              options={heats.map((m): [string, string] => [m.name, m.label])}
              pick={x => set({ heat: x, spot: "" })}
            />
          </span>
        )}
        {hottest.length > 0 && (
          <span class="hot">
            <IconButton icon="chevron-left" size="s" label="Previous hot spot (p)" onClick={() => step(hottest, -1)} />
            <span>
              hot spot <b>{at < 0 ? "–" : at + 1}</b> of {hottest.length}
            </span>
            <IconButton icon="chevron-right" size="s" label="Next hot spot (n)" onClick={() => step(hottest, 1)} />
          </span>
        )}
        <span class="grow" />
        {first && stalls(first).length > 0 && <Key t={first} />}
        <label class="inp">
          <Icon name="search" size="s" />
          <input
            type="search"
            data-find
            aria-label="Find in the code"
            placeholder="Find"
            value={state.seek ?? ""}
            onInput={e => set({ seek: e.currentTarget.value }, false)}
            onKeyDown={e => {
              if (e.key === "Enter") step(found, e.shiftKey ? -1 : 1);
              if (e.key === "Escape" && state.seek) {
                e.stopPropagation();
                set({ seek: "" }, false);
              }
            }}
          />
          {state.seek ? <span role="status">{found.length}</span> : <kbd>/</kbd>}
        </label>
        <button class="btn" aria-expanded={!!menu} onClick={e => setMenu(menu ? null : e.currentTarget)}>
          <Icon name="columns-3" size="s" /> Columns
        </button>
        {menu && (
          <Popup of={menu} label="Columns" class="cols" where="bottom-end" close={() => setMenu(null)}>
            <div class="cl">
              {all.map(m => (
                <label key={m.name} title={m.name}>
                  <input
                    type="checkbox"
                    checked={cols.includes(m.name)}
                    onChange={() =>
                      set(
                        {
                          cols:
                            (cols.includes(m.name)
                              ? cols.filter(c => c !== m.name)
                              : all.filter(a => cols.includes(a.name) || a.name === m.name).map(a => a.name)
                            ).join(",") || "none",
                        },
                        false,
                      )
                    }
                  />
                  {m.label}
                </label>
              ))}
            </div>
          </Popup>
        )}
      </div>
      {noText && (
        <p class="hint" role="note">
          <Icon name="info" size="s" /> No instruction text: the report has addresses and counts of this code, and its
          instructions are of a GPU that gpuprof does not decode.
        </p>
      )}
      {!panes.length ? (
        <Note title="There is no code of this launch in this view" icon="code-xml">
          <p>Collect it with the set that has source counters:</p>
          <pre>ncu --set full --import-source yes …</pre>
        </Note>
      ) : (
        <div class={"panes n" + panes.length}>
          {panes.map(p => (
            <PaneOf
              key={p.view}
              p={p}
              v={v}
              cols={cols}
              sum={sum}
              heatName={heatName}
              spotGrid={spotGrid}
              spotRow={Number(spotRow)}
              place={place}
              linked={view === "both"}
              found={found}
              both={panes.length > 1}
            />
          ))}
        </div>
      )}
      {state.dock !== "0" && panes.length > 0 && (
        <Dock
          v={v}
          panes={panes}
          sass={sass}
          place={place}
          spot={state.spot ?? ""}
          sum={sum}
          heatName={heatName}
          markers={markers}
        />
      )}
    </div>
  );
}

function Key({ t }: { t: Table }) {
  const all = stalls(t)
      .map(s => ({ ...s, v: t.rows.reduce((n, r) => n + (Number(r[s.column]) || 0), 0) }))
      .filter(s => s.v > 0)
      .sort((a, b) => b.v - a.v),
    shown = all.filter(s => s.colour !== 7).slice(0, 5);
  return (
    <span class="lgd">
      {shown.map(s => (
        <span key={s.name}>
          <i class={"k" + s.colour} />
          {s.name}
        </span>
      ))}
      {all.some(s => s.colour === 7) && (
        <span>
          <i class="k7" />
          Selected, other
        </span>
      )}
    </span>
  );
}

// metricsOf are the columns of metrics that any of the tables has.
function metricsOf(tables: Table[]): { name: string; label: string; live: boolean }[] {
  const out = new Map<string, string>();
  for (const t of tables)
    t.columns.forEach((c, i) => {
      if (
        (metricColumn(t, i) || c.role === "live") &&
        c.type !== "list" &&
        t.labels[i] !== null &&
        !out.has(c.name) &&
        t.rows.some(r => typeof r[i] === "number" && r[i] !== 0)
      )
        out.set(c.name, clean(t.labels[i]!).replace(/^# ?/, ""));
    });
  return [...out].map(([name, label]) => ({
    name,
    label,
    live: tables.some(t => t.columns[inRole(t, "live")]?.name === name),
  }));
}

// preset are the columns at first; where the instructions have the page for themselves their live registers, too.
const preset = (all: { name: string; live: boolean }[], alone: boolean): string[] => {
  const executed = all.find(m => m.name === "inst_executed") ?? all.find(m => !m.live && !/stall|pcsamp/.test(m.name)),
    live = alone && all.find(m => m.live);
  return [executed, live].flatMap(m => (m ? [m.name] : []));
};

// matches are the rows in which a text is found, as GRID,ROW.
function matches(tables: { id: string; table: Table }[], find: string): string[] {
  if (!find) return [];
  const test = tester(find);
  return tables.flatMap(({ id, table: t }) => {
    const cs = t.columns.flatMap((c, i) => (["code", "address", "line"].includes(c.role ?? "") ? [i] : []));
    return t.text.flatMap((r, i) => (cs.some(c => test(r[c])) ? [`${id},${i}`] : []));
  });
}

interface PaneProps {
  p: Pane;
  v: View;
  cols: string[];
  sum: number;
  heatName: string;
  spotGrid: string;
  spotRow: number;
  place: string;
  linked: boolean;
  found: string[];
  both: boolean;
}

function PaneOf({ p, v, cols, sum, heatName, spotGrid, spotRow, place, linked, found, both }: PaneProps) {
  const { state } = v,
    key = "show." + p.view,
    [file, line] = splitPlace(place);
  const share = useMemo(
    () =>
      p.tables.map(t => {
        const c = column(t, heatName);
        return c < 0 ? 0 : t.rows.reduce((s, r) => s + (Number(r[c]) || 0), 0);
      }),
    [p, heatName],
  );
  const order = p.tables.map((_, i) => i).sort((a, b) => share[b] - share[a]);
  const hit = p.tables.findIndex((_, i) => spotGrid === `${p.view}.${i}`),
    inFile = p.view === "cuda" ? p.tables.findIndex(t => t.title === file) : -1,
    n =
      hit >= 0
        ? hit
        : state[key] !== undefined
          ? Math.min(Number(state[key]) || 0, p.tables.length - 1)
          : inFile >= 0
            ? inFile
            : order[0],
    t = p.tables[n];
  const lit = useMemo(() => {
    const s = new Set<number>();
    if (line) t.rows.forEach((_, i) => placeOf(t, i) === place && s.add(i));
    return s;
  }, [t, place]);
  const hits = useMemo(
    () => new Set(found.filter(f => f.startsWith(`${p.view}.${n},`)).map(f => Number(f.split(",")[1]))),
    [found, n],
  );
  const chosen = spotGrid === `${p.view}.${n}` ? spotRow : p.view === "cuda" && lit.size ? [...lit][0] : -1;
  const before = p.bases.map(b => {
    const ts = listings(b);
    return ts.find(o => o.id === t.id && o.title === t.title) ?? ts[n];
  });
  const former = useMemo(() => (before[0] ? formers(t, before)[0] : undefined), [t, before[0]]);
  const instructions = t.rows.length;
  return (
    <div class="pane" data-view={p.view}>
      <div class="ft" role="group" aria-label={p.view === "sass" ? "Functions" : "Files"}>
        {order.slice(0, both ? 5 : 9).map(i => (
          <button
            key={i}
            aria-pressed={i === n}
            title={clean(p.tables[i].title || p.tables[i].id)}
            onClick={() => set({ [key]: String(i), spot: "" }, false)}
          >
            {name(p, i, v)}
            {sum > 0 && share[i] > 0 && p.tables.length > 1 && <b>{num((100 * share[i]) / sum, "%").text} %</b>}
          </button>
        ))}
        {order.length > (both ? 5 : 9) && (
          <Pick
            label="More files"
            value={order.slice(both ? 5 : 9).includes(n) ? String(n) : ""}
            options={[
              ["", `${order.length - (both ? 5 : 9)} more`],
              ...order
                .slice(both ? 5 : 9)
                .map((i): [string, string] => [String(i), clean(last(p.tables[i].title || p.tables[i].id))]),
            ]}
            pick={x => x && set({ [key]: x, spot: "" }, false)}
          />
        )}
        <span class="mut">
          {p.view === "sass" && `${count(instructions)} instructions`}
          {p.view === "sass" && lit.size > 0 && ` · ${lit.size} of line ${line}`}
          {p.view === "cuda" && p.tables.length > 1 && (
            <span title="Inlined code counts in each file that it comes from: the shares of the files may pass 100 %.">
              inlined code counts where it comes from
            </span>
          )}
        </span>
      </div>
      <Listing
        key={p.view + n}
        id={`${p.view}.${n}`}
        table={t}
        heat={heatName}
        sum={sum}
        cols={cols}
        chosen={chosen}
        lit={lit}
        found={hits}
        former={former}
        linked={linked || inRole(t, "file") >= 0}
        open={false}
        pick={r => set({ spot: `${p.view}.${n},${r}`, line: placeOf(t, r) }, false)}
      />
    </div>
  );
}

const name = (p: Pane, i: number, v: View): string => {
  const t = p.tables[i];
  if (t.title) return clean(p.view === "sass" ? kernel(t.title).name : last(t.title));
  return p.view === "sass" && i === 0
    ? kernel(v.launches?.find(l => l.number === v.launch)?.kernel ?? t.id).name
    : t.id;
};

// Dock tells of the chosen line or instruction: what it costs, what it waits for, what was found there.
function Dock({
  v,
  panes,
  sass,
  place,
  spot,
  sum,
  heatName,
  markers,
}: {
  v: View;
  panes: Pane[];
  sass: Sections;
  place: string;
  spot: string;
  sum: number;
  heatName: string;
  markers?: Table;
}) {
  const [grid, row] = spot.split(","),
    [view, n] = (grid ?? "").split("."),
    t = panes.find(p => p.view === view)?.tables[Number(n)],
    code = panes.find(p => p.view !== "sass")?.tables.find(t => t.title === splitPlace(place)[0]);
  const rows: [Table, number][] = [];
  if (place) for (const s of listings(sass.now)) s.rows.forEach((_, i) => placeOf(s, i) === place && rows.push([s, i]));
  if (!rows.length && t && t.rows[Number(row)]) rows.push([t, Number(row)]);
  const details = useAsk(rows.length ? JSON.stringify(["dock", v.file.id, v.launch, v.revision]) : "", () =>
    rows.length ? api.page("details", v.file.id, { "print-details": "all" }, v.launch) : null,
  );
  if (!rows.length)
    return (
      <aside class="dock none">
        <p class="mut">
          Choose a line: its instructions light up, and what they wait for is told here. <kbd>n</kbd> goes to the
          hottest, <kbd>q</kbd> closes this.
        </p>
      </aside>
    );
  const sumOf = (pick: (t: Table) => number) =>
    rows.reduce((s, [t, i]) => s + (pick(t) >= 0 ? Number(t.rows[i][pick(t)]) || 0 : 0), 0);
  const samples = sumOf(t => inRole(t, "samples")),
    executed = sumOf(t => column(t, "inst_executed")),
    threads = sumOf(t => column(t, "thread_inst_executed")),
    heat = sumOf(t => column(t, heatName));
  const reasons = stalls(rows[0][0])
      .map(s => ({ ...s, v: sumOf(t => stalls(t).find(o => o.name === s.name)?.column ?? -1) }))
      .filter(s => s.v > 0)
      .sort((a, b) => b.v - a.v),
    most = reasons[0]?.v || 1,
    all = reasons.reduce((s, r) => s + r.v, 0);
  const text =
      code && splitPlace(place)[1]
        ? code.rows.find(r => String(r[inRole(code, "line")]) === splitPlace(place)[1])
        : undefined,
    shown = text
      ? String(text[inRole(code!, "code")] ?? "")
      : String(rows[0][0].rows[rows[0][1]][inRole(rows[0][0], "code")] ?? "");
  const duration = v.launches?.find(l => l.number === v.launch)?.duration ?? 0,
    top = details.got?.sections[0];
  const marked = (markers?.rows ?? []).filter(r =>
    rows.some(([t, i]) => r.includes(t.rows[i][inRole(t, "address")] as number)),
  );
  const memory = rows.some(([t, i]) =>
    ["load", "store", "atomic", "copy"].includes(String(t.rows[i][column(t, "class")])),
  );
  // Findings that speak of this kind of code: those marked here, else those about memory where it touches memory.
  const about = top
    ? messages(top).filter(
        m =>
          m.message.speedup?.scope === "global" &&
          (marked.some(r => r.includes(m.message.source)) ||
            (memory && /memory|cache|access|bank|l1tex/i.test(m.message.source + m.message.title))),
      )
    : [];
  return (
    <aside class="dock" aria-label="The chosen line">
      <div>
        <span class="eyebrow">
          {place ? clean(last(place)) : "instruction"} · {rows.length}{" "}
          {rows.length === 1 ? "instruction" : "instructions"}
        </span>
        <p class="dl mono">{clean(shown.trim())}</p>
        <div class="ev">
          {samples > 0 && (
            <span class="chip">
              Samples <b>{group(String(samples))}</b>
            </span>
          )}
          {sum > 0 && (
            <span class="chip">
              Share <b>{say((100 * heat) / sum, "%")}</b>
            </span>
          )}
          {duration > 0 && sum > 0 && /sample/.test(heatName) && (
            <span class="chip" title="its share of the samples of the launch's time">
              about <b>{time((duration * heat) / sum, 3)}</b>
            </span>
          )}
          {executed > 0 && (
            <span class="chip">
              Executed <b>{say(executed, "", 3)}</b>
            </span>
          )}
          {threads > 0 && executed > 0 && (
            <span class="chip">
              Threads/warp <b>{num(threads / executed, "", 3).text}</b>
            </span>
          )}
          {about.slice(0, 3).map(m => (
            <To key={m.message.source + m.message.title} class="chip" to={{ page: "details", at: m.message.source }}>
              <Icon name="flag" size="xs" />
              {clean(m.message.title)} <b>≤ {time((duration * m.message.speedup!.percent) / 100)}</b>
            </To>
          ))}
        </div>
      </div>
      <div>
        <span class="eyebrow">Why its warps wait</span>
        {reasons.slice(0, 6).map(r => (
          <div key={r.name} class="hb">
            <span>{r.name}</span>
            <span class="bt">
              <i style={{ width: (100 * r.v) / most + "%", background: `var(--c${r.colour})` }} />
            </span>
            <b>{say((100 * r.v) / all, "%")}</b>
          </div>
        ))}
      </div>
      <IconButton
        icon="x"
        size="s"
        label="Close the drawer (q)"
        class="close"
        onClick={() => set({ dock: "0" }, false)}
      />
    </aside>
  );
}
