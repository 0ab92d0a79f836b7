import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { column, type Table } from "./document";
import type { Editor } from "./editor";
import { Icon, IconButton } from "./icon";
import { Popup } from "./menu";
import { clean } from "./names";
import { count } from "./num";
import { Alert, Busy, Note, Seg, To } from "./parts";
import { Drawn } from "./chart";
import { set } from "./state";
import { Grid } from "./table";
import { useAsk, type View } from "./use";

interface Past {
  sql: string;
  ms: number;
  rows: number;
  at: number;
}
const past = (): Past[] => {
  try {
    return JSON.parse(localStorage.getItem("sql") ?? "[]");
  } catch {
    return [];
  }
};
const remember = (p: Past) => {
  try {
    localStorage.setItem("sql", JSON.stringify([p, ...past().filter(x => x.sql !== p.sql)].slice(0, 100)));
  } catch {
    /* there is then no history */
  }
};

const first =
  'SELECT s.value AS kernel, count(*) AS launches, sum(k."end" - k.start) AS time_ns\nFROM CUPTI_ACTIVITY_KIND_KERNEL k\nJOIN StringIds s ON s.id = k.shortName\nGROUP BY kernel\nORDER BY time_ns DESC\nLIMIT 40';

// schemaSQL lists the tables of a file as they were declared.
const schemaSQL = "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name";

interface Tab {
  name: string;
  sql: string;
}

