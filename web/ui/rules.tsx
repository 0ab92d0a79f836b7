import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import { column, inRole } from "./document";
import type { Opener } from "./page";
import { set, type State } from "./state";

// Apply runs rules over the launches that are shown: what they say stands beside
// what the report holds.
export function Apply({ state, details }: { state: State; details: boolean }) {
  const [rules, setRules] = useState<string[]>([]),
    [sets, setSets] = useState<string[]>([]);
  const ids = (
    p: Promise<{ sections: { tables: import("./document").Table[] }[] }>,
    to: (s: string[]) => void,
    role: string,
  ) =>
    p.then(
      d => {
        const t = d.sections.flatMap(s => s.tables).find(t => t.link?.to === role);
        to(t ? t.rows.map(r => String(r[inRole(t, role)])) : []);
      },
      () => to([]),
    );
  useEffect(() => {
    ids(api.page("rules", ""), setRules, "rule");
    ids(api.page("sets", ""), setSets, "set");
  }, []);
  return (
    <span class="apply">
      <label>
        Rules{" "}
        <select id="apply" value={state.apply ?? ""} onChange={e => set({ apply: e.currentTarget.value })}>
          <option value="">as the report has them</option>
          <option value="yes">apply all rules</option>
          {rules.map(r => (
            <option value={r}>apply {r}</option>
          ))}
        </select>
      </label>{" "}
      {details && sets.length > 0 && (
        <label>
          Sections{" "}
          <select id="set" value={state.set ?? ""} onChange={e => set({ set: e.currentTarget.value })}>
            <option value="">of the report</option>
            {sets.map(s => (
              <option value={s}>set {s}</option>
            ))}
          </select>
        </label>
      )}
      {details && state.section && (
        <span>
          {" "}
          Section {state.section} <button onClick={() => set({ section: "" })}>show all</button>
        </span>
      )}
    </span>
  );
}

// The member of the address that says what rows that lead to a rule, a section or
// a set ask the details for.
const members = { rule: "apply", section: "section", set: "set" } as const;

// applies leads from a rule, a section or a set to the details with it.
export const applies: Opener = t => {
  const to = t.link?.to;
  if (!t.link || (to !== "rule" && to !== "section" && to !== "set")) return undefined;
  const c = column(t, t.link.cell);
  return {
    at: c,
    opens: to === "rule" ? "Apply this rule" : "Show it on Details",
    open: r =>
      set({
        page: "details",
        section: "",
        ...(to === "section" ? { set: "full" } : {}),
        [members[to]]: String(t.rows[r][c]),
      }),
  };
};
