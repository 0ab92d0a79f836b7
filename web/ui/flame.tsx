import { useMemo, useRef, useState } from "preact/hooks";
import * as api from "./api";
import * as card from "./card";
import { Figure } from "./chart";
import { type Chart, column, inRole, type Section } from "./document";
import { Icon } from "./icon";
import { clean, kind, middle, plainName, short } from "./names";
import { say } from "./num";
import { Alert, Busy, Note, Pick, Seg, useWidth } from "./parts";
import { set, useAddress } from "./state";
import { Grid, tester } from "./table";
import { options, pageOf, useDoc, type View } from "./use";

type Options = Record<string, string>;

// Flame shows what ran inside what. The picture is the server's, no finer than
// pixels: a click on a box asks for that part of it.
export function Flame({ v }: { v: View }) {
  const page = pageOf(v, "flame"),
    o = options(page, v.state),
    { got, error, busy } = useDoc(v, "flame", o);
  if (error) return <Alert title="The flame view cannot be made.">{error}</Alert>;
  if (!got) return <Busy what="Adding up what ran inside what" />;
  return (
    <Board
      s={got.doc.sections[0]}
      threads={got.doc.sections[1]?.tables[0]}
      base={got.bases[0]?.sections[0]}
      o={o}
      stale={busy}
    />
  );
}

function Board({
  s,
  threads,
  base,
  o,
  stale,
}: {
  s: Section;
  threads?: import("./document").Table;
  base?: Section;
  o: Options;
  stale: boolean;
}) {
  const state = useAddress(),
    said = (n: string) => String(s.properties?.[n] ?? ""),
    [folded, fold] = useState(state.fold === "1");
  const ask = (change: Options, step = true) => {
    const next = { ...o, ...change };
    delete next.pixels;
    for (const k of Object.keys(next)) if (next[k] === "") delete next[k];
    set({ ask: String(new URLSearchParams(next)) }, step);
  };
  const functions = s.tables.find(t => t.id === "functions"),
    frame = functions ? inRole(functions, "function") : -1,
    [process, thread, events] = ["process", "thread", "count"].map(r => (threads ? inRole(threads, r) : -1)),
    order = said("order") as "left" | "time" | "sandwich";
  const sandwich = (name: string) => ask({ order: "sandwich", name, window: "" });
  const hits = state.filter
    ? s.charts.reduce((n, c) => n + read(c, false).filter(b => tester(state.filter)(b.name)).length, 0)
    : 0;
  return (
    <div class={"flames" + (stale ? " stale" : "")} id="page" data-page="flame">
      <div class="tb bar2" role="toolbar" aria-label="Flame view">
        <h1 class="sr">Flame</h1>
        <label class="inp">
          <Icon name="search" size="s" />
          <input
            type="search"
            data-find
            aria-label="Search frames"
            placeholder="Search frames"
            value={state.filter ?? ""}
            onInput={e => set({ filter: e.currentTarget.value }, false)}
          />
          {state.filter ? <span role="status">{hits}</span> : <kbd>/</kbd>}
        </label>
        {!api.saved && (
          <>
            <Seg
              label="Order"
              value={order}
              options={[
                ["time", "Time order"],
                ["left", "Left heavy"],
                ["sandwich", "Sandwich"],
              ]}
              pick={x => ask({ order: x, window: "" })}
            />
            <Pick
              id="flame-by"
              label="Of"
              value={said("by")}
              pick={x => ask({ by: x, name: "", window: "" })}
              options={said("kinds")
                .split(",")
                .map((k): [string, string] => [k, k === "nvtx" ? "NVTX ranges" : "stacks: " + k])}
            />
            {threads && (
              <Pick
                id="flame-thread"
                label="Thread"
                value={o.thread ?? ""}
                pick={x => ask({ thread: x, window: "" })}
                options={[
                  ["", order === "time" ? "the busiest thread" : "all threads"],
                  ...threads.rows
                    .slice(0, 300)
                    .map((r): [string, string] => [
                      `${r[process]}:${r[thread]}`,
                      `thread ${r[thread]} of ${r[process]} · ${r[events]}`,
                    ]),
                ]}
              />
            )}
          </>
        )}
        <label class="ck">
          <input type="checkbox" checked={folded} onChange={e => fold(e.currentTarget.checked)} /> Collapse recursion{" "}
          <kbd>r</kbd>
        </label>
        <span class="grow" />
        {o.window && (
          <button class="btn" onClick={() => ask({ window: "" })}>
            All of it
          </button>
        )}
      </div>
      <Crumbs s={s} o={o} ask={ask} />
      <div class="in">
        {!s.charts.length && (
          <Note title="No stacks and no ranges">The timeline has neither NVTX ranges nor samples of call stacks.</Note>
        )}
        {s.charts.map(c => (
          <Figure
            key={c.id}
            title={c.title}
            what={order === "time" ? "in the order of time" : "widest first"}
            name={"flame-" + c.id}
          >
            <Boxes
              chart={c}
              base={base?.charts.find(b => b.id === c.id)}
              flip={c.id === "callers"}
              folded={folded}
              toggle={() => fold(!folded)}
              filter={state.filter ?? ""}
              whole={Number(s.properties?.weight) || 0}
              zoom={api.saved ? () => {} : (a, b) => ask({ window: `${a},${b}` })}
              sandwich={api.saved ? () => {} : sandwich}
              order={api.saved ? () => {} : x => ask({ order: x, window: "" })}
            />
          </Figure>
        ))}
        {functions && (
          <Grid
            table={functions}
            id="functions"
            boxed
            find={false}
            at={frame}
            opens="Show in the middle of the sandwich"
            to={r => ({
              ask: String(
                new URLSearchParams({
                  ...without(o, "pixels", "window"),
                  order: "sandwich",
                  name: String(functions.rows[r][frame]),
                }),
              ),
            })}
          />
        )}
        <details class="numbers">
          <summary>Numbers</summary>
          {s.charts.map((c, i) => (
            <Grid key={i} table={c} id={"f" + i} keep />
          ))}
        </details>
      </div>
    </div>
  );
}

