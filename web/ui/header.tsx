import { useState } from "preact/hooks";
import { heading, isLabel } from "./cell";
import { type Cell, type Table } from "./document";
import { Icon } from "./icon";
import { Popup, step } from "./menu";
import { clean } from "./names";
import { raw } from "./num";
import { copy } from "./parts";
import { set, type State } from "./state";

// What a table's headers choose stands in the address, by the table's id:
// "only." filters by column, "pin." the column that stays, "cols." their order,
// "heat." the shaded one, "own." those whose numbers have each their own unit.

// passes is a filter of a column as a test of its cells: ">= 5" of numbers in
// their base unit, "=text" of the whole text, else a part of it.
export function passes(expression: string): (v: Cell, text: string) => boolean {
  const [, sign, number] = /^\s*(>=|<=|>|<|=)\s*([-+]?[\d.]+(?:e[-+]?\d+)?)\s*$/i.exec(expression) ?? [],
    n = Number(number),
    part = expression.toLowerCase();
  return (v, text) => {
    if (typeof v === "number" && sign)
      return sign === ">=" ? v >= n : sign === "<=" ? v <= n : sign === ">" ? v > n : sign === "<" ? v < n : v === n;
    if (expression.startsWith("=")) return String(v ?? "") === expression.slice(1);
    return `${text} ${v ?? ""}`.toLowerCase().includes(part);
  };
}

// filters are those of a table in the address.
export const filters = (state: State, id: string): [string, string][] => [
  ...new URLSearchParams(state["only." + id] ?? "").entries(),
];

// arrange puts columns into the order that was chosen, the pinned one first.
export function arrange(t: Table, shown: number[], state: State, id: string): number {
  const order = state["cols." + id]?.split(",") ?? [],
    at = (c: number) => (order.includes(t.columns[c].name) ? order.indexOf(t.columns[c].name) : 1e6 + c);
  if (order.length) shown.sort((a, b) => at(a) - at(b));
  const pin = shown.find(c => t.columns[c].name === state["pin." + id]);
  if (pin === undefined) return -1;
  shown.splice(shown.indexOf(pin), 1);
  shown.unshift(pin);
  return pin;
}

interface Props {
  of: Element;
  table: Table;
  id: string;
  c: number;
  shown: number[]; // the columns in their order
  hidden: string[]; // names of those that are not shown
  rows: number[]; // those in sight
  number: boolean;
  sort: (down: boolean, add: boolean) => void;
  close: () => void;
  state: State;
}

// HeaderMenu is what can be done with a column.
export function HeaderMenu({ of, table: t, id, c, shown, hidden, rows, number, sort, close, state }: Props) {
  const name = t.columns[c].name,
    title = heading(t, c) || name,
    now = filters(state, id),
    [wanted, want] = useState(now.find(f => f[0] === name)?.[1] ?? "");
  const put = (change: State) => {
    set(change, false);
    close();
  };
  const filter = (expression: string) => {
    const next = new URLSearchParams(now.filter(f => f[0] !== name));
    if (expression) next.set(name, expression);
    put({ ["only." + id]: next.toString() });
  };
  const move = (by: number) => {
    const names = shown.map(k => t.columns[k].name),
      i = names.indexOf(name);
    names.splice(i, 1);
    names.splice(i + by, 0, name);
    put({ ["cols." + id]: names.join(",") });
  };
  const own = state["own." + id]?.split(",") ?? [];
  const counts = new Map<string, number>();
  if (!number)
    for (const r of rows.slice(0, 20_000)) {
      const v = String(t.rows[r][c] ?? "");
      counts.set(v, (counts.get(v) ?? 0) + 1);
    }
  const values = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 8);
  const item = (icon: string, text: string, does: () => void, on = true) =>
    on && (
      <button class="mi" onClick={does}>
        <Icon name={icon as "copy"} size="s" />
        <span>{text}</span>
      </button>
    );
  const at = shown.indexOf(c),
    pinned = state["pin." + id] === name,
    heated = state["heat." + id] === name;
  return (
    <Popup of={of} label={`Column ${title}`} class="menu" where="bottom-start" close={close}>
      <div
        class="cl"
        onKeyDown={e => {
          const all = [...e.currentTarget.querySelectorAll<HTMLElement>("button,input")],
            to = step(e, all.indexOf(document.activeElement as HTMLElement), all.length);
          if (to !== null) all[to].focus();
        }}
      >
        {item("arrow-up", "Sort, least first", () => (sort(false, false), close()))}
        {item("arrow-down", "Sort, largest first", () => (sort(true, false), close()))}
        {item(
          "chevrons-up-down",
          "Sort by this as a further key",
          () => (sort(number, true), close()),
          !!state["sort." + id],
        )}
        {item("pin", pinned ? "Let it scroll" : "Pin: it stays at the left", () =>
          put({ ["pin." + id]: pinned ? "" : name }),
        )}
        {item("chevron-left", "Move to the left", () => move(-1), at > 0 && !pinned)}
        {item("chevron-right", "Move to the right", () => move(1), at < shown.length - 1 && !pinned)}
        {item("x", "Hide", () => put({ ["hide." + id]: [...hidden, name].join(",") }), shown.length > 1)}
        {item(
          "flame",
          heated ? "No heat" : "Heat: shade by value",
          () => put({ ["heat." + id]: heated ? "" : name }),
          number,
        )}
        {item(
          "binary",
          own.includes(name) ? "One unit for the column" : "Each number in its own unit",
          () => put({ ["own." + id]: (own.includes(name) ? own.filter(x => x !== name) : [...own, name]).join(",") }),
          number && !!t.columns[c].unit && t.columns[c].unit !== "%" && !isLabel(t.columns[c]),
        )}
        {item("copy", "Copy the column", () => {
          copy([name, ...rows.map(r => raw(t.rows[r][c] ?? "", ""))].join("\n"));
          close();
        })}
        <form
          class="mf"
          onSubmit={e => {
            e.preventDefault();
            filter(wanted);
          }}
        >
          <label class="inp">
            <Icon name="list-filter" size="s" />
            <input
              type="text"
              aria-label={`Only rows whose ${title}`}
              placeholder={number ? `>= 100${t.columns[c].unit ? " in " + t.columns[c].unit : ""}` : "contains"}
              value={wanted}
              onInput={e => want(e.currentTarget.value)}
            />
          </label>
          <button class="btn" type="submit">
            Filter
          </button>
        </form>
        {values.length > 1 &&
          values.map(([v, n]) => (
            <button key={v} class="mi" onClick={() => filter("=" + v)}>
              <span class="ell">{clean(v) || "(empty)"}</span>
              <span class="k">{n}</span>
            </button>
          ))}
        {item("x", "Clear the filters of the table", () => put({ ["only." + id]: "" }), now.length > 0)}
      </div>
    </Popup>
  );
}
