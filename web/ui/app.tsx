import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { Console } from "./console";
import type { Document } from "./document";
import { useLive } from "./live";
import { Page } from "./page";
import { Start } from "./start";
import { set, takeToken, useAddress } from "./state";
import { Timeline } from "./timeline";

takeToken();

const fits = (p: api.Page, f: api.File | undefined) => !p.kinds || !!f && (p.kinds.includes(f.kind) || f.log && p.kinds.includes("log"));

function App() {
  const state = useAddress();
  const [files, setFiles] = useState<api.File[]>([]), [pages, setPages] = useState<api.Page[]>([]);
  const [error, setError] = useState(""), [help, setHelp] = useState(false);
  const find = useRef<HTMLInputElement>(null);
  useEffect(() => { Promise.all([api.files(), api.pages()]).then(([f, p]) => { setFiles(f); setPages(p); }, e => setError(e.message)); }, []);
  const revision = useLive(() => { api.files().then(setFiles, e => setError(e.message)); });
  useEffect(() => { document.documentElement.dataset.theme = state.theme ?? ""; }, [state.theme]);
  const file = files.find(f => f.id === state.file) ?? files[0];
  const shown = pages.filter(p => fits(p, file));
  const name = state.page || shown[0]?.name || "";
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (e.target instanceof HTMLInputElement || e.target instanceof HTMLTextAreaElement) { if (e.key === "Escape") e.target.blur(); return; }
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key === "?") setHelp(h => !h);
      else if (e.key === "Escape") setHelp(false);
      else if (e.key === "/") { e.preventDefault(); find.current?.focus(); }
      else if (e.key >= "1" && e.key <= "9" && shown[+e.key - 1]) set({ page: shown[+e.key - 1].name, ask: "", spot: "" });
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [shown]);
  const opened = (o: api.File) => { setFiles(fs => [...fs.filter(f => f.id !== o.id), o]); set({ file: o.id, page: "" }); };
  const drop = async (e: DragEvent) => {
    e.preventDefault();
    for (const f of Array.from(e.dataTransfer?.files ?? [])) {
      try { opened(await api.upload(f)); } catch (x) { setError(String(x)); }
    }
  };
  return <div class="app" onDragOver={e => e.preventDefault()} onDrop={drop}>
    <header><h1>gpuprof</h1>
      <label>File <select value={file?.id} onChange={e => set({ file: e.currentTarget.value, page: "", spot: "" })}>{files.map(f => <option value={f.id}>{f.name}</option>)}</select></label>
      <label>Baseline <select value={state.base ?? ""} onChange={e => set({ base: e.currentTarget.value })}><option value="">none</option>
        {files.filter(f => f !== file && f.kind === file?.kind).map(f => <option value={f.id}>{f.name}</option>)}</select></label>
      <input ref={find} type="search" aria-label={name === "timeline" ? "Filter tracks" : "Filter rows"} placeholder={name === "timeline" ? "Filter tracks" : "Filter rows ( / )"} value={state.filter ?? ""} onInput={e => set({ filter: e.currentTarget.value }, false)} />
      <button onClick={() => set({ theme: state.theme === "dark" ? "light" : "dark" })}>Dark or light</button>
      <button onClick={() => setHelp(!help)} aria-expanded={help}>Help ( ? )</button></header>
    <nav aria-label="Pages">{shown.map(p => <a href="#" aria-current={p.name === name ? "page" : undefined}
      onClick={e => { e.preventDefault(); set({ page: p.name, ask: "", spot: "" }); }}>{p.title}</a>)}
      {file?.kind === "trace" && <a href="#" aria-current={name === "timeline" ? "page" : undefined} onClick={e => { e.preventDefault(); set({ page: "timeline" }); }}>Timeline</a>}
      {!api.saved && <a href="#" aria-current={name === "open" ? "page" : undefined} onClick={e => { e.preventDefault(); set({ page: "open" }); }}>Open…</a>}</nav>
    <main>{help && <Help />}{error && <p role="alert" class="error">{error}</p>}
      {file?.error && <p role="alert" class="error">{file.error}</p>}
      {file?.problems?.map(p => <p class="problem">{p}</p>)}
      {name === "open" || !api.saved && pages.length > 0 && !files.length ? <Start opened={opened} /> : file?.loading ? <p role="status">Opening {file.name}…</p> : name === "timeline" && file ? <Timeline key={file.id + "." + file.version} file={file} /> : name && <Shown revision={revision} name={name} file={file} page={pages.find(p => p.name === name)} base={state.base} sql={state.sql} ask={state.ask} />}</main></div>;
}

