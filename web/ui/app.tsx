import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { followLink } from "./link";
import { keep, Locked, shared, takeToken } from "./ask";
import { Bar } from "./bar";
import { Card } from "./card";
import { nameOf, nav, titleOf } from "./catalogue";
import { commands, type Shell } from "./commands";
import { DropZone } from "./dropzone";
import { Keys } from "./help";
import { useLive } from "./live";
import { fileTitle } from "./names";
import { judge } from "./num";
import { Palette } from "./palette";
import { Alert, Busy, plain, Toast, typing } from "./parts";
import { Rail } from "./rail";
import { Shown } from "./shown";
import { Start } from "./start";
import { place, restored, set, useAddress } from "./state";
import { theme } from "./theme";
import type { View } from "./use";
import { visible } from "./visible";

takeToken();

const full = new Set(["timeline", "source", "stats", "query"]);

function App() {
  const state = useAddress();
  const [files, setFiles] = useState<api.File[]>([]),
    [pages, setPages] = useState<api.Page[]>([]),
    [launches, setLaunches] = useState<{ of: string; list: api.Launch[] } | null>(null);
  const [error, setError] = useState(""),
    [ready, setReady] = useState(false),
    [locked, setLocked] = useState(false),
    [offline, setOffline] = useState(0),
    [palette, setPalette] = useState<string | null>(null),
    [help, setHelp] = useState(false),
    [, redraw] = useState(0);
  const waiting = useRef(0);
  const failed = (e: Error) => (e instanceof Locked ? setLocked(true) : setError(e.message));
  useEffect(() => {
    (api.saved ? Promise.resolve() : shared())
      .then(() => Promise.all([api.files().then(followLink), api.pages(), api.directions()]))
      .then(([f, p, d]) => {
        judge(d);
        setFiles(f);
        setPages(p);
        setReady(true);
      })
      .catch(failed);
  }, []);
  const revision = useLive(
    () => {
      api.forget();
      api.files().then(setFiles, failed);
    },
    files.some(f => f.loading),
    setOffline,
  );
  const file = files.find(f => f.id === state.file) ?? files[0];
  const menu = nav(file, pages, files);
  const first = menu.rail[0]?.name ?? menu.more.find(m => !m.lacks)?.name ?? "";
  const asked = nameOf(state.page),
    name = asked || (file?.error ? "" : first);
  const report = !!file && !file.error && !file.loading && api.holds(file, "launches");
  useEffect(() => {
    let live = true;
    if (report)
      api.launches(file.id).then(
        list => live && setLaunches({ of: file.id, list }),
        () => live && setLaunches({ of: file.id, list: [] }),
      );
    return () => {
      live = false;
    };
  }, [report, file?.id, file?.version]);
  const known = launches && launches.of === file?.id ? launches.list : null;
  const opened = (o: api.File, compare = false) => {
    setFiles(fs => [...fs.filter(f => f.id !== o.id), o]);
    if (compare && file) set({ base: o.id });
    else set({ file: o.id, page: "" });
  };
  const view: View | null = file
    ? {
        file,
        files,
        pages,
        state,
        launches: known,
        launch:
          state.launch !== undefined && /^\d+$/.test(state.launch) ? Number(state.launch) : api.longest(known ?? []),
        revision,
      }
    : null;
  const shell: Shell = {
    view,
    files,
    pages,
    menu,
    name,
    state,
    palette: setPalette,
    help: () => setHelp(h => !h),
    opened,
    redraw: () => redraw(n => n + 1),
  };

  useEffect(() => theme(state.theme), [state.theme]);
  const title = file ? fileTitle(file.name).name : "";
  useEffect(() => {
    document.title = visible([titleOf(name, pages), title, "gpuprof"].filter(Boolean).join(" – "));
  }, [name, title, pages]);

  // Another page begins at its top, with the focus in it; one that history brings back where it was left.
  const here = place(state),
    was = useRef<string | null>(null);
  useEffect(() => {
    const main = document.querySelector("main");
    if (was.current !== null && was.current !== here && main) {
      if (!main.contains(document.activeElement) && !document.querySelector("dialog[open]"))
        main.focus({ preventScroll: true });
      let tries = 20;
      const to = restored(),
        go = () => {
          main.scrollTop = to;
          if (Math.abs(main.scrollTop - to) > 2 && tries-- > 0) setTimeout(go, 60); // what it shows is still coming
        };
      go();
    }
    was.current = here;
  }, [here]);

  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if ((e.ctrlKey || e.metaKey) && (e.key.toLowerCase() === "k" || (e.shiftKey && e.key.toLowerCase() === "p"))) {
        e.preventDefault();
        setPalette("");
        return;
      }
      if (typing(e)) {
        if (e.key === "Escape" && e.target instanceof HTMLElement && !e.target.closest("dialog,.pop,.cm-editor"))
          e.target.blur();
        return;
      }
      if (!plain(e) || document.querySelector("dialog[open]") || document.querySelector(".pop")) return;
      if (waiting.current && Date.now() - waiting.current < 1500) {
        waiting.current = 0;
        const to = {
          o: "overview",
          d: "details",
          s: "source",
          c: "compare",
          m: "raw",
          t: "timeline",
          a: "stats",
          f: "flame",
          q: "query",
        }[e.key];
        if (to) {
          e.preventDefault();
          e.stopPropagation();
          set({ page: to });
          return;
        }
      }
      if (e.key === "g") {
        waiting.current = Date.now();
        e.stopPropagation();
        return;
      }
      if (e.key === "/") {
        const f = document.querySelector<HTMLInputElement>("main [data-find], main [data-filter]");
        e.preventDefault();
        if (f) {
          f.focus();
          f.select();
        } else setPalette("");
        return;
      }
      const c = commands(shell).find(c => c.key === e.key && !c.off);
      if (c) {
        e.preventDefault();
        c.run();
      } else if (e.key === "Escape" && state.filter) set({ filter: "" }, false);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  if (locked) return <Door />;
  const start =
    asked === "open" || (!api.saved && ready && !files.length && !pages.some(p => p.name === asked && !p.kinds));
  return (
    <div class="app">
      <a
        class="skip"
        href="#main"
        onClick={e => {
          e.preventDefault();
          document.querySelector("main")?.focus();
        }}
      >
        Skip to the page
      </a>
      <Bar shell={shell} />
      <Rail shell={shell} start={start} />
      <main id="main" tabIndex={0} class={!start && !file?.loading && !file?.error && full.has(name) ? "full" : ""}>
        {offline > 1 && (
          <Alert kind="warn" title="The viewer does not answer.">
            What is loaded stays usable; {offline} tries so far. Start it again with the same files to go on here.
          </Alert>
        )}
        {error && <Alert>{error}</Alert>}
        {!ready && !error && <Busy what="Loading" />}
        {ready &&
          (start ? (
            <Start opened={opened} files={files} />
          ) : file?.loading ? (
            <Busy what={`Opening ${fileTitle(file.name).name}`} />
          ) : (
            <Shown name={name} view={view} pages={pages} state={state} files={files} revision={revision} />
          ))}
      </main>
      {palette !== null && <Palette shell={shell} start={palette} close={() => setPalette(null)} />}
      {help && <Keys name={name} close={() => setHelp(false)} />}
      {!api.saved && <DropZone opened={opened} file={file} failed={e => setError(e.message)} />}
      <Card />
      <Toast />
    </div>
  );
}

// Door asks for the address that gpuprof printed: without its token the server
// tells nothing.
function Door() {
  const enter = (e: Event) => {
    e.preventDefault();
    keep(new FormData(e.currentTarget as HTMLFormElement).get("address") as string);
  };
  return (
    <main id="door">
      <h1>gpuprof</h1>
      <form onSubmit={enter}>
        <p>
          This tab has no key to the viewer. Paste the address that <code>gpuprof open</code> printed:
        </p>
        <span class="inp">
          <input name="address" type="text" autocomplete="off" aria-label="Address that gpuprof printed" required />
        </span>
        <p>
          <button class="btn pri">Open</button>
        </p>
      </form>
    </main>
  );
}

const root = document.getElementById("app")!;
root.textContent = "";
render(<App />, root);
