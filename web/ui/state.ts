import { useEffect, useState } from "preact/hooks";

// The state of the viewer is the fragment of the address: a copied link shows
// the same.
export type State = Record<string, string>;
export const read = (): State => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

// ofFile are the members that mean something in one file only, ofPage those of one page.
const ofFile = [
  "spot",
  "window",
  "select",
  "slice",
  "name",
  "pins",
  "shut",
  "order",
  "launch",
  "kernel",
  "notes",
  "tracks",
  "apply",
  "section",
  "fn",
  "src",
];
const ofPage = ["ask", "spot", "at", "line", "seek", "filter", "open", "dock"];

// after is the state that a change leads to.
function after(change: State): State {
  const now = read(),
    s = { ...now, ...change };
  if ("file" in change && (change.file || "0") !== (now.file || "0"))
    for (const k of ofFile) if (!(k in change)) delete s[k];
  if ("page" in change && change.page !== now.page) for (const k of ofPage) if (!(k in change)) delete s[k];
  for (const k of Object.keys(s)) if (s[k] === "" || s[k] === undefined) delete s[k];
  return s;
}

export const href = (change: State): string => "#" + new URLSearchParams(after(change));

// Where each step of the history was scrolled to, by the number that it carries.
let serial: number = history.state?.n ?? 0;
const scrolls = new Map<number, number>();
const keep = () => {
  const m = document.querySelector("main");
  if (m) scrolls.set(history.state?.n ?? 0, m.scrollTop);
};

// restored is where the page that history brings back was scrolled to.
export const restored = (): number => scrolls.get(history.state?.n ?? 0) ?? 0;

// set changes members of the state; "" removes one. A change of page or file
// is a step to go back to; a filter that is being typed is not.
export function set(change: State, step = true): void {
  const to = href(change);
  if (to === location.hash) return;
  keep();
  if (step) history.pushState({ n: ++serial }, "", to);
  else history.replaceState(history.state, "", to);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useAddress(): State {
  const [s, update] = useState(read);
  useEffect(() => {
    const f = () => update(read());
    addEventListener("hashchange", f);
    addEventListener("popstate", f);
    f(); // the address may have changed before anyone listened
    return () => {
      removeEventListener("hashchange", f);
      removeEventListener("popstate", f);
    };
  }, []);
  return s;
}

// shown names what the address shows: page, file and launch. Another of them begins at its top.
export const place = (s: State): string => [s.page, s.file, s.launch, s.ask].join(" ");

addEventListener("scroll", keep, { capture: true, passive: true });
