import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { compared, keys, mark } from "./base";
import * as card from "./card";
import { heading, isKernel, isLabel, slot, writer } from "./cell";
import { type Cell, column, inRole, type Table, unitOf } from "./document";
import { Icon, IconButton } from "./icon";
import { Popup } from "./menu";
import { apart, clean } from "./names";
import { raw, relative, step as heatStep } from "./num";
import { copy, Difference, KernelName, typing } from "./parts";
import { csv, json, markdown, save } from "./save";
import { metricColumn } from "./spot";
import { href, read, set, type State, useAddress } from "./state";
import { linkColumn, toTimeline } from "./timeline/link";

const windowRows = 60;
const rowHeight = (): number =>
  Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue("--row")) || 26;

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

// A Former looks up the row of a baseline that is the same as a row.
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

export interface GridProps {
  table: Table;
  id: string;
  bases?: (Table | undefined)[];
  to?: (row: number) => State | undefined; // where a row leads
  opens?: string; // in words
  at?: number; // the column that leads there; default the first of texts
  only?: (column: string) => boolean; // columns to show at first
  marks?: Map<string, { text: string; go: () => void }>; // what is said of metrics
  keep?: boolean; // the filter hides no row
  find?: boolean; // it has the page's filter field
  fill?: boolean; // it takes the height that is there
  bare?: boolean; // its title stands elsewhere
  boxed?: boolean;
  verbatim?: boolean; // numbers stand as they are, as SQL has them
  spread?: boolean; // least, median and largest are one picture
  colour?: (row: number) => number; // the category of a row, 1 to 7; 0: none
  totals?: string[]; // columns whose sum stands below
  title?: string;
  sub?: string;
  heading?: number; // the level at which its title is one
}

// A Sort is one key of an order.
type Sort = [column: string, down: boolean];
const sorts = (s: string | undefined): Sort[] =>
  (s ?? "")
    .split(";")
    .filter(Boolean)
    .map(p => [p.replace(/,(down|up)$/, ""), !p.endsWith(",up")]);

