import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { compared, keys, mark } from "./base";
import * as card from "./card";
import { column, inRole, type Cell, type Table, unitOf } from "./document";
import { csv, json, markdown, save } from "./save";
import { metricColumn } from "./spot";
import { set, useAddress } from "./state";
import { linkColumn, toTimeline } from "./timeline/link";

const rowHeight = 24,
  windowRows = 60;

const compare = (a: Cell, b: Cell): number =>
  typeof a === "number" && typeof b === "number"
    ? a - b
    : a === b
      ? 0
      : a === null
        ? 1
        : b === null
          ? -1
          : String(a) < String(b)
            ? -1
            : 1;

// tester is the filter as a test of text: a regular expression, else a part.
export function tester(filter: string): (s: string) => boolean {
  if (!filter) return () => true;
  try {
    const re = new RegExp(filter, "i");
    return s => re.test(s);
  } catch {
    return s => s.includes(filter);
  }
}

// A Formers looks up the row of a baseline that is the same as a row.
export type Former = (row: number) => Cell[] | undefined;

// formers are the rows of the baselines of a table, with its own columns.
export function formers(t: Table, bases: (Table | undefined)[]): Former[] {
  if (!bases.length) return [];
  const own = keys(t);
  return bases.map(b => {
    if (!b) return () => undefined;
    const ks = keys(b),
      rows = new Map(ks.map((k, i) => [k, b.rows[i]])),
      at = t.columns.map(c => column(b, c.name));
    return i => {
      const r = rows.get(own[i]);
      return r && at.map(k => (k < 0 ? null : r[k]));
    };
  });
}

interface Props {
  table: Table;
  id: string;
  bases?: (Table | undefined)[];
  hot?: string | boolean; // cells are shaded: of all columns of metrics, or of this one
  open?: (row: number) => void; // rows lead somewhere
  opens?: string; // in words
  at?: number; // the column that leads there; default the first of texts
  only?: (column: string) => boolean; // columns to show
  marks?: Map<string, { text: string; go: () => void }>; // what is said of metrics
  lit?: (row: number) => boolean; // rows that stand out
  pick?: (row: number) => void; // a click on a row
  keep?: boolean; // the filter hides no row
  dress?: (row: number, column: string) => { class: string; title: string } | undefined; // how a cell looks, and what is said of it
}

