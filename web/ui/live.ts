import { useEffect, useRef, useState } from "preact/hooks";
import { saved } from "./api";
import { ask } from "./ask";

// How often, in ms, a page that is looked at asks whether anything changed, and
// how often while a file is being opened.
const every = 1500,
  opening = 150;

// useLive is a number that is another when a file, a section or a rule changed.
// changed is called then too, and once at first, as something may have changed
// between what the page asked before and the first number.
export function useLive(changed: () => void, hurry: boolean, lost: (tries: number) => void): number {
  const [revision, setRevision] = useState(0),
    tell = useRef(changed),
    fast = useRef(hurry);
  tell.current = changed;
  fast.current = hurry;
  useEffect(() => {
    if (saved) return;
    let known = -1,
      live = true,
      timer = 0,
      tries = 0;
    const look = async () => {
      if (document.visibilityState === "visible") {
        try {
          const v: { changes: number } = await (await ask("/api/changes")).json();
          if (!live) return;
          if (tries) lost((tries = 0));
          if (known >= 0 && v.changes !== known) {
            tell.current();
            setRevision(v.changes);
          }
          known = v.changes;
        } catch {
          if (live) lost(++tries); // the server has ended, or is busy: what is shown stays
        }
      }
      timer = window.setTimeout(look, fast.current ? opening : every);
    };
    look();
    return () => {
      live = false;
      clearTimeout(timer);
    };
  }, []);
  return revision;
}