// SQL asks a timeline in SQL.
export function SQL({ v }: { v: View }) {
  const asked = v.state.sql ?? "",
    [side, setSide] = useState<"tables" | "recipes" | "saved">("tables"),
    [show, setShow] = useState<"table" | "chart">("table"),
    [scaled, setScaled] = useState(false),
    [tabs, setTabs] = useState<Tab[]>([{ name: "query", sql: asked || first }]),
    [tab, setTab] = useState(0),
    [menu, setMenu] = useState<[string, Element] | null>(null),
    [ran, setRan] = useState(0);
  const text = useRef(tabs[0].sql),
    editor = useRef<Editor | null>(null);
  const put = (sql: string) => {
    text.current = sql;
    editor.current?.put(sql);
    const a = document.querySelector<HTMLTextAreaElement>(".ed textarea");
    if (a) a.value = sql;
  };
  useEffect(() => {
    // back and forward bring their text with them
    if (asked && asked !== text.current) put(asked);
  }, [asked]);
  const result = useAsk(
    asked ? JSON.stringify(["sql", v.file.id, asked, v.state.rows ?? "", v.revision, ran]) : "",
    () => {
      if (!asked) return null;
      const at = performance.now();
      return api.page("query", v.file.id, { sql: asked, ...(v.state.rows ? { limit: v.state.rows } : {}) }).then(d => {
        const ms = Math.round(performance.now() - at),
          rows = d.sections[0]?.tables[0]?.rows.length ?? 0;
        remember({ sql: asked, ms, rows, at: Date.now() });
        return { d, ms, rows };
      });
    },
  );
  const run = (sql = text.current) => {
    if (sql === asked) {
      api.forget();
      setRan(n => n + 1);
    } else set({ sql });
  };
  const tables = useAsk("schema " + v.file.id + v.revision, () => schema(v.file.id)),
    t = result.got?.d.sections[0]?.tables[0];
  const span = t ? [column(t, "start"), column(t, "end")] : [-1, -1];
  const tabTo = (i: number) => {
    setTabs(ts => ts.map((x, k) => (k === tab ? { ...x, sql: text.current } : x)));
    setTab(i);
    put(tabs[i]?.sql ?? "");
  };
  return (
    <div class="sq" id={result.got || !asked || result.error ? "page" : undefined} data-page="query">
      <aside class="outline" aria-label="Tables, recipes and saved queries">
        <Seg
          label="Show"
          value={side}
          options={[
            ["tables", "Tables"],
            ["recipes", "Recipes"],
            ["saved", "Saved"],
          ]}
          pick={setSide}
        />
        {side === "tables" ? (
          <Schema
            tables={tables.got}
            error={tables.error}
            insert={s => (editor.current ? editor.current.insert(s) : put(text.current + s))}
          />
        ) : side === "recipes" ? (
          <Recipes pick={put} run={run} />
        ) : (
          <Saved pick={put} />
        )}
      </aside>
      <div class="body">
        <h1 class="sr">SQL</h1>
        <div class="tabs">
          <div role="tablist" aria-label="Queries" style={{ display: "flex" }}>
            {tabs.map((x, i) => (
              <button key={i} role="tab" aria-selected={i === tab} onClick={() => i !== tab && tabTo(i)}>
                {x.name}
              </button>
            ))}
          </div>
          <IconButton
            icon="plus"
            size="s"
            label="New query"
            onClick={() => {
              setTabs(ts => [
                ...ts.map((x, k) => (k === tab ? { ...x, sql: text.current } : x)),
                { name: `query ${ts.length + 1}`, sql: "" },
              ]);
              setTab(tabs.length);
              put("");
            }}
          />
          <span class="grow" />
          <button
            class="btn ghost"
            aria-expanded={menu?.[0] === "history"}
            onClick={e => setMenu(menu ? null : ["history", e.currentTarget])}
          >
            <Icon name="history" size="s" /> History
          </button>
          <button
            class="btn ghost"
            aria-expanded={menu?.[0] === "save"}
            onClick={e => setMenu(menu ? null : ["save", e.currentTarget])}
          >
            <Icon name="bookmark" size="s" /> Save
          </button>
          <button class="btn pri" id="run" onClick={() => run()}>
            <Icon name="play" size="s" /> Run <kbd>Ctrl ↵</kbd>
          </button>
        </div>
        <Edit start={tabs[0].sql} schema={tables.got} text={text} editor={editor} run={run} />
        <div class="rs">
          <div class="rh">
            {result.got && t && (
              <>
                <Seg
                  label="Result"
                  value={show}
                  options={[
                    ["table", "Table"],
                    ["chart", "Chart"],
                  ]}
                  pick={setShow}
                />
                {span[0] >= 0 && span[1] >= 0 && t.rows.length > 0 && typeof t.rows[0][span[0]] === "number" && (
                  <To
                    class="btn"
                    to={{
                      page: "timeline",
                      range: `${t.rows[0][span[0]]},${t.rows[t.rows.length - 1][span[1]]}`,
                      window: "",
                      select: "",
                      slice: "",
                    }}
                  >
                    On timeline
                  </To>
                )}
                <span class="tag good count">{t.rows.length === 1 ? "1 row" : `${count(t.rows.length)} rows`}</span>
                <span class="mut">{result.got.ms} ms · read-only, ends after 10 s</span>
                <span class="grow" />
                <label class="ck">
                  <input type="checkbox" checked={scaled} onChange={e => setScaled(e.currentTarget.checked)} /> Units of
                  ns columns
                </label>
                <label class="ck">
                  at most
                  <input
                    class="field"
                    id="rows"
                    type="number"
                    min={0}
                    placeholder="1000"
                    value={v.state.rows ?? ""}
                    onChange={e => set({ rows: e.currentTarget.value })}
                    style={{ width: "72px" }}
                  />{" "}
                  rows
                </label>
                <span style={{ width: "160px" }} />
              </>
            )}
          </div>
          {result.error ? (
            <Failed error={result.error} />
          ) : result.busy && asked ? (
            <Busy what="Asking" />
          ) : !t ? (
            <Note title={asked ? "The statement has no result" : "Ask the timeline"} icon="database">
              <p>
                <kbd>Ctrl ↵</kbd> runs the statement. It cannot change the file.
              </p>
            </Note>
          ) : show === "chart" ? (
            <div class="pad" style={{ overflow: "auto" }}>
              <AsChart t={t} />
            </div>
          ) : (
            <Grid table={scaled ? inUnits(t) : t} id="result" fill verbatim={!scaled} />
          )}
        </div>
      </div>
      {menu?.[0] === "history" && (
        <Popup of={menu[1]} label="History" where="bottom-end" close={() => setMenu(null)} class="menu">
          <ul role="listbox" aria-label="Statements run before" tabIndex={0}>
            {past().map((p, i) => (
              <li
                key={i}
                role="option"
                aria-selected="false"
                onClick={() => {
                  put(p.sql);
                  setMenu(null);
                }}
              >
                <Icon name="history" size="s" />
                <span class="nm mono" title={p.sql}>
                  {p.sql.replace(/\s+/g, " ").slice(0, 80)}
                </span>
                <small>
                  {p.rows} rows · {p.ms} ms
                </small>
              </li>
            ))}
          </ul>
          {!past().length && <p class="g">Nothing was asked yet.</p>}
        </Popup>
      )}
      {menu?.[0] === "save" && <Keep of={menu[1]} close={() => setMenu(null)} sql={() => text.current} />}
    </div>
  );
}

