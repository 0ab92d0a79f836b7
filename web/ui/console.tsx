import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { set } from "./state";

const place = "gpuprof.queries";
type Queries = Record<string, string>;

// kept reads the saved queries: names and SQL. What is broken counts as none.
function kept(): Queries {
  try {
    const q: unknown = JSON.parse(localStorage.getItem(place) ?? "{}");
    return q && typeof q === "object" ? Object.fromEntries(Object.entries(q).filter(([, v]) => typeof v === "string")) : {};
  } catch { return {}; }
}

// Console takes SQL: typed, picked from the recipes, or saved before.
export function Console({ sql }: { sql: string }) {
  const text = useRef<HTMLTextAreaElement>(null), name = useRef<HTMLInputElement>(null);
  const [recipes, setRecipes] = useState<api.Recipe[]>([]), [mine, setMine] = useState(kept), [error, setError] = useState("");
  useEffect(() => { api.recipes().then(setRecipes, e => setError(e.message)); }, []);
  const pick = (s: string | undefined) => { if (s && text.current) { text.current.value = s; text.current.focus(); } };
  const keep = (q: Queries) => {
    try { localStorage.setItem(place, JSON.stringify(q)); setMine(q); setError(""); } catch (e) { setError("not saved: " + e); }
  };
  const called = () => name.current?.value.trim() ?? "";
  const save = () => { if (called() && text.current) keep({ ...mine, [called()]: text.current.value }); };
  const forget = () => keep(Object.fromEntries(Object.entries(mine).filter(([k]) => k !== called())));
  return <form class="sql" onSubmit={e => { e.preventDefault(); set({ sql: text.current?.value ?? "" }); }}>
    <label>Examples <select id="recipes" value="" onChange={e => { pick(recipes.find(r => r.name === e.currentTarget.value)?.sql); e.currentTarget.value = ""; }}>
      <option value="">choose…</option>{recipes.map(r => <option value={r.name} title={r.sql}>{r.name}: {r.help}</option>)}</select></label>{" "}
    <label>Saved <select id="saved-queries" value="" onChange={e => { const k = e.currentTarget.value; pick(mine[k]); if (name.current) name.current.value = k; e.currentTarget.value = ""; }}>
      <option value="">choose…</option>{Object.keys(mine).map(k => <option value={k} title={mine[k]}>{k}</option>)}</select></label>
    <textarea ref={text} aria-label="SQL" rows={6}>{sql || "SELECT name FROM sqlite_master ORDER BY name"}</textarea>
    <button>Run</button> <label>Name <input ref={name} id="query-name" /></label> <button type="button" onClick={save}>Save</button> <button type="button" onClick={forget}>Forget</button>
    {error && <p role="alert" class="error">{error}</p>}</form>;
}