function Help() {
  return <div role="dialog" aria-label="Help" class="help"><p><kbd>1</kbd>…<kbd>9</kbd> pages · <kbd>/</kbd> filter rows by a regular expression · <kbd>n</kbd> <kbd>p</kbd> next and previous hot spot of Source · <kbd>?</kbd> this help ·
    <kbd>Esc</kbd> leave. Click a heading to sort. Drop files on the window to open them. The address holds all you see: copy it to come back.</p>
    <p>Contains Preact, © Jason Miller, MIT licence.</p></div>;
}

function Shown({ revision, name, file, page, base, sql, ask: asked }: { revision: number; name: string; file?: api.File; page?: api.Page; base?: string; sql?: string; ask?: string }) {
  const [doc, setDoc] = useState<Document>(), [old, setOld] = useState<Document>(), [error, setError] = useState("");
  const id = page?.kinds && file ? file.id : "", ask = name !== "query" || !!sql;
  const options: Record<string, string> = name === "details" ? { "print-details": "all" } : name === "query" && sql ? { sql }
    : name === "occupancy" ? Object.fromEntries(new URLSearchParams(asked ?? "device=sm_80&block=256&registers=32&sweep=true"))  : name === "source" && asked ? { "print-source": asked } : {};
  const shown = useRef("");
  useEffect(() => {
    let live = true;
    const now = JSON.stringify([name, id, base, sql, asked]);
    if (now !== shown.current) { setDoc(undefined); setOld(undefined); } // else the former stays until the new one is there
    shown.current = now;
    setError("");
    if (ask) {
      api.page(name, id, options).then(d => live && setDoc(d), e => live && setError(e.message));
      if (base && id) api.page(name, base, options).then(d => live && setOld(d), e => live && setError("baseline: " + e.message));
    }
    return () => { live = false; };
  }, [name, id, base, sql, asked, revision]);
  return <>{name === "query" && <Console sql={sql ?? ""} />}{name === "source" && !api.saved && <label>View <select value={options["print-source"] ?? "sass"} onChange={e => set({ ask: e.currentTarget.value })}>
      {["sass", "ptx", "cuda", "cuda,sass"].map(v => <option value={v}>{v}</option>)}</select></label>}{name === "occupancy" && <Launch options={options} />}
    {error ? <p role="alert" class="error">{error}</p> : doc ? <div id="page" data-page={name}><Page document={doc} base={old} /></div> : ask && <p role="status">Loading…</p>}</>;
}

// Launch asks what the occupancy page wants to know of a launch.
function Launch({ options: o }: { options: Record<string, string> }) {
  const put = (k: string, v: string) => set({ ask: String(new URLSearchParams({ ...o, [k]: v })) }, false);
  const slide = (k: string, max: number, step: number) => <label>{k} <input type="range" min={step} max={max} step={step} value={o[k] ?? step} onChange={e => put(k, e.currentTarget.value)} /> {o[k] ?? ""}</label>;
  return <form class="launch" onSubmit={e => e.preventDefault()}>
    <label>device <input value={o.device} onChange={e => put("device", e.currentTarget.value)} /></label>
    {slide("block", 1024, 32)}{slide("registers", 255, 1)}{slide("shared", 65536, 1024)}</form>;
}

const root = document.getElementById("app")!;
root.textContent = "";
render(<App />, root);
