import type { Document } from "./document";

export interface File { id: string; name: string; format: string; size: number; kind: string; log: boolean; error: string; version: number; loading: boolean; problems: string[] | null }
export interface Page { name: string; title: string; kinds: string[] | null }
export interface Recipe { name: string; help: string; sql: string }
interface Saved { files: File[]; pages: Page[]; documents: Record<string, Document | string> }

// saved is what an exported file carries in place of a server.
export const saved: Saved | null = (() => {
  const e = document.getElementById("saved");
  return e ? JSON.parse(e.textContent || "null") : null;
})();

async function get<T>(path: string): Promise<T> {
  const r = await fetch(path);
  if (!r.ok) throw new Error((await r.text()).trim() || `the server answered ${r.status}`);
  return r.json();
}

export const files = (): Promise<File[]> => saved ? Promise.resolve(saved.files) : get("/api/files");
export const pages = (): Promise<Page[]> => saved ? Promise.resolve(saved.pages) : get("/api/pages");

export const recipes = (): Promise<Recipe[]> => saved ? Promise.resolve([]) : get("/api/recipes");

export function page(name: string, file: string, options: Record<string, string>): Promise<Document> {
  if (saved) {
    const d = saved.documents[name + " " + file];
    return !d || typeof d === "string" ? Promise.reject(new Error(d || "not part of this export")) : Promise.resolve(d);
  }
  const q = new URLSearchParams(options);
  if (file !== "") q.set("file", file);
  return get(`/api/page/${name}?${q}`);
}

export async function upload(f: globalThis.File): Promise<File> {
  const r = await fetch("/api/upload?name=" + encodeURIComponent(f.name), { method: "POST", body: f });
  if (!r.ok) throw new Error((await r.text()).trim());
  return r.json();
}
