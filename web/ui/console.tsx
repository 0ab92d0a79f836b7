import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { set } from "./state";

// Console takes SQL: typed, picked from the recipes, or saved before.
export function Console({ sql, rows }: { sql: string; rows: string }) {
  const text = useRef<HTMLTextAreaElement>(null),
    name = useRef<HTMLInputElement>(null);
  const [recipes, setRecipes] = useState<api.Recipe[]>([]),
    [mine, setMine] = useState<Record<string, string>>({}),
    [error, setError] = useState("");
  useEffect(() => {
    api.recipes().then(setRecipes, e => setError(e.message));
    api.queries().then(setMine, e => setError(e.message));
  }, []);
  const pick = (s: string | undefined) => {
    if (s && text.current) {
      text.current.value = s;
      text.current.focus();
    }
  };
  const keep = (sql: string | null) => {
    const called = name.current?.value.trim() ?? "";
    if (!called) {
      setError("A saved query needs a name.");
      return;
    }
    api.keepQuery(called, sql).then(
      q => {
        setMine(q);
        setError("");
      },
      e => setError(e.message),
    );
  };
  return (
    <form
      class="sql"
      onSubmit={e => {
        e.preventDefault();
        set({ sql: text.current?.value ?? "" });
      }}
    >
      <label>
        Examples{" "}
        <select
          id="recipes"
          value=""
          onChange={e => {
            pick(recipes.find(r => r.name === e.currentTarget.value)?.sql);
            e.currentTarget.value = "";
          }}
        >
          <option value="">choose…</option>
          {recipes.map(r => (
            <option value={r.name} title={r.sql}>
              {r.name}: {r.help}
            </option>
          ))}
        </select>
      </label>{" "}
      <label>
        Saved{" "}
        <select
          id="saved-queries"
          value=""
          onChange={e => {
            const k = e.currentTarget.value;
            pick(mine[k]);
            if (name.current) name.current.value = k;
            e.currentTarget.value = "";
          }}
        >
          <option value="">choose…</option>
          {Object.keys(mine).map(k => (
            <option value={k} title={mine[k]}>
              {k}
            </option>
          ))}
        </select>
      </label>
      <textarea
        ref={text}
        aria-label="SQL"
        rows={6}
        onKeyDown={e => {
          if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) set({ sql: e.currentTarget.value });
        }}
      >
        {sql || "SELECT name FROM sqlite_master ORDER BY name"}
      </textarea>
      <button>Run</button>{" "}
      <label>
        at most{" "}
        <input
          id="rows"
          type="number"
          min={0}
          placeholder="1000"
          value={rows}
          onChange={e => set({ rows: e.currentTarget.value })}
        />{" "}
        rows
      </label>{" "}
      <label>
        Name <input ref={name} id="query-name" />
      </label>{" "}
      <button type="button" onClick={() => keep(text.current?.value ?? "")}>
        Save
      </button>{" "}
      <button type="button" onClick={() => keep(null)}>
        Forget
      </button>
      {error && (
        <p role="alert" class="error">
          {error}
        </p>
      )}
    </form>
  );
}