// Grid shows a table: only the rows in sight are in the page.
export function Grid(p: GridProps) {
  const { table: t, id, bases = [], verbatim } = p,
    state = useAddress(),
    filter = p.keep ? "" : (state.filter ?? "");
  const by = sorts(state["sort." + id]),
    key = state["sort." + id] ?? "";
  const [top, scroll] = useState(0),
    [cursor, move] = useState(-1),
    [menu, setMenu] = useState<Element | null>(null),
    [wide, setWide] = useState<Record<number, number>>({});
  const box = useRef<HTMLDivElement>(null),
    high = rowHeight();
  const order = useMemo(() => {
    const test = tester(filter),
      o = t.rows.map((_, i) => i).filter(i => !filter || (t.text[i] ?? t.rows[i].map(String)).some(test));
    const cs = by.map(([n, d]) => [column(t, n), d ? -1 : 1] as const).filter(c => c[0] >= 0);
    if (cs.length)
      o.sort((a, b) => {
        for (const [c, d] of cs) {
          const x = compare(t.rows[a][c], t.rows[b][c]);
          if (x) return d * x;
        }
        return a - b;
      });
    return o;
  }, [t, filter, key]);
  const former = useMemo(() => formers(t, bases), [t, ...bases]);
  const role = (r: string) => inRole(t, r),
    spread = p.spread && role("minimum") >= 0 && role("maximum") >= 0 && role("median") >= 0;
  const can = t.labels.map((l, i) => (l === null || t.columns[i].type === "list" ? -1 : i)).filter(i => i >= 0);
  const hidden = state["hide." + id]?.split(",");
  const shown = can.filter(i =>
    hidden
      ? !hidden.includes(t.columns[i].name)
      : (!p.only || p.only(t.columns[i].name)) &&
        !(spread && ["minimum", "median", "maximum"].includes(t.columns[i].role ?? "")),
  );
  if (p.only || spread) {
    // what is named comes first, its numbers after it
    const k = shown.findIndex(c => isKernel(t.columns[c]) || ["nvtx", "operation"].includes(t.columns[c].role ?? ""));
    if (spread && k > 0) shown.unshift(...shown.splice(k, 1));
  }
  const write = useMemo(() => t.columns.map((_, c) => writer(t, c, verbatim)), [t, verbatim]);
  const slots = useMemo(
    () => t.columns.map((_, c) => slot(order.slice(0, 200).map(r => write[c](r).unit))),
    [write, order],
  );
  const number = useMemo(
    () =>
      t.columns.map(
        (_, c) =>
          t.rows.slice(0, 50).some(r => typeof r[c] === "number") &&
          !t.rows.slice(0, 50).some(r => typeof r[c] === "string"),
      ),
    [t],
  );
  const names = useMemo(
    () =>
      t.columns.map((c, i) =>
        isKernel(c) && t.rows.length <= 5000 ? apart(t.rows.map(r => String(r[i] ?? ""))) : null,
      ),
    [t],
  );
  const reveal = (k: number) => {
    const b = box.current;
    if (k < 0 || !b) return;
    if (k * high < b.scrollTop || (k + 3) * high > b.scrollTop + b.clientHeight)
      b.scrollTop = Math.max(0, (k + 1) * high - b.clientHeight / 2);
    scroll(b.scrollTop);
  };
  const many = order.length > 200,
    from = many ? Math.max(0, Math.min(Math.floor(top / high) - 10, order.length - windowRows)) : 0,
    until = many ? Math.min(order.length, from + windowRows) : order.length;
  const name = t.id || "table",
    metric = role("metric"),
    label = p.at ?? shown.find(c => typeof t.rows[0]?.[c] === "string") ?? shown[0];
  const slices = p.to ? -1 : linkColumn(t),
    leads = p.to ?? (slices >= 0 ? (r: number) => toTimeline(t, t.rows[r]) : undefined),
    way = p.to ? label : slices;
  const note = (e: Element | null | undefined) => {
    const td = e?.closest?.("td"),
      r = Number(td?.dataset.r),
      c = Number(td?.dataset.c);
    if (!td || metric < 0 || !(r >= 0)) return;
    const value =
      typeof t.rows[r][c] === "number" ? c : t.columns.findIndex((_, i) => typeof t.rows[r][i] === "number");
    card.show(
      {
        title: String(t.rows[r][metric]),
        metric: String(t.rows[r][metric]),
        lines: [
          ["Raw value", value >= 0 ? raw(t.rows[r][value], unitOf(t, r, value)) : "no value"],
          ...former.map((f, i): [string, string] => [
            `Baseline ${mark(i)}`,
            value >= 0 ? raw(f(r)?.[value], unitOf(t, r, value)) : "",
          ]),
          ["Said of it", marks(r)?.text ?? ""],
        ],
      },
      td,
    );
  };
  const marks = (r: number) => (metric >= 0 ? p.marks?.get(String(t.rows[r][metric])) : undefined);
  const keyed = (e: KeyboardEvent) => {
    if (e.target !== box.current || e.ctrlKey || e.altKey || e.metaKey) return;
    const by: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9 };
    if (cursor >= 0 && order[cursor] !== undefined) {
      const r = order[cursor],
        to = leads?.(r);
      if (e.key === "Enter" && to) return set(to);
      if (e.key === "c") return void copy(raw(t.rows[r][label], ""));
      if (e.key === "C") return void copy(shown.map(c => raw(t.rows[r][c], "")).join("\t"));
    }
    if (e.key === "s" && shown.length) return turn(t.columns[shown.find(c => number[c]) ?? shown[0]].name, false);
    if (!(e.key in by) || !order.length) return;
    e.preventDefault();
    const k = Math.max(0, Math.min(order.length - 1, (cursor < 0 && by[e.key] === 1 ? -1 : cursor) + by[e.key]));
    move(k);
    reveal(k);
    setTimeout(() => note(box.current?.querySelector(`td[data-r="${order[k]}"]`)));
  };
  const turn = (c: string, add: boolean) => {
    const now = by.find(s => s[0] === c),
      next: Sort[] = add ? by.filter(s => s[0] !== c) : [];
    if (!now) next.push([c, number[column(t, c)]]);
    else if (now[1] === number[column(t, c)]) next.push([c, !now[1]]);
    set({ ["sort." + id]: next.map(s => `${s[0]},${s[1] ? "down" : "up"}`).join(";") }, false);
  };
  const resize = (e: PointerEvent, c: number) => {
    e.preventDefault();
    const th = (e.currentTarget as Element).closest("th")!,
      from = th.getBoundingClientRect().width - e.clientX;
    const drag = (m: PointerEvent) => setWide(w => ({ ...w, [c]: Math.max(40, from + m.clientX) }));
    const end = () => {
      removeEventListener("pointermove", drag);
      removeEventListener("pointerup", end);
    };
    addEventListener("pointermove", drag);
    addEventListener("pointerup", end);
  };
  const cell = (r: number, c: number) => {
    const col = t.columns[c],
      v = t.rows[r][c],
      to = leads && c === way ? leads(r) : undefined;
    const n = write[c](r);
    const text =
      names[c] && typeof v === "string" ? (
        <KernelName full={v} tail={names[c]![r].tail} />
      ) : (
        <>
          {n.text}
          {(n.unit || (number[c] && slots[c] !== "0")) && <span class="u">{n.unit}</span>}
        </>
      );
    const metricName = metric >= 0 ? String(t.rows[r][metric]) : col.name;
    return (
      <>
        {to ? (
          <a
            class="go"
            href={href(to)}
            title={p.opens ?? (slices >= 0 ? "Show on the timeline" : undefined)}
            onClick={e => {
              if (e.ctrlKey || e.metaKey || e.shiftKey) return;
              e.preventDefault();
              set(to);
            }}
          >
            {text}
          </a>
        ) : (
          text
        )}
        {col.role === "share" && typeof v === "number" && (
          <span class="bt" style={{ width: "60px", display: "inline-block", marginLeft: "8px", verticalAlign: "1px" }}>
            <i
              style={{
                width: `${Math.max(0, Math.min(100, v))}%`,
                background: p.colour ? `var(--c${p.colour(r) || 1})` : undefined,
              }}
            />
          </span>
        )}
        {c === label && marks(r) && (
          <button class="flag" title={marks(r)!.text} aria-label={"Finding: " + marks(r)!.text} onClick={marks(r)!.go}>
            <Icon name="flag" size="xs" />
          </button>
        )}
        {former.length > 0 &&
          typeof v === "number" &&
          compared(t, c) &&
          !isLabel(col) &&
          former.map((f, i) => {
            const then = f(r)?.[c];
            if (typeof then !== "number") return null;
            const d = relative(
              v,
              then,
              unitOf(t, r, c),
              metricName,
              read().least === undefined ? undefined : Number(read().least),
            );
            return d.text === "=" ? null : (
              <span key={i} class="nowrap">
                {former.length > 1 && <span class="mut"> {mark(i)}</span>}
                <Difference d={d} title={"baseline " + raw(then, unitOf(t, r, c))} />
              </span>
            );
          })}
      </>
    );
  };
  const spans = useMemo(() => {
    if (!spread) return null;
    const at = ["minimum", "median", "maximum"].map(role),
      vs = t.rows.map(r => at.map(c => Math.max(1, Number(r[c]) || 0)));
    const low = Math.log10(vs.reduce((m, v) => Math.min(m, v[0]), Infinity)),
      high = Math.log10(vs.reduce((m, v) => Math.max(m, v[2]), 1));
    return vs.map(v => v.map(x => (100 * (Math.log10(x) - low)) / (high - low || 1)));
  }, [t, spread]);
  const colspan = shown.length + (spread ? 1 : 0);
  return (
    <figure
      class={"grid" + (p.fill ? " fill" : "") + (p.bare ? " bare" : "") + (p.boxed ? " boxed" : "")}
      data-grid={id}
    >
      <figcaption>
        {p.find && <FilterField />}
        {(p.title ?? t.title) && <Title text={clean(p.title ?? t.title)} level={p.heading} />}
        {(p.sub ?? t.description) && <span class="about">{p.sub ?? t.description}</span>}
        {filter && (
          <span class="count" role="status">
            {order.length} of {t.rows.length}
          </span>
        )}
        {!filter && t.rows.length > 60 && <span class="count">{t.rows.length} rows</span>}
        <span class="tools">
          <IconButton
            icon="columns-3"
            size="s"
            label="Columns"
            onClick={e => setMenu(menu ? null : e.currentTarget)}
            aria-expanded={!!menu}
          />
          <IconButton
            icon="copy"
            size="s"
            label="Copy the table"
            onClick={() =>
              copy(
                shown.map(c => t.columns[c].name).join("\t") +
                  "\n" +
                  order.map(r => shown.map(c => t.rows[r][c] ?? "").join("\t")).join("\n"),
              )
            }
          />
          <IconButton
            icon="download"
            size="s"
            label="Save as CSV"
            onClick={() => save(name + ".csv", "text/csv", csv(t))}
          />
          <IconButton
            icon="binary"
            size="s"
            label="Save as JSON"
            onClick={() => save(name + ".json", "application/json", json(t))}
          />
          <IconButton
            icon="file-text"
            size="s"
            label="Save as Markdown"
            onClick={() => save(name + ".md", "text/markdown", markdown(t))}
          />
        </span>
        {menu && (
          <Popup of={menu} label="Columns" class="cols" close={() => setMenu(null)} where="bottom-end">
            <div class="cl">
              {can.map(c => (
                <label key={c}>
                  <input
                    type="checkbox"
                    checked={shown.includes(c)}
                    onChange={() => {
                      const now = can.filter(k => !shown.includes(k)).map(k => t.columns[k].name),
                        n = t.columns[c].name;
                      set(
                        { ["hide." + id]: (now.includes(n) ? now.filter(x => x !== n) : [...now, n]).join(",") || "-" },
                        false,
                      );
                    }}
                  />
                  {heading(t, c) || t.columns[c].name}
                </label>
              ))}
            </div>
          </Popup>
        )}
      </figcaption>
      <div
        ref={box}
        class="scroll"
        tabIndex={0}
        role="group"
        aria-label={p.title || t.title || t.id || "table"}
        onScroll={e => many && scroll(e.currentTarget.scrollTop)}
        onKeyDown={keyed}
        onMouseOver={e => note(e.target as Element)}
        onMouseLeave={card.hide}
        onBlur={card.hide}
      >
        {order.length === 0 ? (
          <Empty table={t} filter={filter} />
        ) : (
          <table aria-rowcount={order.length + 1}>
            <thead>
              <tr>
                {shown.map((c, i) => {
                  const s = by.find(b => b[0] === t.columns[c].name);
                  return (
                    <>
                      <th
                        key={c}
                        scope="col"
                        class={number[c] ? "number" : ""}
                        style={wide[c] ? { width: wide[c] + "px", minWidth: wide[c] + "px" } : undefined}
                        aria-sort={!s ? "none" : s[1] ? "descending" : "ascending"}
                      >
                        <button
                          title={`${t.columns[c].name}: click sorts, with Shift as a further key`}
                          onClick={e => turn(t.columns[c].name, e.shiftKey)}
                        >
                          <span class="t">{heading(t, c) || (metric === c ? "Metric" : "")}</span>
                          {s && <Icon name={s[1] ? "arrow-down" : "arrow-up"} size="xs" />}
                        </button>
                        <span
                          class="grip"
                          onPointerDown={e => resize(e, c)}
                          onDblClick={() => setWide(w => ({ ...w, [c]: 0 }))}
                        />
                      </th>
                      {spread && i === shown.length - 1 && (
                        <th scope="col" key="spread">
                          Min · median · max <span class="mut">log</span>
                        </th>
                      )}
                    </>
                  );
                })}
              </tr>
            </thead>
            <tbody>
              {from > 0 && <tr style={{ height: from * high + "px" }} />}
              {order.slice(from, until).map((r, k) => (
                <tr
                  key={r}
                  aria-rowindex={from + k + 2}
                  aria-selected={from + k === cursor ? "true" : undefined}
                  onClick={() => move(from + k)}
                >
                  {shown.map(c => {
                    const v = t.rows[r][c];
                    return (
                      <td
                        key={c}
                        data-r={r}
                        data-c={c}
                        class={
                          number[c]
                            ? t.columns[c].role === "address"
                              ? "number mono"
                              : "number"
                            : names[c]
                              ? "kernel"
                              : t.columns[c].role === "code"
                                ? "text code"
                                : typeof v === "string" && v.length > 90 && !verbatim
                                  ? "long"
                                  : "text"
                        }
                        style={number[c] && slots[c] !== "0" ? { "--unit": slots[c] } : undefined}
                        data-raw={typeof v === "number" ? `${v} ${unitOf(t, r, c)}` : undefined}
                        title={metric < 0 && !names[c] ? title(t, r, c) : undefined}
                      >
                        {p.colour && c === shown[0] && p.colour(r) > 0 ? (
                          <span class="tr">
                            <i class={"swt k" + p.colour(r)} />
                            {cell(r, c)}
                          </span>
                        ) : (
                          cell(r, c)
                        )}
                      </td>
                    );
                  })}
                  {spans && (
                    <td
                      title={["minimum", "median", "maximum"]
                        .map(x => `${x} ${raw(t.rows[r][role(x)], t.columns[role(x)].unit)}`)
                        .join("\n")}
                    >
                      <span class="sprd">
                        <i style={{ left: spans[r][0] + "%", width: Math.max(1, spans[r][2] - spans[r][0]) + "%" }} />
                        <b style={{ left: spans[r][1] + "%" }} />
                      </span>
                    </td>
                  )}
                </tr>
              ))}
              {until < order.length && <tr style={{ height: (order.length - until) * high + "px" }} />}
            </tbody>
            {p.totals && order.length > 1 && (
              <Totals
                table={t}
                order={order}
                shown={shown}
                totals={p.totals}
                extra={colspan - shown.length}
                slots={slots}
              />
            )}
          </table>
        )}
      </div>
    </figure>
  );
}

