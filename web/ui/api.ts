import { ask } from "./ask";
import { column, type Document, inRole, type Table } from "./document";

export interface File {
  id: string;
  key: string; // the same whenever the file is opened
  name: string;
  format: string;
  size: number;
  kinds: string[] | null;
  error: string;
  version: number;
  loading: boolean;
  problems: string[] | null;
}
export const holds = (f: File | undefined, kind: string): boolean => !!f?.kinds?.includes(kind);

// A Page is what the server says of a page: which files have it (null: it wants no
// file), which options a request may set, and with which values to ask first.
export interface Page {
  name: string;
  title: string;
  short: string; // what it is for
  kinds: string[] | null;
  options: string[];
  first: Record<string, string[]> | null;
  part: string;
  console: boolean;
}
export const takes = (p: Page | undefined, option: string): boolean => !!p?.options.includes(option);
export interface Recipe {
  name: string;
  help: string;
  sql: string;
}
export interface Facts {
  name: string;
  unit: string;
  type: string;
  description: string;
  formula: string;
}
export interface Launch {
  number: number;
  id: string;
  kernel: string;
  title: string;
  duration: number; // ns; 0: not measured
  grid: string;
  block: string;
}
export interface SavedTimeline {
  tracks: unknown;
  levels: number[][];
  complete: boolean;
  finest: number;
  data: string;
}
// A Rule says which way of metrics is the better one, by their names.
export interface Rule {
  pattern: string;
  better: string;
}
interface Saved {
  directions: Rule[];
  files: File[];
  pages: Page[];
  documents: Record<string, Document | string>;
  timelines: Record<string, SavedTimeline | undefined>;
  notes: Record<string, Note[] | undefined>;
}

// A Note is a flag on a timeline, at a time since its beginning, in ns.
export interface Note {
  at: number;
  text: string;
}

// saved is what an exported file carries in place of a server: JSON, packed with gzip, in base64.
export const saved: Saved | null = await (async () => {
  const e = document.getElementById("saved");
  if (!e) return null;
  const packed = Uint8Array.from(atob(e.textContent ?? ""), c => c.charCodeAt(0));
  e.remove();
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
})();

async function get<T>(path: string): Promise<T> {
  return (await ask(path)).json();
}

async function fetchDocument(path: string): Promise<Document> {
  const r = await ask(path),
    told = r.headers.get("Gpuprof-Notes"),
    d: Document = await r.json();
  return told ? { ...d, notes: JSON.parse(decodeURIComponent(told.replaceAll("+", " "))) } : d;
}

export const files = async (): Promise<File[]> => (saved ? saved.files : await get<File[] | null>("/api/files")) ?? [];
export const pages = async (): Promise<Page[]> => (saved ? saved.pages : await get<Page[] | null>("/api/pages")) ?? [];
export const directions = (): Promise<Rule[]> =>
  saved ? Promise.resolve(saved.directions ?? []) : get("/api/directions");
export const recipes = (): Promise<Recipe[]> => (saved ? Promise.resolve([]) : get("/api/recipes"));

// Documents asked for lately, so that going back asks for none; forget drops them.
const kept = new Map<string, Promise<Document>>();
const most = 24;
export const forget = (): void => kept.clear();

// pagePath is where the document of a page is; files are the ids of one or more.
export function pagePath(name: string, files: string, options: Record<string, string>): string {
  const q = new URLSearchParams(options);
  for (const f of files.split(",")) if (f !== "") q.append("file", f);
  return `/api/page/${name}?${q}`;
}

// page is the document of a page; with launch, of that launch of the file alone.
export function page(
  name: string,
  files: string,
  options: Record<string, string> = {},
  launch?: number,
): Promise<Document> {
  if (saved) {
    const form = options["print-source"] === "cuda" ? " cuda" : options.pair ? " " + options.pair : "",
      d = saved.documents[name + form + " " + files];
    if (!d || typeof d === "string") return Promise.reject(new Error(d || "not part of this export"));
    return Promise.resolve(launch === undefined ? d : { ...d, sections: d.sections.slice(launch, launch + 1) });
  }
  const path = pagePath(
    name,
    files,
    launch === undefined ? options : { ...options, "launch-skip": String(launch), "launch-count": "1" },
  );
  let d = kept.get(path);
  if (!d) {
    d = fetchDocument(path);
    d.catch(() => kept.delete(path));
    kept.set(path, d);
    if (kept.size > most) kept.delete(kept.keys().next().value!);
  }
  return d;
}

// longest is the launch that took most time, which is what a report is looked at for.
export const longest = (ls: Launch[]): number =>
  ls.reduce((m, l) => (l.duration > (ls[m]?.duration ?? 0) ? l.number : m), 0);

const listed = new Map<Document, Launch[]>();

// launches are those of a report, in its order.
export async function launches(file: string): Promise<Launch[]> {
  const d = await page("summary", file);
  let out = listed.get(d);
  if (!out) {
    const t = d.sections.find(s => s.id === "launches")?.tables[0];
    out = t ? launchesOf(t) : [];
    if (listed.size > 20) listed.clear();
    listed.set(d, out);
  }
  return out;
}

function launchesOf(t: Table): Launch[] {
  const [k, n, i, g, b] = ["kernel", "launch", "id", "grid", "block"].map(r => inRole(t, r)),
    d = inRole(t, "duration") >= 0 ? inRole(t, "duration") : column(t, "duration");
  return t.rows.map(r => ({
    number: Number(r[n]),
    id: String(r[i]),
    kernel: String(r[k]),
    title: `${r[n]}: ${r[k]} ${r[g] ?? "(n/a)"}x${r[b] ?? "(n/a)"}`,
    duration: Number(r[d]) || 0,
    grid: String(r[g] ?? ""),
    block: String(r[b] ?? ""),
  }));
}

export interface Report {
  name: string;
  title: string;
  rule: boolean;
}
export const reports = (): Promise<Report[]> => (saved ? Promise.resolve([]) : get("/api/reports"));

const told = new Map<string, Promise<Facts | null>>();

// facts is what is known of a metric beside its value.
export function facts(name: string, file: string): Promise<Facts | null> {
  if (saved) return Promise.resolve(null);
  const path = `/api/metric?${new URLSearchParams({ name, file })}`;
  let f = told.get(path);
  if (!f) told.set(path, (f = get<Facts>(path).catch(() => null)));
  return f;
}

export async function upload(f: globalThis.File): Promise<File> {
  return (await ask("/api/upload?name=" + encodeURIComponent(f.name), { method: "POST", body: f })).json();
}

// Saved queries are kept by the server, so that they are found whatever its port.
export const queries = (): Promise<Record<string, string>> => (saved ? Promise.resolve({}) : get("/api/queries"));
export async function keepQuery(name: string, sql: string | null): Promise<Record<string, string>> {
  const q = new URLSearchParams({ name });
  return (await ask("/api/queries?" + q, sql === null ? { method: "DELETE" } : { method: "PUT", body: sql })).json();
}

// Notes are kept beside their timeline; file is "" where they cannot be.
export interface Notes {
  file: string;
  notes: Note[];
}
export const notes = (file: string): Promise<Notes> =>
  saved ? Promise.resolve({ file: "", notes: saved.notes?.[file] ?? [] }) : get("/api/notes/" + file);
export async function keepNotes(file: string, notes: Note[]): Promise<Notes> {
  return (await ask("/api/notes/" + file, { method: "PUT", body: JSON.stringify(notes) })).json();
}
