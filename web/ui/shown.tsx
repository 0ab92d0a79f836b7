import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import { Alert, Busy, Note } from "./parts";
import { set, type State } from "./state";
import type { View } from "./use";

type Face = (p: { v: View }) => ComponentChildren;

// Pages come when they are asked for, in parts of the bundle.
const later: Record<string, () => Promise<Face>> = {
  overview: () => import("./pages-report").then(m => m.Overview),
  details: () => import("./pages-report").then(m => m.Details),
  source: () => import("./pages-report").then(m => m.Source),
  compare: () => import("./pages-report").then(m => m.Compare),
  raw: () => import("./pages-report").then(m => m.AllMetrics),
  occupancy: () => import("./pages-report").then(m => m.Occupancy),
  timeline: () => import("./timeline").then(m => m.Timeline),
  traced: () => import("./pages-trace").then(m => m.TraceOverview),
  stats: () => import("./pages-trace").then(m => m.Stats),
  flame: () => import("./pages-trace").then(m => m.Flame),
  ranks: () => import("./pages-trace").then(m => m.Ranks),
  plain: () => import("./pages-trace").then(m => m.Plain),
  query: () => import("./sql").then(m => m.SQL),
};
const come = new Map<string, Face>();

function Later({ name, v }: { name: string; v: View }) {
  const [, redraw] = useState(0),
    [error, setError] = useState("");
  useEffect(() => {
    let live = true;
    if (!come.has(name))
      later[name]().then(
        f => {
          come.set(name, f);
          if (live) redraw(n => n + 1);
        },
        e => live && setError(String(e)),
      );
    return () => {
      live = false;
    };
  }, [name]);
  const Face = come.get(name);
  if (error) return <Alert title="The page could not be loaded.">{error}</Alert>;
  return Face ? <Face v={v} /> : <Busy what="Loading" />;
}

interface Props {
  name: string;
  view: View | null;
  pages: api.Page[];
  state: State;
  files: api.File[];
  revision: number;
}

// Shown is the page that the address names, or why it cannot be shown.
export function Shown({ name, view, pages, state, files, revision }: Props): ComponentChildren {
  const page = pages.find(p => p.name === name);
  if (!view) {
    if (!page || page.kinds) return <Note title="No file is open" />;
    return (
      <Later
        key={"plain " + name}
        name={name === "occupancy" ? name : "plain"}
        v={{
          name,
          file: {
            id: "",
            key: "",
            name: "",
            format: "",
            size: 0,
            kinds: null,
            error: "",
            version: 0,
            loading: false,
            problems: null,
          },
          files,
          pages,
          state,
          launches: [],
          launch: 0,
          revision,
        }}
      />
    );
  }
  const f = view.file;
  if (f.error && (!page || page.kinds)) return <Unreadable f={f} />;
  return (
    <>
      {!!f.problems?.length && <Problems f={f} />}
      <Body name={name} v={view} />
    </>
  );
}

const keyed = new Set(["overview", "source", "timeline", "stats"]);

function Body({ name, v }: { name: string; v: View }): ComponentChildren {
  const key = keyed.has(name)
    ? `${name} ${v.file.id}.${v.file.version}`
    : name === "query"
      ? "query " + v.file.id
      : name;
  if (name === "overview" && !api.holds(v.file, "launches")) return <Later key={key} name="traced" v={v} />;
  if (name === "source" && api.holds(v.file, "code"))
    return <Later key="plain source" name="plain" v={{ ...v, name }} />;
  if (name === "") return <Note title="This file has no page">It was read, but holds nothing that a page shows.</Note>;
  return <Later key={later[name] ? key : "plain " + name} name={later[name] ? name : "plain"} v={{ ...v, name }} />;
}

function Unreadable({ f }: { f: api.File }) {
  return (
    <Alert
      title={`${f.name} could not be read.`}
      tools={
        !api.saved && (
          <button class="btn" onClick={() => set({ page: "open" })}>
            Open another
          </button>
        )
      }
    >
      <p>{f.error}</p>
    </Alert>
  );
}

function Problems({ f }: { f: api.File }) {
  const n = f.problems!.length;
  return (
    <details class="alert warn problems" open={n < 4}>
      <summary>
        {n === 1 ? "1 part" : `${n} parts`} of {f.name} could not be read; the rest is shown
      </summary>
      {f.problems!.map(p => (
        <p key={p} class="problem">
          {p}
        </p>
      ))}
    </details>
  );
}
