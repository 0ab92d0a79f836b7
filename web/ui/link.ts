// Links that can be opened when this viewer has ended and another runs: they begin with an
// address that always leads to the one that runs, and say which files their numbers mean.
import type { File } from "./api";
import { ask } from "./ask";
import * as base from "./base";
import { copy, toast } from "./parts";
import { read } from "./state";

// copyLink copies the address of what is shown.
export async function copyLink(files: File[]): Promise<void> {
  const s = read(),
    ids = new Set([s.file || "0", ...base.parse(s.base).map(b => b.file)]),
    keys = files.filter(f => ids.has(f.id) && f.key).map(f => `${f.id}.${f.key}`);
  const { link }: { link: string } = await (await ask("/api/link")).json();
  await copy(link + "#" + new URLSearchParams({ ...s, keys: keys.join(",") }));
}

// followLink puts the numbers that files have now in the place of those in a link. Files that are not
// open are opened where they are among those that were open before.
export async function followLink(files: File[]): Promise<File[]> {
  const { keys, ...s } = read();
  if (!keys) return files;
  const now = new Map<string, string>();
  let lost = 0;
  for (const [id, key] of keys.split(",").map(k => k.split("."))) {
    let f = files.find(f => f.key === key);
    if (!f)
      try {
        const o: File = await (await ask("/api/recent/" + encodeURIComponent(key), { method: "POST" })).json();
        files = [...files, (f = o)];
      } catch {
        lost++;
      }
    if (f) now.set(id, f.id);
  }
  const own = now.get(s.file || "0");
  if (own !== undefined) s.file = own;
  if (s.base)
    s.base = base.format(base.parse(s.base).flatMap(b => (now.has(b.file) ? [{ ...b, file: now.get(b.file)! }] : [])));
  if (lost)
    toast(
      lost === 1
        ? "A file of this link is not open: start the viewer with it"
        : `${lost} files of this link are not open: start the viewer with them`,
    );
  history.replaceState(history.state, "", "#" + new URLSearchParams(s));
  dispatchEvent(new HashChangeEvent("hashchange"));
  return files;
}
