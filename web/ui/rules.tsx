import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import { column } from "./document";
import { set, type State } from "./state";

// Apply runs rules over the launches that are shown: what they say stands beside
// what the report holds.
export function Apply({ state }: { state: State }) {
  const [rules, setRules] = useState<string[]>([]), [sets, setSets] = useState<string[]>([]);
  const ids = (p: Promise<{ sections: { tables: import("./document").Table[] }[] }>, to: (s: string[]) => void, name: string) =>
    p.then(d => { const t = d.sections.flatMap(s => s.tables).find(t => column(t, name) >= 0); to(t ? t.rows.map(r => String(r[column(t, name)])) : []); }, () => to([]));
  useEffect(() => { ids(api.page("rules", ""), setRules, "id"); ids(api.page("sets", ""), setSets, "identifier"); }, []);
  return <span class="apply"><label>Rules <select id="apply" value={state.apply ?? ""} onChange={e => set({ apply: e.currentTarget.value })}>
    <option value="">as the report has them</option><option value="yes">apply all rules</option>{rules.map(r => <option value={r}>apply {r}</option>)}</select></label>{" "}
    {state.page !== "summary" && sets.length > 0 && <label>Sections <select id="set" value={state.set ?? ""} onChange={e => set({ set: e.currentTarget.value })}>
      <option value="">of the report</option>{sets.map(s => <option value={s}>set {s}</option>)}</select></label>}</span>;
}
