import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Cell, Table } from "./document";
import { csv, json, markdown, save } from "./save";
import { metricColumn } from "./spot";
import { set, useAddress } from "./state";
import { linkColumn, toTimeline } from "./timeline/link";

const rowHeight = 24, windowRows = 60;

const compare = (a: Cell, b: Cell): number =>
  typeof a === "number" && typeof b === "number" ? a - b : a === b ? 0 : a === null ? 1 : b === null ? -1 : String(a) < String(b) ? -1 : 1;

// key tells which row of a baseline is the same: the texts of the row, which
// name what is measured.
const key = (t: Table, r: Cell[]) => {
  const m = t.columns.findIndex(c => c.name === "metric");
  return m >= 0 ? JSON.stringify(r[m]) : JSON.stringify(r.filter((c, i) => typeof c === "string" || t.columns[i].name === "address" || t.columns[i].name === "line"));
};

// Grid shows a table: only the rows in sight are in the page.
export function Grid({ table: t, base, id, hot = false }: { table: Table; base?: Table; id: string; hot?: boolean }) {
  const state = useAddress(), filter = state.filter ?? "";
  const [by, direction] = (state["sort." + id] ?? "").split(",");
  const [top, scroll] = useState(0);
  const order = useMemo(() => {
    let test: (s: string) => boolean = () => true;
    if (filter) {
      try { const re = new RegExp(filter, "i"); test = s => re.test(s); } catch { test = s => s.includes(filter); }
    }
    const o = t.text.map((_, i) => i).filter(i => t.text[i].some(test));
    const c = by ? t.columns.findIndex(c => c.name === by) : -1;
    if (c >= 0) o.sort((a, b) => (direction === "down" ? -1 : 1) * compare(t.rows[a][c], t.rows[b][c]));
    return o;
  }, [t, filter, by, direction]);
  const former = useMemo(() => new Map(base?.rows.map(r => [key(base, r), r])), [base]);
  const shown = t.labels.map((l, i) => l === null || t.columns[i].type === "list" ? -1 : i).filter(i => i >= 0);
  const box = useRef<HTMLDivElement>(null), [grid, row] = (hot ? state.spot ?? "" : "").split(","), spot = grid === id ? Number(row) : -1;
  useEffect(() => { // brings the hot spot into sight
    const k = order.indexOf(spot), b = box.current;
    if (k < 0 || !b) return;
    b.scrollTop = Math.max(0, (k + 1) * rowHeight - b.clientHeight / 2);
    scroll(b.scrollTop);
    b.scrollIntoView({ block: "nearest" });
  }, [spot, order]);
  const from = Math.max(0, Math.min(Math.floor(top / rowHeight) - 10, order.length - windowRows));
  const to = Math.min(order.length, from + windowRows);
  const most = useMemo(() => t.columns.map((_, c) => hot && metricColumn(t, c) ? t.rows.reduce((m, r) => Math.max(m, Number(r[c]) || 0), 0) : 0), [t, hot]);
  const name = t.id || "table", link = linkColumn(t);
  const turn = (c: string) => set({ ["sort." + id]: by !== c ? c + ",down" : direction === "down" ? c + ",up" : "" });
  return <figure class="grid">
    <figcaption>{t.title && <b>{t.title}</b>}{t.description && <span>{t.description}</span>}<span class="count">{order.length < t.rows.length ? `${order.length} of ` : ""}{t.rows.length} rows</span>
      <span class="tools">
        <button onClick={() => save(name + ".csv", "text/csv", csv(t))}>CSV</button>
        <button onClick={() => save(name + ".json", "application/json", json(t))}>JSON</button>
        <button onClick={() => save(name + ".md", "text/markdown", markdown(t))}>Markdown</button></span></figcaption>
    <div ref={box} class="scroll" tabIndex={0} onScroll={e => scroll(e.currentTarget.scrollTop)}>
      <table aria-rowcount={order.length + 1}>
        <thead><tr>{shown.map(c => <th key={c} scope="col" class={t.rows.length && typeof t.rows[0][c] === "number" ? "number" : ""} aria-sort={by !== t.columns[c].name ? "none" : direction === "down" ? "descending" : "ascending"}>
          <button onClick={() => turn(t.columns[c].name)}>{t.labels[c]}{by === t.columns[c].name ? direction === "down" ? " ▼" : " ▲" : ""}</button></th>)}</tr></thead>
        <tbody>
          {from > 0 && <tr style={{ height: from * rowHeight + "px" }} />}
          {order.slice(from, to).map((r, k) => <tr key={r} aria-rowindex={from + k + 2} aria-current={r === spot ? "true" : undefined}>
            {shown.map(c => <td key={c} class={typeof t.rows[r][c] === "number" ? "number" : ""} style={heat(most[c], t.rows[r][c])} title={title(t, r, c)}>
              {c === link ? <button class="link" onClick={() => set(toTimeline(t, t.rows[r], c))}>{t.text[r][c]}</button> : t.text[r][c]}<Delta now={t.rows[r][c]} then={former.get(key(t, t.rows[r]))?.[c]} unit={unitOf(t, r, c)} /></td>)}</tr>)}
          {to < order.length && <tr style={{ height: (order.length - to) * rowHeight + "px" }} />}
        </tbody></table></div></figure>;
}

const heat = (most: number, v: Cell) => most > 0 && typeof v === "number" && v > 0
  ? { background: `color-mix(in srgb, var(--heat) ${Math.round(70 * v / most)}%, transparent)` } : undefined;

// unitOf is the base unit of a number: of its column, else of its row.
function unitOf(t: Table, r: number, c: number): string {
  const unit = t.columns.findIndex(c => c.type === "unit");
  return t.columns[c].unit || (unit >= 0 ? String(t.rows[r][unit] ?? "") : "");
}

// title is the tooltip of a cell: what is measured, and the raw value.
function title(t: Table, r: number, c: number): string {
  const metric = t.columns.findIndex(c => c.name === "metric"), u = unitOf(t, r, c);
  return [metric >= 0 ? t.rows[r][metric] : t.columns[c].name, `${t.rows[r][c] ?? "no value"} ${typeof t.rows[r][c] === "number" ? u : ""}`].join("\n");
}

function Delta({ now, then, unit }: { now: Cell; then: Cell | undefined; unit: string }) {
  if (typeof now !== "number" || typeof then !== "number" || now === then) return null;
  const d = now - then, sign = d > 0 ? "+" : "";
  const share = then !== 0 ? ` (${sign}${(100 * d / Math.abs(then)).toFixed(1)}%)` : "";
  return <small class={d > 0 ? "more" : "less"} title={`baseline ${then} ${unit}`}> {sign}{Number(d.toPrecision(4))} {unit}{share}</small>;
}
