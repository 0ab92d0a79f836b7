import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import { column, inRole, type Table } from "./document";
import { Pick } from "./parts";
import { set, type State } from "./state";

// Apply runs rules over the launches that are shown: what they say stands beside
// what the report holds.
export function Apply({ state, details }: { state: State; details: boolean }) {
  const [rules, setRules] = useState<string[]>([]),
    [sets, setSets] = useState<string[]>([]);
  const ids = (p: Promise<{ sections: { tables: Table[] }[] }>, to: (s: string[]) => void, role: string) =>
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
    <>
      <Pick
        id="apply"
        label="Rules"
        value={state.apply ?? ""}
        pick={v => set({ apply: v })}
        options={[
          ["", "Rules of the report"],
          ["yes", "Apply all rules"],
          ...rules.map((r): [string, string] => [r, "Apply " + r]),
        ]}
      />
      {details && sets.length > 0 && (
        <Pick
          id="set"
          label="Sections"
          value={state.set ?? ""}
          pick={v => set({ set: v, section: "" })}
          options={[["", "Sections of the report"], ...sets.map((s): [string, string] => [s, "Set " + s])]}
        />
      )}
      {details && state.section && (
        <button class="btn" onClick={() => set({ section: "", set: "" })}>
          Show all sections
        </button>
      )}
    </>
  );
}

// The member of the address that says what rows that lead to a rule, a section or
// a set ask the details for.
const members = { rule: "apply", section: "section", set: "set" } as const;

// applies leads from a rule, a section or a set to the details with it.
export function applies(t: Table): { at: number; opens: string; to: (row: number) => State } | undefined {
  const to = t.link?.to;
  if (!t.link || (to !== "rule" && to !== "section" && to !== "set")) return undefined;
  const c = column(t, t.link.cell);
  return {
    at: c,
    opens: to === "rule" ? "Apply this rule" : "Show it on Details",
    to: r => ({
      page: "details",
      section: "",
      ...(to === "section" ? { set: "full" } : {}),
      [members[to]]: String(t.rows[r][c]),
    }),
  };
}