// inUnits gives the columns whose names end in _ns the unit, so that they are scaled.
const inUnits = (t: Table): Table => ({
  ...t,
  columns: t.columns.map(c => (/(_ns|^start|^end|duration)$/i.test(c.name) && !c.unit ? { ...c, unit: "ns" } : c)),
});

// AsChart draws the first texts over the first numbers.
function AsChart({ t }: { t: Table }) {
  const label = t.columns.findIndex((_, i) => t.rows.some(r => typeof r[i] === "string")),
    value = t.columns.findIndex(
      (_, i) => t.rows.length > 0 && t.rows.every(r => typeof r[i] === "number" || r[i] === null),
    );
  if (label < 0 || value < 0) return <Note title="A chart needs a column of texts and one of numbers" />;
  const pick = <T,>(r: T[]): T[] => [r[label], r[value]];
  return (
    <Drawn
      plain
      bases={[]}
      id="sql-chart"
      chart={{
        ...t,
        id: "sql-chart",
        title: `${t.columns[value].name} by ${t.columns[label].name}`,
        kind: "bar",
        x: { label: "" },
        y: { label: "" },
        columns: pick(t.columns),
        labels: pick(t.labels),
        rows: t.rows.slice(0, 40).map(pick),
        text: t.text.slice(0, 40).map(pick),
      }}
    />
  );
}

function Failed({ error }: { error: string }) {
  const slow = /took longer|stopped|interrupt/i.test(error);
  return (
    <Alert title={slow ? "The statement was stopped." : "The statement cannot be run."}>
      {clean(error)}
      {slow && <p>A LIMIT, fewer joins, or a condition on start and end make it shorter.</p>}
    </Alert>
  );
}

async function schema(file: string): Promise<Map<string, [string, string][]>> {
  const d = await api.page("query", file, { sql: schemaSQL, limit: "0" }),
    out = new Map<string, [string, string][]>();
  for (const r of d.sections[0]?.tables[0]?.rows ?? []) out.set(String(r[0]), columnsOf(String(r[1] ?? "")));
  return out;
}

// columnsOf reads the columns of a declaration, with their types.
function columnsOf(sql: string): [string, string][] {
  const body = sql.slice(sql.indexOf("(") + 1, sql.lastIndexOf(")")).replace(/--[^\n]*/g, ""),
    out: [string, string][] = [];
  let depth = 0,
    from = 0;
  const take = (part: string) => {
    const m = /^\s*(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|(\w+))\s*(\w*)/.exec(part),
      name = m?.[1] ?? m?.[2] ?? m?.[3] ?? m?.[4];
    if (name && !/^(PRIMARY|FOREIGN|UNIQUE|CHECK|CONSTRAINT)$/i.test(name))
      out.push([name, (m?.[5] ?? "").toLowerCase()]);
  };
  for (let i = 0; i < body.length; i++) {
    if (body[i] === "(") depth++;
    else if (body[i] === ")") depth--;
    else if (body[i] === "," && depth === 0) {
      take(body.slice(from, i));
      from = i + 1;
    }
  }
  take(body.slice(from));
  return out;
}

