import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import * as api from "./api";
import * as base from "./base";
import { column, inRole, type Section, type Table } from "./document";
import { heatColumn, metricColumn, spots } from "./spot";
import { read, set, type State } from "./state";
import { Grid, tester } from "./table";

type Sections = { now?: Section; bases: (Section | undefined)[] };

// useListing loads a view of the source of a launch, and of its baselines.
function useListing(
  file: string,
  launch: number,
  view: string,
  bases: string | undefined,
): [Sections | undefined, string] {
  const wish = [file, launch, view, bases ?? ""].join(" "),
    [got, put] = useState<{ wish: string } & Sections>(),
    [error, setError] = useState("");
  useEffect(() => {
    let live = true;
    setError("");
    if (!view) return;
    const options = { "print-source": view };
    api
      .page("source", file, options, launch)
      .then(async d => {
        const bs = base.parse(bases);
        if (live) put({ wish, now: d.sections[0], bases: [] });
        const old = await Promise.all(
          bs.map(b =>
            base.load("source", file, launch, options, b, d).then(
              o => o.sections[0],
              () => undefined,
            ),
          ),
        );
        if (live && bs.length) put({ wish, now: d.sections[0], bases: old });
      })
      .catch(e => {
        if (live) setError(e.message);
      });
    return () => {
      live = false;
    };
  }, [wish]);
  return [got?.wish === wish ? got : undefined, error];
}

const listings = (s: Section | undefined): Table[] => s?.tables.filter(t => t.id !== "markers") ?? [];

