import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import { column } from "./document";
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
    name: string,
  ) =>
    p.then(
      d => {
        const t = d.sections.flatMap(s => s.tables).find(t => column(t, name) >= 0);
        to(t ? t.rows.map(r => String(r[column(t, name)])) : []);
      },
      () => to([]),
    );
  useEffect(() => {
    ids(api.page("rules", ""), setRules, "id");
    ids(api.page("sets", ""), setSets, "identifier");
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

// applies leads from a rule, a section or a set to the details with it.
export const applies: Opener = t => {
  const to: Record<string, [string, string]> = {
    rules: ["id", "apply"],
    sections: ["identifier", "section"],
    sets: ["identifier", "set"],
  };
  const [name, key] = to[t.id] ?? ["", ""],
    c = column(t, name);
  if (c < 0) return undefined;
  return {
    at: c,
    opens: t.id === "rules" ? "Apply this rule" : "Show it on Details",
    open: r =>
      set({ page: "details", section: "", ...(key === "section" ? { set: "full" } : {}), [key]: String(t.rows[r][c]) }),
  };
};
