import { useEffect, useState } from "preact/hooks";

// The state of the viewer is the fragment of the address: a copied link shows
// the same.
export type State = Record<string, string>;
export const read = (): State => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

// ofFile are the members that mean something in one file only: places, times
// and numbers of its slices.
const ofFile = ["spot", "window", "select", "slice", "name", "pins", "shut", "order"];

// set changes members of the state; "" removes one. A change of page or file
// is a step to go back to; a filter that is being typed is not.
export function set(change: State, step = true): void {
  const s = { ...read(), ...change };
  if ("file" in change && change.file !== read().file) for (const k of ofFile) if (!(k in change)) delete s[k];
  for (const k of Object.keys(s)) if (s[k] === "") delete s[k];
  const to = "#" + new URLSearchParams(s);
  if (to === location.hash) return;
  if (step) history.pushState(null, "", to);
  else history.replaceState(null, "", to);
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
