import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { Locked, download, keep, shared, takeToken } from "./ask";
import { Baselines } from "./baselines";
import { Card } from "./card";
import { useLive } from "./live";
import { Shown } from "./shown";
import { Start } from "./start";
import { set, useAddress } from "./state";
import { Timeline } from "./timeline";
import { keys as timelineKeys } from "./timeline/keys";
import { visible } from "./visible";

takeToken();

const fits = (p: api.Page, f: api.File | undefined) => !p.kinds || (!!f && p.kinds.some(k => api.holds(f, k)));

// What belongs to one page or one file and is left behind with it.
const ofPage = { ask: "", spot: "", at: "", line: "", seek: "" };
const ofFile = { ...ofPage, page: "", launch: "", apply: "", set: "", section: "" };

function App() {
  const state = useAddress();
  const [files, setFiles] = useState<api.File[]>([]),
    [pages, setPages] = useState<api.Page[]>([]);
  const [error, setError] = useState(""),
    [help, setHelp] = useState(false),
    [busy, setBusy] = useState(""),
    [ready, setReady] = useState(false),
    [locked, setLocked] = useState(false);
  const find = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const failed = (e: Error) => (e instanceof Locked ? setLocked(true) : setError(e.message));
    (api.saved ? Promise.resolve() : shared())
      .then(() => Promise.all([api.files(), api.pages()]))
      .then(([f, p]) => {
        setFiles(f);
        setPages(p);
        setReady(true);
      }, failed);
  }, []);
  const revision = useLive(
    () => {
      api.forget();
      api.files().then(setFiles, e => setError(e.message));
    },
    files.some(f => f.loading),
  );
  useEffect(() => {
    document.documentElement.dataset.theme = state.theme ?? "";
  }, [state.theme]);
  const file = files.find(f => f.id === state.file) ?? files[0];
  const shown = pages.filter(p => fits(p, file));
  const timed = !!file && (api.saved ? !!api.saved.timelines[file.id] : api.holds(file, "timeline"));
  const name = state.page || (timed && !api.holds(file, "launches") ? "timeline" : shown[0]?.name) || "";
  useEffect(() => {
    document.title = visible([file?.name, "gpuprof"].filter(Boolean).join(" – "));
  }, [file]);
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (e.target instanceof HTMLInputElement || e.target instanceof HTMLTextAreaElement) {
        if (e.key === "Escape") e.target.blur();
        return;
      }
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key === "?") setHelp(h => !h);
      else if (e.key === "Escape") setHelp(false);
      else if (e.key === "/") {
        e.preventDefault();
        find.current?.focus();
      } else if (e.key >= "1" && e.key <= "9" && shown[+e.key - 1]) set({ ...ofPage, page: shown[+e.key - 1].name });
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [shown]);
  const opened = (o: api.File) => {
    setFiles(fs => [...fs.filter(f => f.id !== o.id), o]);
    set({ ...ofFile, file: o.id });
  };
  const drop = async (e: DragEvent) => {
    e.preventDefault();
    for (const f of Array.from(e.dataTransfer?.files ?? [])) {
      setBusy(`Opening ${f.name}…`);
      try {
        opened(await api.upload(f));
      } catch (x) {
        setError(x instanceof Error ? x.message : String(x));
      }
      setBusy("");
    }
  };
  const link = (to: string, title: string) => (
    <a
      href={"#page=" + to}
      aria-current={to === name ? "page" : undefined}
      onClick={e => {
        e.preventDefault();
        set({ ...ofPage, page: to });
      }}
    >
      {title}
    </a>
  );
  if (locked) return <Door />;
  return (
    <div class="app" onDragOver={e => e.preventDefault()} onDrop={drop}>
      <a
        class="skip"
        href="#main"
        onClick={e => {
          e.preventDefault();
          document.querySelector("main")?.focus();
        }}
      >
        To the page
      </a>
      <header>
        <h1>gpuprof</h1>
        <label>
          File{" "}
          <select id="file" value={file?.id} onChange={e => set({ ...ofFile, file: e.currentTarget.value })}>
            {files.map(f => (
              <option value={f.id}>{f.name}</option>
            ))}
          </select>
        </label>
        {file && !file.error && <Baselines file={file} files={files} name={name} state={state} />}
        <input
          ref={find}
          type="search"
          aria-label={name === "timeline" ? "Filter tracks" : "Filter rows"}
          placeholder={name === "timeline" ? "Filter tracks" : "Filter rows ( / )"}
          value={state.filter ?? ""}
          onInput={e => set({ filter: e.currentTarget.value }, false)}
        />
        <Share name={name} file={file} pages={pages} />
        <button onClick={() => set({ theme: dark(state.theme) ? "light" : "dark" })}>Dark or light</button>
        <button onClick={() => setHelp(!help)} aria-expanded={help}>
          Help ( ? )
        </button>
      </header>
      <nav aria-label="Pages">
        {timed && link("timeline", "Timeline")}
        {shown.map(p => link(p.name, p.title))}
        {!api.saved && link("open", "Open…")}
      </nav>
      <main tabIndex={-1}>
        {help && <Help name={name} />}
        {busy && <p role="status">{busy}</p>}
        {error && (
          <p role="alert" class="error">
            {error}
          </p>
        )}
        {!ready && !error && <p role="status">Loading…</p>}
        {file?.error && (
          <p role="alert" class="error">
            {file.error}
          </p>
        )}
        {!!file?.problems?.length && (
          <details class="problems" open={file.problems.length < 4}>
            <summary>
              {file.problems.length === 1 ? "1 part" : `${file.problems.length} parts`} of the file could not be read
            </summary>
            {file.problems.map(p => (
              <p class="problem">{p}</p>
            ))}
          </details>
        )}
        {name === "open" || (!api.saved && ready && !files.length && !pages.find(p => p.name === state.page)) ? (
          <Start opened={opened} />
        ) : file?.loading ? (
          <p role="status">Opening {file.name}…</p>
        ) : name === "timeline" && file ? (
          <Timeline key={file.id + "." + file.version} file={file} />
        ) : (
          ready &&
          name &&
          !(file?.error && pages.find(p => p.name === name)?.kinds) && (
            <Shown
              name={name}
              file={file}
              files={files}
              page={pages.find(p => p.name === name)}
              state={state}
              revision={revision}
            />
          )
        )}
      </main>
      <Card />
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
        <p>
          <input
            name="address"
            type="text"
            size={60}
            autocomplete="off"
            aria-label="Address that gpuprof printed"
            required
          />{" "}
          <button>Open</button>
        </p>
      </form>
    </main>
  );
}

