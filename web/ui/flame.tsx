import { useMemo, useState } from "preact/hooks";
import * as api from "./api";
import * as card from "./card";
import { Figure } from "./chart";
import { type Chart, column, inRole, type Document } from "./document";
import { Page } from "./page";
import { set, useAddress } from "./state";
import { Grid, tester } from "./table";
import { hue, shade } from "./timeline/draw";

type Options = Record<string, string>;

// Flame shows what ran inside what. The picture is the server's, no finer than
// pixels: a click on a box asks for that part of it.
export function Flame({ document: d, options: o }: { document: Document; options: Options }) {
  const s = d.sections[0],
    state = useAddress(),
    said = (n: string) => String(s.properties?.[n] ?? "");
  if (!s.charts.length) return <Page document={d} bases={[]} />;
  const ask = (change: Options, step = true) => {
    const next = { ...o, ...change };
    delete next.pixels;
    for (const k of Object.keys(next)) if (next[k] === "") delete next[k];
    set({ ask: String(new URLSearchParams(next)) }, step);
  };
  const threads = d.sections[1]?.tables[0],
    functions = s.tables.find(t => t.id === "functions"),
    frame = functions ? inRole(functions, "function") : -1,
    [process, thread, events] = ["process", "thread", "count"].map(r => (threads ? inRole(threads, r) : -1));
  const sandwich = (name: string) => ask({ order: "sandwich", name, window: "" });
  return (
    <section class="flames">
      <h2>{s.title}</h2>
      {!api.saved && (
        <div class="bar" role="toolbar" aria-label="Flame view">
          <label>
            Of{" "}
            <select
              id="flame-by"
              value={said("by")}
              onChange={e => ask({ by: e.currentTarget.value, name: "", window: "" })}
            >
              {said("kinds")
                .split(",")
                .map(k => (
                  <option value={k}>{k === "nvtx" ? "NVTX ranges" : "stacks: " + k}</option>
                ))}
            </select>
          </label>
          {[
            ["left", "Left heavy"],
            ["time", "Time order"],
            ["sandwich", "Sandwich"],
          ].map(([v, l]) => (
            <button key={v} aria-pressed={said("order") === v} onClick={() => ask({ order: v, window: "" })}>
              {l}
            </button>
          ))}
          {threads && (
            <label>
              Thread{" "}
              <select
                id="flame-thread"
                value={o.thread ?? ""}
                onChange={e => ask({ thread: e.currentTarget.value, window: "" })}
              >
                <option value="">{said("order") === "time" ? "the busiest" : "all"}</option>
                {threads.rows.slice(0, 300).map(r => (
                  <option
                    value={`${r[process]}:${r[thread]}`}
                  >{`${r[thread]} of process ${r[process]}: ${r[events]} events`}</option>
                ))}
              </select>
            </label>
          )}
          {o.window && <button onClick={() => ask({ window: "" })}>All of it</button>}
        </div>
      )}
      {s.charts.map(c => (
        <Figure key={c.id} title={c.title} name={"flame-" + c.id}>
          <Boxes
            chart={c}
            flip={c.id === "callers"}
            filter={state.filter ?? ""}
            whole={Number(s.properties?.weight) || 0}
            zoom={api.saved ? () => {} : (a, b) => ask({ window: `${a},${b}` })}
            sandwich={api.saved ? () => {} : sandwich}
          />
        </Figure>
      ))}
      {functions && (
        <Grid
          table={functions}
          id="functions"
          open={r => sandwich(String(functions.rows[r][frame]))}
          at={frame}
          opens="Show in the middle of the sandwich"
        />
      )}
      <details>
        <summary>Numbers of the picture</summary>
        {s.charts.map((c, i) => (
          <Grid key={i} table={c} id={"f" + i} />
        ))}
      </details>
    </section>
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

function read(c: Chart): Box[] {
  const at = Object.fromEntries(c.columns.map((k, i) => [k.name, i])),
    n = (r: unknown[], k: string) => Number(r[at[k]]) || 0;
  return c.rows.map(r => ({
    x: n(r, "x"),
    width: n(r, "width"),
    depth: n(r, "depth"),
    name: String(r[at.frame]),
    self: n(r, "self"),
    total: n(r, "total"),
    count: n(r, "count"),
    merged: n(r, "merged"),
  }));
}

const wide = 1200,
  high = 18;

function amount(v: number, unit: string): string {
  if (unit !== "ns") return `${v} ${unit}`;
  for (const [n, u] of [
    [1e9, "s"],
    [1e6, "ms"],
    [1e3, "us"],
  ] as [number, string][])
    if (v >= n) return `${Number((v / n).toPrecision(4))} ${u}`;
  return `${v} ns`;
}

// Boxes draws the rows of a chart; those of callers grow upwards.
function Boxes({
  chart: c,
  flip,
  filter,
  whole,
  zoom,
  sandwich,
}: {
  chart: Chart;
  flip: boolean;
  filter: string;
  whole: number;
  zoom: (a: number, b: number) => void;
  sandwich: (name: string) => void;
}) {
  const boxes = useMemo(() => read(c), [c]),
    [at, move] = useState(-1);
  const window = new URLSearchParams(useAddress().ask ?? "").get("window")?.split(",").map(Number);
  const from = window?.[0] ?? Math.min(...boxes.map(b => b.x), 0),
    to = window?.[1] ?? Math.max(...boxes.map(b => b.x + b.width), 1);
  const deep = Math.max(...boxes.map(b => b.depth), 0) + 1,
    unit = c.columns[column(c, "total")].unit;
  const test = useMemo(() => (filter ? tester(filter) : null), [filter]),
    dark =
      getComputedStyle(document.documentElement).colorScheme === "dark" ||
      (matchMedia("(prefers-color-scheme: dark)").matches && document.documentElement.dataset.theme !== "light");
  const place = (b: Box) => {
    const l = Math.max(0, ((b.x - from) / (to - from)) * wide),
      r = Math.min(wide, ((b.x + b.width - from) / (to - from)) * wide);
    return { l, w: Math.max(0.5, r - l), y: (flip ? deep - 1 - b.depth : b.depth) * high };
  };
  const note = (b: Box, e: Element) =>
    card.show(
      {
        title: b.name + (b.merged > 1 ? ` and ${b.merged - 1} more, each narrower than a pixel` : ""),
        lines: [
          [
            "Total",
            amount(b.total, unit) +
              (whole > 0 && c.id !== "time" ? ` (${((100 * b.total) / whole).toFixed(2)} %)` : ""),
          ],
          ["Self", c.id === "time" ? "" : amount(b.self, unit)],
          ["Events", String(b.count)],
          ["Click", "zoom; with Shift: sandwich"],
        ],
      },
      e,
    );
  const key = (e: KeyboardEvent & { currentTarget: SVGElement }) => {
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
      Enter: () => {
        if (b) zoom(b.x, b.x + b.width);
        return at;
      },
      s: () => {
        if (b) sandwich(b.name);
        return at;
      },
    };
    if (!find[e.key] || e.ctrlKey || e.altKey) return;
    e.preventDefault();
    e.stopPropagation();
    const n = find[e.key](),
      svg = e.currentTarget;
    if (n >= 0) {
      move(n);
      setTimeout(() => {
        const g = svg.querySelector("g.here");
        if (g && boxes[n]) note(boxes[n], g);
      });
    }
  };
  return (
    <svg
      class="flame"
      role="group"
      tabIndex={0}
      aria-label={`${c.title}: arrows move, Enter zooms, s shows the sandwich`}
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
            class={(i === at ? "here " : "") + (test && !test(b.name) ? "dim" : "")}
            onMouseEnter={e => note(b, e.currentTarget)}
            onClick={e => {
              move(i);
              e.shiftKey ? sandwich(b.name) : zoom(b.x, b.x + b.width);
            }}
          >
            <rect
              x={l}
              y={y}
              width={w}
              height={high - 1}
              style={{ fill: b.merged > 1 ? "var(--line)" : shade(hue(b.name), dark) }}
            />
            {w > 30 && (
              <text x={l + 3} y={y + 13}>
                {b.name.slice(0, Math.floor((w - 6) / 6.6))}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