const groups: [string, RegExp][] = [
  ["GPU", /KERNEL|MEMCPY|MEMSET|GPU|GRAPH|CUPTI_ACTIVITY_KIND_(?!RUNTIME|DRIVER|SYNC)|rocpd_op|op$/],
  ["Host", /RUNTIME|DRIVER|SYNC|NVTX|OSRT|Thread|PROCESS|MPI|COMPOSITE|SCHED|api|CUDNN|CUBLAS/i],
  ["Names and enums", /ENUM|StringIds|string/i],
  ["About", /./],
];

function Schema({
  tables,
  error,
  insert,
}: {
  tables?: Map<string, [string, string][]>;
  error: string;
  insert: (s: string) => void;
}) {
  const [open, setOpen] = useState<Set<string>>(new Set(["CUPTI_ACTIVITY_KIND_KERNEL"])),
    [q, setQ] = useState("");
  const quote = (s: string) => (/^[A-Za-z_]\w*$/.test(s) ? s : `"${s}"`);
  const byGroup = useMemo(() => {
    const g = new Map<string, string[]>();
    for (const t of tables?.keys() ?? []) {
      const k = groups.find(x => x[1].test(t))![0];
      g.set(k, [...(g.get(k) ?? []), t]);
    }
    return groups.map(([k]) => [k, g.get(k) ?? []] as const).filter(x => x[1].length);
  }, [tables]);
  const want = q.toLowerCase();
  return (
    <>
      <label class="inp">
        <Icon name="list-filter" size="s" />
        <input
          type="search"
          aria-label="Find a table or column"
          placeholder="Find a table or column"
          value={q}
          onInput={e => setQ(e.currentTarget.value)}
        />
      </label>
      {error && <p class="mut">{error}</p>}
      {!tables && !error && <p class="mut">Reading the tables…</p>}
      {byGroup.map(([g, ts]) => (
        <div key={g}>
          <p class="g">{g}</p>
          {ts
            .filter(
              t =>
                !want || t.toLowerCase().includes(want) || tables!.get(t)!.some(c => c[0].toLowerCase().includes(want)),
            )
            .map(t => {
              const cs = tables!.get(t)!,
                is = open.has(t) || (!!want && cs.some(c => c[0].toLowerCase().includes(want)));
              return (
                <div key={t}>
                  <button
                    class="row tn"
                    aria-expanded={is}
                    onClick={() => {
                      const s = new Set(open);
                      if (!s.delete(t)) s.add(t);
                      setOpen(s);
                    }}
                    onDblClick={() => insert(quote(t))}
                    title={t + ": double click inserts"}
                  >
                    <Icon name={is ? "chevron-down" : "chevron-right"} size="xs" />
                    <Icon name="table" size="s" />
                    <span>{t}</span>
                    <b>{cs.length}</b>
                  </button>
                  {is &&
                    cs.map(([c, type]) => (
                      <button key={c} class="row cn" onClick={() => insert(quote(c))} title={`Insert ${c}`}>
                        <Icon
                          name={
                            /start|end|time/i.test(c)
                              ? "clock"
                              : /Id$|^id$/.test(c)
                                ? "key-round"
                                : /text|char/.test(type)
                                  ? "type"
                                  : "hash"
                          }
                          size="xs"
                        />
                        <span>{c}</span>
                        <b>{/^(shortName|demangledName|mangledName|nameId|textId)$/.test(c) ? "→ StringIds" : type}</b>
                      </button>
                    ))}
                </div>
              );
            })}
        </div>
      ))}
    </>
  );
}