const without = (o: Options, ...ks: string[]): Options =>
  Object.fromEntries(Object.entries(o).filter(([k]) => !ks.includes(k)));

function Crumbs({ s, o, ask }: { s: Section; o: Options; ask: (c: Options) => void }) {
  const w = Number(s.properties?.weight) || 0,
    unit = s.charts[0]?.columns[column(s.charts[0], "total")]?.unit ?? "";
  return (
    <div class="crumbs">
      <button onClick={() => ask({ window: "", name: "" })}>All</button>
      {w > 0 && <span class="mut">{say(w, unit)}</span>}
      {o.name && (
        <>
          <Icon name="chevron-right" size="xs" />
          <b>{clean(o.name)}</b>
        </>
      )}
      {o.window && (
        <>
          <Icon name="chevron-right" size="xs" />
          <span>
            {o.window
              .split(",")
              .map(x => say(Number(x), unit))
              .join(" – ")}
          </span>
        </>
      )}
    </div>
  );
}

interface Box {
  x: number;
  width: number;
  depth: number;
  name: string;
  self: number;
  total: number;
  count: number;
  merged: number;
}

// read takes the boxes of a chart; folded, those of a function directly in itself are one.
function read(c: Chart, folded: boolean): Box[] {
  const at = Object.fromEntries(c.columns.map((k, i) => [k.name, i])),
    n = (r: unknown[], k: string) => Number(r[at[k]]) || 0;
  const all = c.rows.map(r => ({
    x: n(r, "x"),
    width: n(r, "width"),
    depth: n(r, "depth"),
    name: String(r[at.frame]),
    self: n(r, "self"),
    total: n(r, "total"),
    count: n(r, "count"),
    merged: n(r, "merged"),
  }));
  if (!folded) return all;
  const out: Box[] = [],
    lift = new Map<Box, number>(),
    parent = (b: Box) => all.find(p => p.depth === b.depth - 1 && p.x <= b.x && p.x + p.width >= b.x + b.width);
  for (const b of [...all].sort((a, z) => a.depth - z.depth)) {
    const p = parent(b),
      up = (p && lift.get(p)) ?? 0,
      same = p?.name === b.name && b.merged < 2;
    lift.set(b, up + (same ? 1 : 0));
    if (!same) out.push({ ...b, depth: b.depth - up });
  }
  return out;
}

const high = 20;

interface BoxesProps {
  chart: Chart;
  base?: Chart;
  flip: boolean;
  folded: boolean;
  toggle: () => void;
  filter: string;
  whole: number;
  zoom: (a: number, b: number) => void;
  sandwich: (name: string) => void;
  order: (o: string) => void;
}

