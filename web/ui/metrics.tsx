import { mark } from "./base";
import * as card from "./card";
import { labelled } from "./cell";
import { inRole, type Table, unitOf } from "./document";
import { Icon } from "./icon";
import { clean } from "./names";
import { num, raw, relative } from "./num";
import { Difference } from "./parts";
import { formers } from "./table";
import { useState } from "preact/hooks";

export type Marks = Map<string, { text: string; go: () => void }>;

// isMetrics tells tables whose rows are metrics with one value each.
export const isMetrics = (t: Table): boolean => inRole(t, "metric") >= 0 && inRole(t, "value") >= 0;

// first is how many rows of a long table of metrics are shown before the rest is asked for.
const first = 24;

// Metrics is a table Metric | Value | baselines | Change.
export function Metrics({
  table: t,
  bases,
  marks,
  only,
  label,
}: {
  table: Table;
  bases: (Table | undefined)[];
  marks?: Marks;
  only?: (metric: string, text: string, changed: boolean) => boolean;
  label?: string;
}) {
  const [all, open] = useState(false),
    m = inRole(t, "metric"),
    v = inRole(t, "value"),
    former = formers(t, bases),
    names = labelled(t);
  const rows = t.rows
    .map((_, i) => i)
    .filter(i => {
      const then = former.map(f => f(i)?.[v]);
      const changed = then.some(x => x !== undefined && x !== t.rows[i][v]);
      return !only || only(String(t.rows[i][m]), names[i], changed);
    });
  if (!rows.length) return null;
  const shown = all || rows.length <= first + 4 ? rows : rows.slice(0, first);
  const note = (i: number, e: { currentTarget: Element }) =>
    card.show(
      {
        title: String(t.rows[i][m]),
        metric: String(t.rows[i][m]),
        lines: [
          ["Raw value", raw(t.rows[i][v], unitOf(t, i, v))],
          ...former.map((f, k): [string, string] => [`Baseline ${mark(k)}`, raw(f(i)?.[v], unitOf(t, i, v))]),
          ["Said of it", marks?.get(String(t.rows[i][m]))?.text ?? ""],
        ],
      },
      e.currentTarget,
    );
  const cell = (x: unknown, unit: string) => {
    if (typeof x !== "number")
      return (
        <>
          {x === null || x === undefined ? <span title="not measured">–</span> : clean(String(x))}
          <span class="slot" />
        </>
      );
    const n = num(x, unit);
    return (
      <>
        {n.text}
        <span class="slot">{n.unit && <span class="u">{n.unit}</span>}</span>
      </>
    );
  };
  return (
    <div class="mt">
      <table aria-label={label ?? (t.title || "metrics")}>
        <thead>
          <tr>
            <th scope="col">{t.title && t.id !== "header" ? clean(t.title) : "Metric"}</th>
            <th scope="col" class="number">
              Value
              <span class="slot" />
            </th>
            {former.map((_, k) => (
              <>
                <th scope="col" class="number">
                  <span class="bk">{k + 1}</span>
                  Baseline
                  <span class="slot" />
                </th>
                <th scope="col" class="number">
                  Change
                </th>
              </>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(i => {
            const r = t.rows[i],
              unit = unitOf(t, i, v),
              name = String(r[m]),
              mk = marks?.get(name);
            return (
              <tr
                key={i}
                data-metric={name}
                tabIndex={0}
                onMouseEnter={e => note(i, e)}
                onMouseLeave={card.hide}
                onFocus={e => note(i, e)}
                onBlur={card.hide}
              >
                <td>
                  <span class="ml">
                    {names[i]}
                    {mk && (
                      <button class="flag" title={mk.text} aria-label={"Finding: " + mk.text} onClick={mk.go}>
                        <Icon name="flag" size="xs" />
                      </button>
                    )}
                  </span>
                </td>
                <td class="number v" data-raw={raw(r[v], unit)}>
                  {cell(r[v], unit)}
                </td>
                {former.map(f => {
                  const then = f(i)?.[v],
                    d =
                      typeof r[v] === "number" && typeof then === "number"
                        ? relative(r[v] as number, then, unit, name)
                        : null;
                  return (
                    <>
                      <td class="number b">{cell(then, unit)}</td>
                      <td class="number ch">
                        {d ? (
                          <Difference d={d} title={`baseline ${raw(then, unit)}`} />
                        ) : then === undefined ? (
                          ""
                        ) : then === r[v] ? (
                          "="
                        ) : (
                          "≠"
                        )}
                        {!d?.unit && <span class="slot" />}
                      </td>
                    </>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
      {shown.length < rows.length && (
        <button class="more" onClick={() => open(true)}>
          {rows.length - shown.length} more
        </button>
      )}
    </div>
  );
}