function Recipes({ pick, run }: { pick: (sql: string) => void; run: (sql: string) => void }) {
  const { got } = useAsk("recipes", () => api.recipes());
  return (
    <div id="recipes">
      {got?.map(r => (
        <button
          key={r.name}
          class="row"
          data-recipe={r.name}
          title={r.sql}
          onClick={() => pick(r.sql)}
          onDblClick={() => run(r.sql)}
        >
          <Icon name="file-text" size="s" />
          <span style={{ fontFamily: "inherit" }}>{r.help}</span>
        </button>
      ))}
    </div>
  );
}

function Saved({ pick }: { pick: (sql: string) => void }) {
  const [mine, setMine] = useState<Record<string, string>>({}),
    [error, setError] = useState("");
  useEffect(() => {
    api.queries().then(setMine, e => setError(e.message));
  }, []);
  return (
    <div id="saved-queries">
      {error && <p class="mut">{error}</p>}
      {Object.keys(mine).map(k => (
        <div key={k} style={{ display: "flex" }}>
          <button class="row" data-query={k} title={mine[k]} onClick={() => pick(mine[k])}>
            <Icon name="bookmark" size="s" />
            <span>{clean(k)}</span>
          </button>
          <IconButton
            icon="trash-2"
            size="s"
            label={"Forget " + clean(k)}
            onClick={() => api.keepQuery(k, null).then(setMine, e => setError(e.message))}
          />
        </div>
      ))}
      {!Object.keys(mine).length && <p class="g">Nothing is saved yet.</p>}
    </div>
  );
}

function Keep({ of, close, sql }: { of: Element; close: () => void; sql: () => string }) {
  const [error, setError] = useState("");
  return (
    <Popup of={of} label="Save the query" where="bottom-end" close={close}>
      <form
        class="q"
        onSubmit={e => {
          e.preventDefault();
          const name = String(new FormData(e.currentTarget).get("name")).trim();
          if (name) api.keepQuery(name, sql()).then(close, x => setError(x.message));
        }}
      >
        <input
          name="name"
          id="query-name"
          type="text"
          placeholder="Name of the query"
          aria-label="Name of the query"
          required
        />
        <button class="btn pri">Save</button>
      </form>
      {error && <p class="g">{error}</p>}
    </Popup>
  );
}

// Edit is the editor; until its file is there, and where it fails, a plain field.
function Edit({
  start,
  schema,
  text,
  editor,
  run,
}: {
  start: string;
  schema?: Map<string, [string, string][]>;
  text: { current: string };
  editor: { current: Editor | null };
  run: (sql?: string) => void;
}) {
  const box = useRef<HTMLDivElement>(null),
    [rich, setRich] = useState(false),
    does = useRef(run),
    at = useRef(-1);
  does.current = run;
  useEffect(() => {
    let live = true;
    import("./editor").then(
      m => {
        if (!live || !box.current) return;
        const names: Record<string, string[]> = {};
        schema?.forEach((cs, t) => (names[t] = cs.map(c => c[0])));
        setRich(true);
        editor.current?.stop();
        const mine = box.current;
        queueMicrotask(() => {
          if (!live) return;
          editor.current = m.edit(
            mine,
            text.current,
            names,
            sql => does.current(sql),
            () => past()[++at.current]?.sql,
            sql => {
              text.current = sql;
            },
          );
        });
      },
      () => {},
    );
    return () => {
      live = false;
      editor.current?.stop();
      editor.current = null;
    };
  }, [schema]);
  return (
    <div class="ed">
      {!rich && (
        <textarea
          aria-label="SQL"
          spellcheck={false}
          onInput={e => {
            text.current = e.currentTarget.value;
          }}
          onKeyDown={e => {
            if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) run(e.currentTarget.value);
          }}
        >
          {start}
        </textarea>
      )}
      <div ref={box} style={{ height: rich ? "100%" : 0 }} />
    </div>
  );
}