function Title({ text, level }: { text: string; level?: number }) {
  return level === 2 ? <h2>{text}</h2> : level === 3 ? <h3>{text}</h3> : <b>{text}</b>;
}

function Totals({
  table: t,
  order,
  shown,
  totals,
  extra,
  slots,
}: {
  table: Table;
  order: number[];
  shown: number[];
  totals: string[];
  extra: number;
  slots: string[];
}) {
  const cells = shown.map((c, i) => {
    const role = t.columns[c].role ?? "";
    if (!totals.includes(role)) return i === 0 ? <td>Total</td> : <td />;
    const sum = order.reduce((s, r) => s + (Number(t.rows[r][c]) || 0), 0),
      n = writer({ ...t, rows: [t.columns.map((_, k) => (k === c ? sum : null))], text: [[]] }, c)(0);
    return (
      <td class="number" style={{ "--unit": slots[c] }}>
        {n.text}
        <span class="u">{n.unit}</span>
        {role === "share" && <span style={{ display: "inline-block", width: "68px" }} />}
      </td>
    );
  });
  return (
    <tfoot>
      <tr>
        {cells}
        {extra > 0 && <td />}
      </tr>
    </tfoot>
  );
}

// Empty says why a table has no rows, and which names are near what was looked for.
function Empty({ table: t, filter }: { table: Table; filter: string }) {
  if (!filter) return <p class="empty">There are no rows.</p>;
  const want = filter.toLowerCase(),
    letters = new Set(want);
  const near = [...new Set(t.text.flatMap(r => r.filter(x => x.length > 2 && x.length < 60 && /[a-z]/i.test(x))))]
    .map(x => ({
      x,
      n:
        [...letters].filter(l => x.toLowerCase().includes(l)).length / letters.size -
        Math.abs(x.length - want.length) / 200,
    }))
    .sort((a, b) => b.n - a.n)
    .slice(0, 3);
  return (
    <div class="empty">
      <p>
        No row matches <code>{filter}</code>.{" "}
        <button class="btn" onClick={() => set({ filter: "" }, false)}>
          Clear the filter
        </button>
      </p>
      {near.length > 0 && (
        <p class="mut">
          Near:{" "}
          {near.map(n => (
            <button
              key={n.x}
              class="chip"
              onClick={() => set({ filter: n.x.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") }, false)}
            >
              {n.x}
            </button>
          ))}
        </p>
      )}
    </div>
  );
}

// FilterField is the one field that filters what a page shows; "/" goes there.
export function FilterField({ label = "Filter rows" }: { label?: string }) {
  const s = useAddress();
  return (
    <label class="inp">
      <Icon name="list-filter" size="s" />
      <input
        type="search"
        data-filter
        aria-label={label}
        placeholder={label}
        value={s.filter ?? ""}
        onInput={e => set({ filter: e.currentTarget.value }, false)}
        onKeyDown={e => {
          if (e.key === "Escape") {
            e.stopPropagation();
            if (read().filter) set({ filter: "" }, false);
            else e.currentTarget.blur();
          }
        }}
      />
      <kbd>/</kbd>
    </label>
  );
}

// title is what is said of a cell: what is measured, and the raw value.
const title = (t: Table, r: number, c: number): string =>
  clean(
    [t.columns[c].name, raw(t.rows[r][c], typeof t.rows[r][c] === "number" ? unitOf(t, r, c) : "")].join("\n"),
  ).slice(0, 600);

// useEffectKey listens to keys that no field has.
export function useKeys(does: (e: KeyboardEvent) => void): void {
  const at = useRef(does);
  at.current = does;
  useEffect(() => {
    const f = (e: KeyboardEvent) => {
      if (
        !e.ctrlKey &&
        !e.metaKey &&
        !e.altKey &&
        !typing(e) &&
        !document.querySelector("dialog[open],.pop") &&
        localStorage.getItem("keys") !== "off"
      )
        at.current(e);
    };
    addEventListener("keydown", f);
    return () => removeEventListener("keydown", f);
  }, []);
}

// cellHeat is the class of a cell of a column that is shaded by the hottest of it.
export const cellHeat = (v: Cell, most: number): string =>
  typeof v === "number" && v > 0 ? "h" + heatStep(v, most) : "h0";
export { metricColumn };