// Boxes draws the rows of a chart; those of callers grow upwards. With a baseline the width is
// now, and the colour says how the share differs.
function Boxes({ chart: c, base, flip, folded, toggle, filter, whole, zoom, sandwich, order }: BoxesProps) {
  const boxes = useMemo(() => read(c, folded), [c, folded]),
    [at, move] = useState(-1),
    [box, wide] = useWidth(1000),
    svg = useRef<SVGSVGElement>(null);
  const before = useMemo(() => {
    if (!base) return null;
    const m = new Map<string, number>(),
      all = read(base, folded),
      sum = all.filter(b => b.depth === 0).reduce((s, b) => s + b.total, 0) || 1;
    for (const b of all) m.set(b.name, (m.get(b.name) ?? 0) + b.total / sum);
    return m;
  }, [base, folded]);
  const now = useMemo(() => {
    const m = new Map<string, number>(),
      sum = boxes.filter(b => b.depth === 0).reduce((s, b) => s + b.total, 0) || 1;
    for (const b of boxes) m.set(b.name, (m.get(b.name) ?? 0) + b.total / sum);
    return m;
  }, [boxes]);
  const window = new URLSearchParams(useAddress().ask ?? "").get("window")?.split(",").map(Number);
  const from = window?.[0] ?? Math.min(...boxes.map(b => b.x), 0),
    to = window?.[1] ?? Math.max(...boxes.map(b => b.x + b.width), 1);
  const deep = Math.max(...boxes.map(b => b.depth), 0) + 1,
    unit = c.columns[column(c, "total")].unit;
  const test = useMemo(() => (filter ? tester(filter) : null), [filter]);
  const place = (b: Box) => {
    const l = Math.max(0, ((b.x - from) / (to - from)) * wide),
      r = Math.min(wide, ((b.x + b.width - from) / (to - from)) * wide);
    return { l, w: Math.max(0.5, r - l - 1), y: (flip ? deep - 1 - b.depth : b.depth) * high };
  };
  const colour = (b: Box): string => {
    if (b.merged > 1) return "var(--bg-3)";
    if (!before) return `var(--s${kind(b.name)})`;
    const d = 100 * ((now.get(b.name) ?? 0) - (before.get(b.name) ?? 0)),
      step = Math.abs(d) < 0.5 ? 0 : Math.abs(d) < 2 ? 1 : Math.abs(d) < 8 ? 2 : 3;
    return `var(--d${step === 0 ? "0" : d > 0 ? step : "-" + step})`;
  };
  const note = (b: Box, e: Element) =>
    card.show(
      {
        title: b.name + (b.merged > 1 ? ` and ${b.merged - 1} more, each narrower than a pixel` : ""),
        lines: [
          [
            "Total",
            say(b.total, unit) + (whole > 0 && c.id !== "time" ? ` (${say((100 * b.total) / whole, "%")})` : ""),
          ],
          // what callers are drawn for is the time of the function in the middle: they have no own in it
          ["Self", c.id === "time" || c.id === "callers" ? "" : say(b.self, unit)],
          ["Before", before ? say(100 * (before.get(b.name) ?? 0), "%") + " of all" : ""],
          ["Events", String(b.count)],
          ["Click", "zoom; with Shift: sandwich"],
        ],
      },
      e,
    );
  const key = (e: KeyboardEvent) => {
    const b = boxes[at],
      inside = (p: Box, q: Box) => q.x >= p.x && q.x + q.width <= p.x + p.width;
    const find: Record<string, () => number> = {
      ArrowDown: () =>
        boxes.findIndex(
          q => !b || (flip ? q.depth === b.depth - 1 && inside(q, b) : q.depth === b.depth + 1 && inside(b, q)),
        ),
      ArrowUp: () =>
        boxes.findIndex(
          q => !b || (flip ? q.depth === b.depth + 1 && inside(b, q) : q.depth === b.depth - 1 && inside(q, b)),
        ),
      ArrowRight: () => boxes.findIndex((q, i) => !b || (i > at && q.depth === b.depth)),
      ArrowLeft: () => (b ? boxes.findLastIndex((q, i) => i < at && q.depth === b.depth) : 0),
      Enter: () => (b && zoom(b.x, b.x + b.width), at),
      s: () => (b && sandwich(b.name), at),
      r: () => (toggle(), at),
      "1": () => (order("time"), at),
      "2": () => (order("left"), at),
      "3": () => (order("sandwich"), at),
    };
    if (!find[e.key] || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    e.stopPropagation();
    const n = find[e.key]();
    if (n >= 0) {
      move(n);
      setTimeout(() => {
        const g = svg.current?.querySelector("g.here");
        if (g && boxes[n]) note(boxes[n], g);
      });
    }
  };
  const gone = before ? [...before].filter(([n, v]) => v > 0.005 && !now.has(n)).sort((a, b) => b[1] - a[1]) : [];
  return (
    <div ref={box}>
      <svg
        ref={svg}
        class="flame"
        role="group"
        tabIndex={0}
        aria-label={`${c.title}: arrows move, Enter zooms, s shows the sandwich`}
        width={wide}
        height={deep * high}
        viewBox={`0 0 ${wide} ${deep * high}`}
        onKeyDown={key}
        onMouseLeave={card.hide}
        onBlur={card.hide}
      >
        {boxes.map((b, i) => {
          const { l, w, y } = place(b);
          return (
            <g
              key={i}
              class={((i === at ? "here " : "") + (test && !test(b.name) ? "dim" : "")).trim()}
              onMouseEnter={e => note(b, e.currentTarget)}
              onClick={e => {
                move(i);
                e.shiftKey ? sandwich(b.name) : zoom(b.x, b.x + b.width);
              }}
            >
              <rect x={l} y={y} width={w} height={high - 1} rx={w > 6 ? 2.5 : 0} style={{ fill: colour(b) }} />
              {w > 30 && (
                <text x={l + 5} y={y + 14} style={before ? { fill: "var(--fg-1)" } : undefined}>
                  {middle(/[(<]/.test(b.name) ? short(b.name) : plainName(b.name), Math.floor((w - 8) / 6.1))}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      {gone.length > 0 && (
        <p class="note">
          Only in the baseline:{" "}
          {gone
            .slice(0, 8)
            .map(([n, v]) => `${clean(n)} ${say(100 * v, "%")}`)
            .join(", ")}
        </p>
      )}
    </div>
  );
}
