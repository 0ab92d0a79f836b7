import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Anchor, hide, show } from "./card";
import { type Arrow, arrows, lanes, path } from "./branches";
import { cpp, sass } from "./code";
import { column, inRole, type Table, unitOf } from "./document";
import { count, num, raw, relative, step } from "./num";
import { heatColumn, placeOf, stalls } from "./spot";
import { base, clean } from "./names";
import type { Former } from "./table";
import { Difference } from "./parts";

const high = 21,
  margin = 10 + 5 * lanes; // px that arrows of branches take

// A Line is a row of the listing, or lines without code that are folded.
type Line = { row: number; folded?: undefined } | { row?: undefined; folded: number };

interface Props {
  id: string;
  table: Table;
  heat?: string;
  sum: number; // of the heat metric over the launch
  cols: string[];
  chosen: number; // row
  lit: Set<number>;
  found: Set<number>;
  pick: (row: number) => void;
  former?: Former;
  linked: boolean;
  open: boolean; // folds are open
}

// Listing shows code with what it costs: heat first, then what its warps waited for.
export function Listing({ id, table: t, heat, sum, cols, chosen, lit, found, pick, former, linked, open }: Props) {
  const box = useRef<HTMLDivElement>(null),
    [top, scroll] = useState(0),
    [seen, setSeen] = useState(600);
  const code = inRole(t, "code"),
    address = inRole(t, "address"),
    line = inRole(t, "line"),
    file = inRole(t, "file"),
    kind = column(t, "class"),
    hot = heatColumn(t, heat),
    reasons = useMemo(() => stalls(t), [t]),
    samples = inRole(t, "samples"),
    branches = useMemo(() => arrows(t), [t]),
    marks = inRole(t, "marks"),
    marked = useMemo(() => t.rows.some(r => marksOf(r[marks])), [t, marks]);
  const lines = useMemo<Line[]>(() => {
    const out: Line[] = [];
    let last = 0;
    t.rows.forEach((r, i) => {
      if (address < 0 && line >= 0 && !open) {
        const n = Number(r[line]);
        if (last && n > last + 1) out.push({ folded: n - last - 1 });
        last = n;
      }
      out.push({ row: i });
    });
    return out;
  }, [t, open]);
  const at = useMemo(
    () => new Map(lines.flatMap((l, i) => (l.row === undefined ? [] : [[l.row, i] as const]))),
    [lines],
  );
  const most = useMemo(() => t.rows.reduce((m, r) => Math.max(m, Number(r[hot]) || 0), 0), [t, hot]),
    mostSamples = useMemo(() => t.rows.reduce((m, r) => Math.max(m, Number(r[samples]) || 0), 0), [t, samples]);
  const view = () => {
    const b = box.current;
    if (b) {
      scroll(b.scrollTop);
      setSeen(b.clientHeight);
    }
  };
  useEffect(() => {
    view();
    const o = new ResizeObserver(view);
    if (box.current) o.observe(box.current);
    return () => o.disconnect();
  }, []);
  const reveal = (row: number) => {
    const k = at.get(row) ?? -1,
      b = box.current;
    if (k < 0 || !b) return;
    if (k * high < b.scrollTop + high || (k + 3) * high > b.scrollTop + b.clientHeight)
      b.scrollTop = Math.max(0, (k + 1) * high - b.clientHeight / 2);
    view();
  };
  useEffect(() => {
    if (chosen >= 0) reveal(chosen);
    else if (!lit.size && most > 0) reveal(t.rows.findIndex(r => Number(r[hot]) === most)); // where nothing is chosen, the hottest is in sight
  }, [chosen, t]);
  const hottest = useMemo(
    () =>
      [...lit].reduce((m, r) => (m < 0 || (Number(t.rows[r][hot]) || 0) > (Number(t.rows[m][hot]) || 0) ? r : m), -1),
    [lit, hot],
  );
  useEffect(() => {
    if (!lit.has(chosen)) reveal(hottest);
  }, [hottest, t]);
  const first = [...found][0] ?? -1;
  useEffect(() => reveal(first), [first]);
  const from = Math.max(0, Math.floor(top / high) - 12),
    to = Math.min(lines.length, Math.ceil((top + seen) / high) + 12);
  const shown = cols.map(n => column(t, n)).filter(c => c >= 0);
  const why = (r: number, e: { currentTarget: Element; clientX?: number; clientY?: number }) => {
    const all = reasons
      .map(s => ({ s, v: Number(t.rows[r][s.column]) || 0 }))
      .filter(x => x.v > 0)
      .sort((a, b) => b.v - a.v);
    if (!all.length) return;
    show(
      {
        title: line >= 0 && t.rows[r][line] !== null ? `${base(placeOf(t, r))}` : "Why its warps wait",
        lines: [
          ...all.slice(0, 8).map((x): [string, string] => [x.s.name, count(x.v)]),
          ["", `${count(Number(t.rows[r][samples]) || 0)} samples`],
        ],
      },
      e.clientX === undefined ? e.currentTarget : new Anchor(e.clientX, e.clientY!),
    );
  };
  const tell = (r: number, e: { currentTarget: Element; clientX?: number; clientY?: number }) => {
    if (kind < 0 || t.rows[r][kind] === null) return;
    show(
      { title: String(t.rows[r][code] ?? "Instruction"), lines: said(t, r, branches) },
      e.clientX === undefined ? e.currentTarget : new Anchor(e.clientX, e.clientY!),
    );
  };
  const key = (e: KeyboardEvent) => {
    const leads = branches.find(b => b.from === chosen);
    if (e.key === "Enter" && leads) {
      e.preventDefault();
      return pick(leads.to);
    }
    const by: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 };
    if (!(e.key in by) || e.ctrlKey || e.altKey) return;
    e.preventDefault();
    const now = at.get(chosen) ?? Math.floor(top / high);
    let k = Math.max(0, Math.min(lines.length - 1, now + by[e.key]));
    while (lines[k] && lines[k].row === undefined && k > 0 && k < lines.length - 1) k += Math.sign(by[e.key]);
    const row = lines[k]?.row;
    if (row === undefined) return;
    pick(row);
    setTimeout(() => {
      const cell = box.current?.querySelector(`tr[data-row="${row}"] td.code`);
      if (cell) tell(row, { currentTarget: cell });
    }, 60);
  };
  const width =
    60 +
    82 +
    62 +
    (branches.length ? margin : 0) +
    (marked ? 30 : 0) +
    (linked && address >= 0 && line >= 0 ? 46 : 0) +
    (former ? 64 : 0) +
    72 * shown.length;
  return (
    <div class="sw2">
      <div
        class="sc"
        ref={box}
        data-grid={id}
        tabIndex={0}
        role="group"
        aria-label={`${clean(t.title || "Instructions")}: code and what it costs`}
        onScroll={view}
        onKeyDown={key}
        onMouseLeave={hide}
      >
        <table style={{ minWidth: width + 180 + "px" }} aria-rowcount={lines.length + 1}>
          <colgroup>
            <col style={{ width: "60px" }} />
            <col style={{ width: "82px" }} />
            {former && <col style={{ width: "64px" }} />}
            <col style={{ width: address >= 0 ? "62px" : "54px" }} />
            {branches.length > 0 && <col style={{ width: margin + "px" }} />}
            <col />
            {marked && <col style={{ width: "30px" }} />}
            {linked && address >= 0 && line >= 0 && <col style={{ width: "46px" }} />}
            {shown.map(c => (
              <col key={c} style={{ width: "72px" }} />
            ))}
          </colgroup>
          <thead>
            <tr>
              <th scope="col" class="number" title={t.columns[hot]?.name}>
                Heat %
              </th>
              <th scope="col">Stalls</th>
              {former && (
                <th scope="col" class="number">
                  <span class="bk">1</span>
                </th>
              )}
              <th scope="col" class="number">
                {address >= 0 ? "Addr" : "Line"}
              </th>
              {branches.length > 0 && (
                <th scope="col" class="br">
                  <span class="sr">Branches</span>
                </th>
              )}
              <th scope="col">{address >= 0 ? "SASS" : clean(base(t.title))}</th>
              {marked && (
                <th scope="col" title="P predicated, U once for the warp, S looks like a spill">
                  <span class="sr">Marks</span>
                </th>
              )}
              {linked && address >= 0 && line >= 0 && (
                <th scope="col" class="number">
                  Line
                </th>
              )}
              {shown.map(c => (
                <th key={c} scope="col" class="number" title={t.columns[c].name}>
                  {short(t.labels[c] ?? t.columns[c].name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {from > 0 && <tr style={{ height: from * high + "px" }} />}
            {lines.slice(from, to).map((l, k) => {
              if (l.row === undefined)
                return (
                  <tr key={"f" + (from + k)} class="fold">
                    <td colSpan={4 + shown.length + (former ? 1 : 0) + (branches.length ? 1 : 0) + (marked ? 1 : 0)}>
                      <span>⋯ {l.folded === 1 ? "1 line" : `${l.folded} lines`}</span>
                    </td>
                  </tr>
                );
              const r = l.row,
                row = t.rows[r],
                v = Number(row[hot]) || 0,
                h = step(v, most),
                share = sum > 0 ? (100 * v) / sum : 0,
                then = former?.(r)?.[hot];
              return (
                <tr
                  key={r}
                  aria-rowindex={from + k + 2}
                  data-row={r}
                  aria-current={r === chosen ? "true" : undefined}
                  class={(lit.has(r) ? "lit " : "") + (found.has(r) ? "hit" : "")}
                  onClick={() => pick(r)}
                >
                  <td
                    class={"ht h" + h}
                    title={v ? raw(row[hot], unitOf(t, r, hot)) : undefined}
                    data-raw={String(row[hot] ?? "")}
                  >
                    {v > 0 && <b>{share >= 0.005 ? (share < 1 ? share.toFixed(2) : share.toFixed(1)) : "<0.01"}</b>}
                  </td>
                  <td class="sb" onMouseMove={e => why(r, e)}>
                    {mostSamples > 0 && Number(row[samples]) > 0 && (
                      <span style={{ width: `${(100 * Number(row[samples])) / mostSamples}%` }}>
                        {reasons
                          .filter(s => Number(row[s.column]) > 0)
                          .sort((a, b) => Number(row[b.column]) - Number(row[a.column]))
                          .map(s => (
                            <i key={s.column} class={"k" + s.colour} style={{ flexGrow: Number(row[s.column]) }} />
                          ))}
                        {!reasons.length && <i class="k7" style={{ flexGrow: 1 }} />}
                      </span>
                    )}
                  </td>
                  {former && (
                    <td class="number bs">
                      {typeof then === "number" && v !== then ? (
                        <Difference d={relative(v, then, "", "stall")} title={"baseline " + then} />
                      ) : (
                        ""
                      )}
                    </td>
                  )}
                  <td class="la">
                    {address >= 0
                      ? typeof row[address] === "number"
                        ? (row[address] as number).toString(16).slice(-5)
                        : ""
                      : String(row[line] ?? r + 1)}
                  </td>
                  {branches.length > 0 && <Arrows all={branches} row={r} chosen={chosen} />}
                  <td class="code" onMouseMove={e => tell(r, e)}>
                    {row[code] === null || row[code] === undefined ? (
                      <span class="mut">{kind >= 0 && row[kind] ? String(row[kind]) : "no text"}</span>
                    ) : address >= 0 ? (
                      sass(String(row[code]), String(row[kind] ?? ""))
                    ) : (
                      cpp(String(row[code]))
                    )}
                  </td>
                  {marked && (
                    <td class="mk" title={String(row[marks] ?? "")}>
                      {marksOf(row[marks])}
                    </td>
                  )}
                  {linked && address >= 0 && line >= 0 && (
                    <td class="la ll" title={file >= 0 ? clean(String(row[file] ?? "")) : ""}>
                      {String(row[line] ?? "")}
                    </td>
                  )}
                  {shown.map(c => (
                    <td key={c} class="number ex" data-raw={String(row[c] ?? "")}>
                      {typeof row[c] === "number" ? big(row[c] as number) : ""}
                    </td>
                  ))}
                </tr>
              );
            })}
            {to < lines.length && <tr style={{ height: (lines.length - to) * high + "px" }} />}
          </tbody>
        </table>
      </div>
      <Mini t={t} hot={hot} most={most} lines={lines} top={top} seen={seen} go={pick} />
    </div>
  );
}

const short = (label: string): string =>
  clean(label)
    .replace(/^# ?/, "")
    .replace(/^(Warp )?Instructions Executed.*$/, "Executed")
    .replace(/^Instructions? /, "");
const big = (v: number): preact.ComponentChild => {
  if (v === 0) return "";
  const n = num(v, v >= 1e5 ? "bit" : "", 3);
  return (
    <>
      {n.text}
      {v >= 1e5 && <span class="u">{n.unit.replace("bit", "")}</span>}
    </>
  );
};

// marksOf is what is special about an instruction in letters.
const marksOf = (marks: unknown): string =>
  String(marks ?? "")
    .split(" ")
    .map(m => m.slice(0, 1).toUpperCase())
    .join(" ");

// Arrows are what a row has of the branches that begin, end or pass there.
function Arrows({ all, row, chosen }: { all: Arrow[]; row: number; chosen: number }) {
  const here = all.filter(a => row >= Math.min(a.from, a.to) && row <= Math.max(a.from, a.to));
  return (
    <td class="br">
      {here.length > 0 && (
        <svg width={margin} height={high} aria-hidden="true">
          {here.map((a, i) => (
            <path
              key={i}
              data-from={a.from}
              data-to={a.to}
              class={a.from === chosen || a.to === chosen ? "on" : ""}
              d={path(a, row, high, margin)}
            />
          ))}
        </svg>
      )}
    </td>
  );
}

function said(t: Table, r: number, branches: Arrow[]): [string, string][] {
  const [cl, meaning, control, waits] = ["class", "meaning", "control", "waits"].map(n => column(t, n)),
    [live, marks, address] = ["live", "marks", "address"].map(n => inRole(t, n)),
    row = t.rows[r],
    places = (rows: number[]) => rows.map(x => Number(t.rows[x][address]).toString(16).slice(-5)).join(", ");
  return [
    [String(row[cl] ?? ""), String(row[meaning] ?? "not explained")],
    ["Leads to", places(branches.filter(b => b.from === r).map(b => b.to))],
    ["Comes from", places(branches.filter(b => b.to === r).map(b => b.from))],
    ["Marks", String(row[marks] ?? "").replaceAll(" ", ", ")],
    ["Live registers", String(row[live] ?? "")],
    ["Waits for", String(row[waits] ?? "")],
    ["Control", String(row[control] ?? "")],
  ];
}

// Mini is a map of a listing from top to bottom: each stripe has the heat of its
// hottest row, and leads there; the frame is what is in sight.
function Mini({
  t,
  hot,
  most,
  lines,
  top,
  seen,
  go,
}: {
  t: Table;
  hot: number;
  most: number;
  lines: Line[];
  top: number;
  seen: number;
  go: (row: number) => void;
}) {
  const n = Math.min(160, lines.length);
  const stripes = useMemo(
    () =>
      Array.from({ length: n }, (_, i) => {
        const a = Math.floor((i * lines.length) / n),
          b = Math.max(a + 1, Math.floor(((i + 1) * lines.length) / n));
        let row = -1,
          v = 0;
        for (let k = a; k < b; k++) {
          const r = lines[k].row;
          if (r === undefined) continue;
          const x = Number(t.rows[r][hot]) || 0;
          if (row < 0 || x > v) {
            v = x;
            row = r;
          }
        }
        return { row, h: step(v, most) };
      }),
    [t, hot, lines],
  );
  if (n < 24) return <div />;
  const all = lines.length * high;
  return (
    <div class="mini" role="img" aria-label="Heat of the listing from top to bottom">
      {stripes.map((s, i) => (
        <i
          key={i}
          class={s.h ? "h" + s.h : ""}
          onClick={() => s.row >= 0 && go(s.row)}
          title={s.row >= 0 ? `row ${s.row + 1}` : undefined}
        />
      ))}
      <span style={{ top: `${(100 * top) / all}%`, height: `${Math.min(100, (100 * seen) / all)}%` }} />
    </div>
  );
}
