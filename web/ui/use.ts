import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import * as base from "./base";
import type { Document } from "./document";
import type { State } from "./state";

// A View is what every page is given: what is open, and what the address says.
export interface View {
  name?: string; // of the page
  file: api.File;
  files: api.File[];
  pages: api.Page[];
  state: State;
  launches: api.Launch[] | null; // null: not known yet
  launch: number; // the one in view
  revision: number;
}

export const pageOf = (v: View, name: string): api.Page | undefined => v.pages.find(p => p.name === name);

export interface Got<T> {
  got?: T;
  error: string;
  busy: boolean; // what is there is of an earlier wish, or nothing yet
}

// useAsk asks for something again when the wish changes, and keeps what was there until then.
export function useAsk<T>(wish: string, ask: () => Promise<T> | null): Got<T> {
  const [now, put] = useState<{ wish: string; got?: T; error: string }>({ wish: "", error: "" }),
    last = useRef<T>(undefined);
  useEffect(() => {
    let live = true;
    const p = ask();
    if (!p) {
      put({ wish, error: "" });
      return;
    }
    p.then(
      got => {
        if (!live) return;
        last.current = got;
        put({ wish, got, error: "" });
      },
      e => live && put({ wish, error: e instanceof Error ? e.message : String(e) }),
    );
    return () => {
      live = false;
    };
  }, [wish]);
  return now.wish === wish
    ? { got: now.got, error: now.error, busy: false }
    : { got: last.current, error: "", busy: true };
}

export interface Docs {
  doc: Document;
  bases: (Document | undefined)[];
}

// useDoc loads a document and those that it is compared with.
export function useDoc(
  v: View,
  name: string,
  options: Record<string, string> = {},
  launch?: number,
  ids?: string,
): Got<Docs> {
  const id = ids ?? v.file.id,
    wish = JSON.stringify([name, id, launch, options, v.state.base ?? "", v.revision, v.state.fresh ?? ""]);
  const first = useAsk(wish, () => api.page(name, id, options, launch)),
    bases = base.parse(v.state.base);
  const more = useAsk(bases.length && first.got && !first.busy ? wish : "", () =>
    bases.length && first.got && !first.busy
      ? Promise.all(bases.map(b => base.load(name, id, launch, options, b, first.got!).catch(() => undefined)))
      : null,
  );
  return {
    got: first.got && {
      doc: first.got,
      bases: more.got && !more.busy && bases.length ? more.got : bases.map(() => undefined),
    },
    error: first.error,
    busy: first.busy,
  };
}

// options are what a page asks the server for in a state of the viewer: what the
// page's row says to ask first, and what the user chose of the options that it takes.
export function options(page: api.Page | undefined, state: State): Record<string, string> {
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
  return out;
}