// Grid shows a table: only the rows in sight are in the page.
export function Grid({
  table: t,
  id,
  bases = [],
  hot = false,
  open,
  opens,
  at,
  only,
  marks,
  lit,
  pick,
  keep,
  dress,
}: Props) {
  const state = useAddress(),
    filter = keep ? "" : (state.filter ?? "");
  const [by, direction] = (state["sort." + id] ?? "").split(",");
  const [top, scroll] = useState(0),
    [cursor, move] = useState(-1);
  const order = useMemo(() => {
    const test = tester(filter),
      o = t.text.map((_, i) => i).filter(i => t.text[i].some(test));
    const c = by ? column(t, by) : -1;
    if (c >= 0) o.sort((a, b) => (direction === "down" ? -1 : 1) * compare(t.rows[a][c], t.rows[b][c]));
    return o;
  }, [t, filter, by, direction]);
  const former = useMemo(() => formers(t, bases), [t, ...bases]);
  const shown = t.labels
    .map((l, i) => (l === null || t.columns[i].type === "list" || (only && !only(t.columns[i].name)) ? -1 : i))
    .filter(i => i >= 0);
  const box = useRef<HTMLDivElement>(null),
    [grid, row] = (hot ? (state.spot ?? "") : "").split(","),
    spot = grid === id ? Number(row) : -1;
  const reveal = (k: number) => {
    const b = box.current;
    if (k < 0 || !b) return;
    if (k * rowHeight < b.scrollTop || (k + 2) * rowHeight > b.scrollTop + b.clientHeight)
      b.scrollTop = Math.max(0, (k + 1) * rowHeight - b.clientHeight / 2);
    scroll(b.scrollTop);
  };
  useEffect(() => {
    // brings the hot spot into sight
    const k = order.indexOf(spot);
    reveal(k);
    if (k >= 0) box.current?.scrollIntoView({ block: "nearest" });
  }, [spot, order]);
  const first = lit ? order.findIndex(r => lit(r)) : -1;
  useEffect(() => reveal(first), [first]);
  const from = Math.max(0, Math.min(Math.floor(top / rowHeight) - 10, order.length - windowRows));
  const to = Math.min(order.length, from + windowRows);
  const most = useMemo(
    () =>
      t.columns.map((c, i) =>
        hot && metricColumn(t, i) && (hot === true || hot === c.name)
          ? t.rows.reduce((m, r) => Math.max(m, Number(r[i]) || 0), 0)
          : 0,
      ),
    [t, hot],
  );
  const name = t.id || "table",
    metric = inRole(t, "metric"),
    label = at ?? shown.find(c => typeof t.rows[0]?.[c] === "string") ?? shown[0];
  const slices = open ? -1 : linkColumn(t),
    go = open ?? (slices >= 0 ? (r: number) => set(toTimeline(t, t.rows[r])) : undefined),
    way = open ? label : slices;
  const turn = (c: string) => set({ ["sort." + id]: by !== c ? c + ",down" : direction === "down" ? c + ",up" : "" });
  const note = (e: Element | null | undefined) => {
    const td = e?.closest?.("td"),
      r = Number(td?.dataset.r),
      c = Number(td?.dataset.c);
    if (!td || metric < 0 || !(r >= 0)) return;
    const value =
      typeof t.rows[r][c] === "number" ? c : t.columns.findIndex((_, i) => typeof t.rows[r][i] === "number");
    const raw = value >= 0 ? `${t.rows[r][value]} ${unitOf(t, r, value)}` : "no value";
    card.show(
      {
        title: String(t.rows[r][metric]),
        metric: String(t.rows[r][metric]),
        lines: [
          ["Raw value", raw],
          ...former.map((f, i): [string, string] => [
            `Baseline ${mark(i)}`,
            value >= 0 ? `${f(r)?.[value] ?? "no value"} ${unitOf(t, r, value)}` : "",
          ]),
          ["Said of it", marks?.get(String(t.rows[r][metric]))?.text ?? ""],
        ],
      },
      td,
    );
  };
  const key = (e: KeyboardEvent) => {
    const step: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9 };
    if (e.key === "Enter" && cursor >= 0 && e.target === box.current) {
      go ? go(order[cursor]) : pick?.(order[cursor]);
      return;
    }
    if (!(e.key in step) || e.ctrlKey || e.altKey || !order.length) return;
    e.preventDefault();
    const k = Math.max(0, Math.min(order.length - 1, (cursor < 0 && step[e.key] === 1 ? -1 : cursor) + step[e.key]));
    move(k);
    reveal(k);
    setTimeout(() => note(box.current?.querySelector(`td[data-r="${order[k]}"]`)));
  };
  return (
    <figure class="grid" data-grid={id}>
      <figcaption>
        {t.title && <b>{t.title}</b>}
        {t.description && <span>{t.description}</span>}
        <span class="count">
          {order.length < t.rows.length ? `${order.length} of ` : ""}
          {t.rows.length} {t.rows.length === 1 ? "row" : "rows"}
        </span>
        <span class="tools">
          <button onClick={() => save(name + ".csv", "text/csv", csv(t))}>CSV</button>
          <button onClick={() => save(name + ".json", "application/json", json(t))}>JSON</button>
          <button onClick={() => save(name + ".md", "text/markdown", markdown(t))}>Markdown</button>
        </span>
      </figcaption>
      <div
        ref={box}
        class="scroll"
        tabIndex={0}
        role="group"
        aria-label={t.title || t.id || "table"}
        onScroll={e => scroll(e.currentTarget.scrollTop)}
        onKeyDown={key}
        onMouseOver={e => note(e.target as Element)}
        onMouseLeave={card.hide}
        onBlur={card.hide}
      >
        <table aria-rowcount={order.length + 1}>
          <thead>
            <tr>
              {shown.map(c => (
                <th
                  key={c}
                  scope="col"
                  class={t.rows.length && typeof t.rows[0][c] === "number" ? "number" : ""}
                  aria-sort={by !== t.columns[c].name ? "none" : direction === "down" ? "descending" : "ascending"}
                >
                  <button title={t.columns[c].name} onClick={() => turn(t.columns[c].name)}>
                    {t.labels[c]}
                    {by === t.columns[c].name ? (direction === "down" ? " ▼" : " ▲") : ""}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {from > 0 && <tr style={{ height: from * rowHeight + "px" }} />}
            {order.slice(from, to).map((r, k) => (
              <tr
                key={r}
                aria-rowindex={from + k + 2}
                aria-current={r === spot || from + k === cursor ? "true" : undefined}
                class={(lit?.(r) ? "lit " : "") + (pick ? "pick" : "")}
                onClick={pick && (() => pick(r))}
              >
                {shown.map(c => (
                  <td
                    key={c}
                    data-r={r}
                    data-c={c}
                    class={typeof t.rows[r][c] === "number" ? "number" : (dress?.(r, t.columns[c].name)?.class ?? "")}
                    style={heat(most[c], t.rows[r][c])}
                    data-raw={typeof t.rows[r][c] === "number" ? `${t.rows[r][c]} ${unitOf(t, r, c)}` : undefined}
                    title={dress?.(r, t.columns[c].name)?.title ?? (metric < 0 ? title(t, r, c) : undefined)}
                  >
                    {go && c === way ? (
                      <button class="link" title={opens ?? "Show in the timeline"} onClick={() => go(r)}>
                        {t.text[r][c]}
                      </button>
                    ) : (
                      t.text[r][c]
                    )}
                    {c === label && metric >= 0 && <Flag of={marks?.get(String(t.rows[r][metric]))} />}
                    {former.length > 0 && compared(t, c) && (
                      <Deltas
                        now={t.rows[r][c]}
                        then={former.map(f => f(r)?.[c])}
                        unit={unitOf(t, r, c)}
                        least={Number(state.least) || 0}
                      />
                    )}
                  </td>
                ))}
              </tr>
            ))}
            {to < order.length && <tr style={{ height: (order.length - to) * rowHeight + "px" }} />}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

// Flag leads from a metric to the message that rests on it.
function Flag({ of }: { of?: { text: string; go: () => void } }) {
  return of ? <button class="flag" title={of.text} aria-label={"Finding: " + of.text} onClick={of.go} /> : null;
}

const heat = (most: number, v: Cell) =>
  most > 0 && typeof v === "number" && v > 0
    ? { background: `color-mix(in srgb, var(--heat) ${Math.round((70 * v) / most)}%, transparent)` }
    : undefined;

// title is the tooltip of a cell: what is measured, and the raw value.
const title = (t: Table, r: number, c: number): string =>
  [t.columns[c].name, `${t.rows[r][c] ?? "no value"} ${typeof t.rows[r][c] === "number" ? unitOf(t, r, c) : ""}`].join(
    "\n",
  );

// scaled writes a difference short: with a prefix where its unit takes one.
export function scaled(d: number, unit: string): string {
  const a = Math.abs(d),
    round = (v: number) => (v > 0 ? "+" : "") + Number(v.toPrecision(4));
  if (unit === "ns")
    for (const [n, u] of [
      [1e9, "s"],
      [1e6, "ms"],
      [1e3, "us"],
    ] as [number, string][])
      if (a >= n) return `${round(d / n)} ${u}`;
  if (/^(byte|hz|request|sector|inst|cycle)/i.test(unit))
    for (const [n, p] of [
      [1e12, "T"],
      [1e9, "G"],
      [1e6, "M"],
      [1e3, "K"],
    ] as [number, string][])
      if (a >= n) return `${round(d / n)} ${p}${unit}`;
  return `${a >= 1e9 ? (d > 0 ? "+" : "") + d.toExponential(3) : round(d)}${unit ? " " + unit : ""}`;
}

// change says how a number differs from a former one: in its unit and as a
// share, or null where it does not, or by less than so many percent.
export function change(
  now: Cell | undefined,
  then: Cell | undefined,
  least = 0,
  unit = "",
): { text: string; share: string; more: boolean } | null {
  if (typeof now !== "number" || typeof then !== "number" || now === then) return null;
  const d = now - then,
    sign = d > 0 ? "+" : "",
    percent = then !== 0 ? (100 * d) / Math.abs(then) : Infinity;
  if (Math.abs(percent) < least) return null;
  return {
    text: scaled(d, unit),
    share:
      then === 0
        ? ""
        : Math.abs(percent) >= 1000
          ? `×${Number((now / then).toPrecision(3))}`
          : `${sign}${percent.toFixed(1)}%`,
    more: d > 0,
  };
}

function Deltas({ now, then, unit, least }: { now: Cell; then: (Cell | undefined)[]; unit: string; least: number }) {
  return (
    <>
      {then.map((f, i) => {
        const d = change(now, f, least, unit);
        return (
          d && (
            <small key={i} class={d.more ? "more" : "less"} title={`baseline ${f} ${unit}`}>
              {" "}
              {then.length > 1 ? mark(i) + " " : ""}
              {d.text}
              {d.share && ` (${d.share})`}
            </small>
          )
        );
      })}
    </>
  );
}
