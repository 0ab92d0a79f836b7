import type { ComponentChild } from "preact";
import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import * as base from "./base";
import { Console } from "./console";
import type { Document } from "./document";
import { Flame } from "./flame";
import { Launch, Occupancy } from "./launch";
import { openLaunch, type Opener, Page } from "./page";
import { applies, Apply } from "./rules";
import { Source } from "./source";
import { set, type State } from "./state";

interface Props {
  name: string;
  file?: api.File;
  files: api.File[];
  page?: api.Page;
  state: State;
  revision: number;
}

// options are what a page asks the server for in a state of the viewer: what the
// page's row says to ask first, and what the user chose of the options that it takes.
function options(page: api.Page | undefined, state: State): Record<string, string> {
  const out: Record<string, string> = {};
  const add = (option: string, value: string | undefined) => {
    if (value && api.takes(page, option)) out[option] = value;
  };
  const asked = state.ask?.includes("=") ? Object.fromEntries(new URLSearchParams(state.ask)) : {};
  if (page?.kinds || !state.ask) for (const [k, v] of Object.entries(page?.first ?? {})) out[k] = v[v.length - 1];
  Object.assign(out, asked);
  if (page?.part) add(page.part, state.ask);
  if (page?.kinds) {
    add("set", state.set);
    add("section", state.section);
  }
  if (state.apply) add("apply-rules", "yes");
  if (state.apply && state.apply !== "yes" && api.takes(page, "apply-rules")) add("rule", state.apply);
  add("sql", state.sql);
  if (page?.console) add("limit", state.rows);
  return out;
}

// Pages that are more than a plain document: how it is drawn, and what its rows
// lead to.
interface Special {
  draw?: (p: { document: Document; options: Record<string, string> }) => ComponentChild;
  opener?: (files: string[]) => Opener;
}
const special: Record<string, Special | undefined> = {
  flame: { draw: Flame },
  occupancy: { draw: Occupancy },
  summary: { opener: openLaunch },
  rules: { opener: () => applies },
  sections: { opener: () => applies },
  sets: { opener: () => applies },
};

// Shown loads the document of a page, and those that it is compared with.
export function Shown({ name, file, files, page, state, revision }: Props) {
  const id =
    page?.kinds && file
      ? name === "summary" && state.scope === "all"
        ? files
            .filter(f => api.holds(f, "launches") && !f.error)
            .map(f => f.id)
            .join(",")
        : file.id
      : "";
  const launch = base.perLaunch(name) && state.launch !== "all" ? Number(state.launch ?? 0) || 0 : undefined;
  const ask = !page?.console || !!state.sql,
    opts = options(page, state),
    wish = JSON.stringify([name, id, launch, opts, state.base ?? "", name === "source" ? "" : (state.fresh ?? "")]);
  const [got, setGot] = useState<{ wish: string; doc: Document; bases: (Document | undefined)[] }>(),
    [error, setError] = useState("");
  useEffect(() => {
    let live = true;
    setError("");
    if (!ask || name === "source") return;
    api.page(name, id, opts, launch).then(
      doc => {
        const bases = file ? base.parse(state.base) : [];
        if (live) setGot({ wish, doc, bases: bases.map(() => undefined) });
        return Promise.all(
          bases.map(b =>
            base.load(name, id, launch, opts, b, doc).catch(e => {
              if (live) setError(`baseline: ${e.message}`);
              return undefined;
            }),
          ),
        ).then(loaded => {
          if (live && bases.length) setGot({ wish, doc, bases: loaded });
        });
      },
      e => {
        if (live) setError(e.message);
      },
    );
    return () => {
      live = false;
    };
  }, [wish, ask, revision]);
  const once = !!got || !!error || name === "source"; // what chooses among launches and rules asks after the page itself
  const current = got && got.wish === wish ? got : undefined;
  const body = () => {
    if (!current) return ask && !error && <Busy key={wish} what={state.apply ? "Applying rules" : "Loading"} />;
    const { doc, bases } = current;
    const Draw = special[name]?.draw,
      opener = special[name]?.opener?.(id.split(","));
    if (Draw) return <Draw document={doc} options={opts} />;
    return (
      <>
        {doc.notes?.map(n => (
          <p class="problem">{n}</p>
        ))}
        <Page document={doc} bases={bases} opener={opener} />
      </>
    );
  };
  return (
    <>
      {page?.console && <Console sql={state.sql ?? ""} rows={state.rows ?? ""} />}
      {page?.part && !api.saved && <Reports rules={page.part === "rule"} chosen={state.ask ?? ""} />}
      {name === "occupancy" && <Launch options={opts} />}
      {once && api.takes(page, "apply-rules") && !api.saved && <Apply state={state} details={api.takes(page, "set")} />}
      {name === "summary" && files.filter(f => api.holds(f, "launches")).length > 1 && !api.saved && (
        <label>
          <input
            type="checkbox"
            checked={state.scope === "all"}
            onChange={e => set({ scope: e.currentTarget.checked ? "all" : "" })}
          />{" "}
          All open reports
        </label>
      )}
      {name === "rules" || name === "sections" ? (
        <p>
          <button
            onClick={() => {
              api.forget();
              set({ fresh: String(Date.now()) }, false);
            }}
          >
            Read the files again
          </button>
        </p>
      ) : null}
      {once && base.perLaunch(name) && file && <Launches file={file} launch={launch} />}
      {error && (
        <p role="alert" class="error">
          {error}
        </p>
      )}
      {name === "source" && file ? (
        <Source key={`${file.id}.${revision}`} file={file} launch={launch ?? 0} state={state} />
      ) : (
        (!error || current) && (
          <div id={current ? "page" : undefined} data-page={current ? name : undefined} aria-busy={!current}>
            {body()}
          </div>
        )
      )}
    </>
  );
}