const dark = (theme: string | undefined) =>
  theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;

// Share copies the address, and saves the page as the commands write it.
function Share({ name, file, pages }: { name: string; file?: api.File; pages: api.Page[] }) {
  const [said, say] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      say("copied");
    } catch {
      say("copy the address above: the browser refuses");
    }
    setTimeout(() => say(""), 2000);
  };
  const id = pages.find(p => p.name === name)?.kinds && file ? file.id : "";
  return (
    <span class="share">
      {!api.saved && (
        <button id="copy-link" onClick={copy}>
          {said || "Copy link"}
        </button>
      )}
      {!api.saved && pages.some(p => p.name === name) && (
        <>
          Page as{" "}
          {[
            ["json", "JSON"],
            ["csv", "CSV"],
            ["md", "Markdown"],
          ].map(([f, l]) => (
            <button
              key={f}
              class="link"
              onClick={() =>
                download(
                  api.pagePath(name, id, {
                    format: f,
                    ...(name === "query" ? { sql: new URLSearchParams(location.hash.slice(1)).get("sql") ?? "" } : {}),
                  }),
                  `${name.replace(" ", "-")}.${f}`,
                )
              }
            >
              {l}
            </button>
          ))}
        </>
      )}
    </span>
  );
}

function Help({ name }: { name: string }) {
  const keys: [string, string][] =
    name === "timeline"
      ? [["1 … 9", "pages"], ...timelineKeys, ["?", "this help"]]
      : [
          ["1 … 9", "pages"],
          ["/", "filter rows by a regular expression"],
          ["n p", "next and previous hot spot of Source"],
          ["[ ]", "previous and next launch of the report"],
          ["↑ ↓ Page Home End", "rows of the table that has the focus; what a metric is shows beside it"],
          ["Enter", "open the row: a launch, a slice, a line"],
          ["?", "this help"],
          ["Esc", "leave"],
        ];
  return (
    <div role="dialog" aria-label="Help" class="help">
      <dl>
        {keys.map(([k, what]) => (
          <>
            <dt>{k.split(" ").map(x => (x === "…" ? " … " : <kbd>{x}</kbd>))}</dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <p>
        Click a heading to sort. Drop files on the window to open them. The address holds all you see: copy it to come
        back. Numbers compared with baselines have + and − before their differences; orange is more, blue is less.
      </p>
      <p>Contains Preact, © Jason Miller, MIT licence.</p>
    </div>
  );
}

const root = document.getElementById("app")!;
root.textContent = "";
render(<App />, root);