// Source shows the code of a launch: instructions, source lines, or both beside
// each other with the lines and instructions that belong together lit.
export function Source({ file, launch, state }: { file: api.File; launch: number; state: State }) {
  const [sass, sassError] = useListing(file.id, launch, "sass", state.base);
  const lines = listings(sass?.now).some(t => inRole(t, "line") >= 0);
  const view = state.ask ?? (sass ? (lines && !api.saved ? "both" : "sass") : ""),
    other = view === "both" ? "cuda" : view === "sass" ? "" : view;
  const [left, leftError] = useListing(file.id, launch, other, state.base);
  const panes = useMemo(
    () => [...(other ? [pane(other, left)] : []), ...(view === "both" || view === "sass" ? [pane("sass", sass)] : [])],
    [other, left, view, sass],
  );
  const tables = useMemo(
    () => panes.flatMap(p => p.tables.map((table, i) => ({ id: `${p.view}.${i}`, table }))),
    [panes],
  );
  const of = view === "both" ? tables.filter(t => t.id.startsWith("sass")) : tables;
  const hottest = useMemo(() => spots(of, state.heat), [tables, state.heat]);
  const found = useMemo(() => matches(tables, state.seek ?? ""), [tables, state.seek]);
  const step = (list: string[], by: number) => {
    const at = list.indexOf(read().spot ?? ""),
      n = list.length;
    if (n) set({ spot: list[by > 0 ? (at + 1) % n : (Math.max(at, 0) + n - 1) % n] }, false);
  };
  useLayoutEffect(() => {
    // at once: no key is lost
    const key = (e: KeyboardEvent) => {
      if (
        e.ctrlKey ||
        e.metaKey ||
        e.altKey ||
        e.target instanceof HTMLInputElement ||
        e.target instanceof HTMLTextAreaElement ||
        e.target instanceof HTMLSelectElement
      )
        return;
      if (e.key === "n") step(hottest, 1);
      else if (e.key === "p") step(hottest, -1);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [hottest]);
  const error = sassError || leftError,
    ready = view && (!other || left) && sass;
  const first = of[0]?.table,
    cols = chosen(
      tables.map(t => t.table),
      state.cols,
    );
  return (
    <div id={ready ? "page" : undefined} data-page={ready ? "source" : undefined} class="source">
      {sass?.now && <h2>{sass.now.title}</h2>}
      <div class="bar">
        <label>
          View{" "}
          <select id="source-view" value={view} onChange={e => set({ ask: e.currentTarget.value, spot: "" })}>
            {["sass", "ptx", "cuda", "cuda,sass", "both"].map(v => (
              <option value={v}>{v === "both" ? "cuda beside sass" : v}</option>
            ))}
          </select>
        </label>
        {first && (
          <label>
            Heat{" "}
            <select
              id="heat"
              value={first.columns[heatColumn(first, state.heat)]?.name ?? ""}
              onChange={e => set({ heat: e.currentTarget.value, spot: "" })}
            >
              {metrics([first]).map(m => (
                <option value={m.name}>{m.label}</option>
              ))}
            </select>
          </label>
        )}
        <button onClick={() => step(hottest, -1)} disabled={!hottest.length}>
          Previous hot spot (p)
        </button>
        <button onClick={() => step(hottest, 1)} disabled={!hottest.length}>
          Next hot spot (n)
        </button>
        <label>
          Find{" "}
          <input
            id="find"
            type="search"
            value={state.seek ?? ""}
            onInput={e => set({ seek: e.currentTarget.value }, false)}
            onKeyDown={e => {
              if (e.key === "Enter") step(found, e.shiftKey ? -1 : 1);
            }}
          />
        </label>
        {state.seek && <span role="status">{found.length} rows</span>}
        <Columns tables={tables.map(t => t.table)} shown={cols} />
      </div>
      {error && (
        <p role="alert" class="error">
          {error}
        </p>
      )}
      {!ready && !error && <p role="status">Loading…</p>}
      {ready && !tables.length && <p class="empty">The report holds no code of this launch in this view.</p>}
      {ready && (
        <div class={"panes n" + panes.length}>
          {panes.map(p => (
            <Pane key={p.view} pane={p} cols={cols} state={state} linked={view === "both"} found={found} />
          ))}
        </div>
      )}
      {ready &&
        sass.now?.tables.filter(t => t.id === "markers").map((t, i) => <Grid key={i} table={t} id={"markers." + i} />)}
    </div>
  );
}

interface PaneOf {
  view: string;
  tables: Table[];
  bases: (Section | undefined)[];
}
const pane = (view: string, s?: Sections): PaneOf => ({ view, tables: listings(s?.now), bases: s?.bases ?? [] });

// metrics are the columns of metrics that any of the tables has, in its order,
// which is that of the sections' source metrics.
function metrics(tables: Table[]): { name: string; label: string }[] {
  const out = new Map<string, string>();
  for (const t of tables)
    t.columns.forEach((c, i) => {
      if (metricColumn(t, i) && c.type !== "list" && t.labels[i] !== null && !out.has(c.name))
        out.set(c.name, t.labels[i]!);
    });
  return [...out].map(([name, label]) => ({ name, label }));
}

// chosen are the columns to show: those of the address, else the first that tell
// anything.
function chosen(tables: Table[], cols: string | undefined): Set<string> {
  if (cols !== undefined) return new Set(cols.split(","));
  const tells = (n: string) =>
    tables.some(t => {
      const c = column(t, n);
      return c >= 0 && t.rows.some(r => r[c] !== null && r[c] !== 0 && r[c] !== "");
    });
  return new Set(
    metrics(tables)
      .filter(m => tells(m.name))
      .slice(0, 8)
      .map(m => m.name),
  );
}

function Columns({ tables, shown }: { tables: Table[]; shown: Set<string> }) {
  const all = metrics(tables);
  const flip = (n: string) => {
    const s = new Set(shown);
    if (!s.delete(n)) s.add(n);
    set(
      {
        cols:
          all
            .filter(m => s.has(m.name))
            .map(m => m.name)
            .join(",") || "none",
      },
      false,
    );
  };
  return (
    <details class="columns">
      <summary>
        Columns: {all.filter(m => shown.has(m.name)).length} of {all.length}
      </summary>
      <div>
        <button onClick={() => set({ cols: all.map(m => m.name).join(",") }, false)}>All</button>{" "}
        <button onClick={() => set({ cols: "" }, false)}>Those that tell something</button>
        {all.map(m => (
          <label key={m.name} title={m.name}>
            <input type="checkbox" checked={shown.has(m.name)} onChange={() => flip(m.name)} /> {m.label}
          </label>
        ))}
      </div>
    </details>
  );
}

// matches are the rows in which a text is found, as GRID,ROW.
function matches(tables: { id: string; table: Table }[], find: string): string[] {
  if (!find) return [];
  const test = tester(find);
  return tables.flatMap(({ id, table: t }) => {
    const cs = t.columns.flatMap((c, i) => (["code", "address", "line"].includes(c.role ?? "") ? [i] : []));
    return t.text.flatMap((r, i) => (cs.some(c => test(r[c])) ? [`${id},${i}`] : []));
  });
}

function Pane({
  pane: p,
  cols,
  state,
  linked,
  found,
}: {
  pane: PaneOf;
  cols: Set<string>;
  state: State;
  linked: boolean;
  found: string[];
}) {
  const key = "show." + p.view,
    [grid] = (state.spot ?? "").split(",");
  const [file, line] = split(state.line ?? "");
  const place = p.tables.findIndex(t => t.title === file);
  const hit = p.tables.findIndex((_, i) => grid === `${p.view}.${i}`);
  const n =
      hit >= 0
        ? hit
        : p.view !== "sass" && linked && place >= 0
          ? place
          : Math.min(Number(state[key]) || 0, p.tables.length - 1),
    t = p.tables[n];
  const rows = useMemo(
    () => new Set(found.filter(f => f.startsWith(`${p.view}.${n},`)).map(f => Number(f.split(",")[1]))),
    [found, n],
  );
  if (!t) return null;
  const f = inRole(t, "file"),
    l = inRole(t, "line"),
    heat = t.columns[heatColumn(t, state.heat)]?.name;
  const where = (r: number): string =>
    l < 0 || t.rows[r][l] === null ? "" : `${f >= 0 ? t.rows[r][f] : t.title}:${t.rows[r][l]}`;
  const pick =
    linked || f >= 0
      ? (r: number) => {
          if (where(r)) set({ line: state.line === where(r) ? "" : where(r), spot: "" }, false);
        }
      : undefined;
  const dress = instructions(t);
  const same = p.bases.map(b => {
    const ts = listings(b);
    return ts.find(o => o.id === t.id && o.title === t.title) ?? ts[n];
  });
  return (
    <div class="pane">
      {p.tables.length > 1 && (
        <label>
          {p.view === "sass" ? "Function" : "File"}{" "}
          <select value={String(n)} onChange={e => set({ [key]: e.currentTarget.value, spot: "", line: "" }, false)}>
            {p.tables.map((t, i) => (
              <option value={String(i)}>{t.title || t.id}</option>
            ))}
          </select>
        </label>
      )}
      <div class="listing">
        <Grid
          key={p.view + n}
          table={t}
          id={`${p.view}.${n}`}
          bases={same}
          hot={heat ?? true}
          dress={dress}
          only={c =>
            !metricColumn(t, column(t, c))
              ? !(column(t, c) === f && linked) &&
                !(dress && (c === "class" || c === "meaning")) &&
                t.rows.some(r => r[column(t, c)] !== null)
              : cols.has(c)
          }
          lit={r => rows.has(r) || (line !== "" && where(r) === `${file}:${line}`)}
          pick={pick}
        />
        <Heat table={t} id={`${p.view}.${n}`} heat={state.heat} />
      </div>
    </div>
  );
}

// instructions colours instructions by the class that the server tells, and says
// on hover what they do, what they tell the scheduler and what they wait for.
function instructions(t: Table) {
  const [cl, meaning, control, live, waits] = ["class", "meaning", "control", "live", "waits"].map(n => column(t, n));
  if (cl < 0) return undefined;
  return (r: number, c: string) => {
    const row = t.rows[r];
    if (t.columns[column(t, c)].role !== "code" || row[cl] === null) return undefined;
    return {
      class: "op " + row[cl],
      title: [
        `${row[cl]}: ${row[meaning] ?? "not explained"}`,
        `control ${row[control]}`,
        `${row[live]} live registers`,
        ...(row[waits] ? [`waits for ${row[waits]}`] : []),
      ].join("\n"),
    };
  };
}

const split = (s: string): [string, string] => {
  const i = s.lastIndexOf(":");
  return i < 0 ? ["", ""] : [s.slice(0, i), s.slice(i + 1)];
};

// Heat is a map of a listing from top to bottom: each stripe has the heat of its
// hottest row, and leads there.
function Heat({ table: t, id, heat }: { table: Table; id: string; heat?: string }) {
  const stripes = useMemo(() => {
    const c = heatColumn(t, heat),
      n = Math.min(200, t.rows.length),
      most = t.rows.reduce((m, r) => Math.max(m, Number(r[c]) || 0), 0);
    if (c < 0 || !most) return [];
    return Array.from({ length: n }, (_, i) => {
      const a = Math.floor((i * t.rows.length) / n),
        b = Math.max(a + 1, Math.floor(((i + 1) * t.rows.length) / n));
      let row = a;
      for (let k = a; k < b; k++) if ((Number(t.rows[k][c]) || 0) > (Number(t.rows[row][c]) || 0)) row = k;
      return { row, share: (Number(t.rows[row][c]) || 0) / most };
    });
  }, [t, heat]);
  if (stripes.length < 30) return null;
  return (
    <svg
      class="heatmap"
      viewBox={`0 0 10 ${stripes.length}`}
      preserveAspectRatio="none"
      role="img"
      aria-label="Heat of the listing from top to bottom"
    >
      {stripes.map(
        (s, i) =>
          s.share > 0 && (
            <rect
              key={i}
              x="0"
              y={i}
              width="10"
              height="1"
              style={{ fillOpacity: 0.15 + 0.85 * s.share }}
              onClick={() => set({ spot: `${id},${s.row}` }, false)}
            >
              <title>{`row ${s.row + 1}`}</title>
            </rect>
          ),
      )}
    </svg>
  );
}