// Busy says that something is being waited for, and after a moment how long already.
export function Busy({ what = "Loading" }: { what?: string }) {
  const [seconds, tick] = useState(0);
  useEffect(() => {
    const t = setInterval(() => tick(s => s + 1), 1000);
    return () => clearInterval(t);
  }, []);
  return (
    <p role="status" class="busy">
      {what}…{seconds > 0 && <small> {seconds} s</small>}
    </p>
  );
}

// Launches chooses which launch of a report is shown.
function Launches({ file, launch }: { file: api.File; launch: number | undefined }) {
  const [all, setAll] = useState<api.Launch[]>([]);
  useEffect(() => {
    let live = true;
    api.launches(file.id).then(
      l => live && setAll(l),
      () => live && setAll([]),
    );
    return () => {
      live = false;
    };
  }, [file.id]);
  const go = (n: string) => set({ launch: n, spot: "", at: "" });
  const here = launch ?? -1;
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (
        e.ctrlKey ||
        e.metaKey ||
        e.altKey ||
        e.target instanceof HTMLInputElement ||
        e.target instanceof HTMLTextAreaElement
      )
        return;
      const to = here + ({ "[": -1, "]": 1 }[e.key] ?? 0);
      if (to !== here && to >= 0 && to < all.length) go(String(to));
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [here, all]);
  if (all.length < 2) return null;
  return (
    <div class="launches">
      <button disabled={here <= 0} onClick={() => go(String(here - 1))} aria-label="Previous launch">
        ◀
      </button>
      {all.length <= 500 ? (
        <label>
          Launch{" "}
          <select
            id="launch"
            value={launch === undefined ? "all" : String(launch)}
            onChange={e => go(e.currentTarget.value)}
          >
            {all.map(l => (
              <option value={String(l.number)}>{l.title}</option>
            ))}
            <option value="all">all launches</option>
          </select>
        </label>
      ) : (
        <label>
          Launch{" "}
          <input
            id="launch"
            type="number"
            min={0}
            max={all.length - 1}
            value={here}
            onChange={e => go(e.currentTarget.value)}
          />{" "}
          of {all.length}: {all[here]?.kernel}
        </label>
      )}
      <button
        disabled={launch === undefined || here + 1 >= all.length}
        onClick={() => go(String(here + 1))}
        aria-label="Next launch"
      >
        ▶
      </button>
    </div>
  );
}

// Reports chooses one of the reports of stats, or of the checks of analyze.
function Reports({ rules, chosen }: { rules: boolean; chosen: string }) {
  const [all, setAll] = useState<api.Report[]>([]);
  useEffect(() => {
    api.reports().then(setAll, () => setAll([]));
  }, []);
  return (
    <label>
      {rules ? "Check" : "Report"}{" "}
      <select id="report" value={chosen} onChange={e => set({ ask: e.currentTarget.value })}>
        <option value="">{rules ? "all checks" : "the summaries that there are"}</option>
        {all
          .filter(r => r.rule === rules)
          .map(r => (
            <option value={r.name}>
              {r.name}: {r.title}
            </option>
          ))}
      </select>
    </label>
  );
}
