import { useEffect, useState } from "preact/hooks";
import * as api from "./api";
import { read } from "./state";

// A Card says what stands behind a number, beside the element that is pointed at
// or has the focus.
export interface Note {
  title: string;
  lines: [string, string][];
  metric?: string;
}

let put: (n: Note | null, at?: DOMRect) => void = () => {};
let beside: Element | null = null;
export const show = (n: Note, of: Element): void => {
  beside = of;
  put(n, of.getBoundingClientRect());
};
export const hide = (): void => put(null);

export function Card() {
  const [note, setNote] = useState<Note | null>(null),
    [at, setAt] = useState<DOMRect>(),
    [facts, setFacts] = useState<api.Facts | null>(null);
  put = (n, r) => {
    setNote(n);
    setAt(r);
  };
  const metric = note?.metric;
  useEffect(() => {
    let live = true;
    setFacts(null);
    if (metric) api.facts(metric, read().file ?? "0").then(f => live && setFacts(f));
    return () => {
      live = false;
    };
  }, [metric]);
  useEffect(() => {
    const away = (e: Event) => {
      if (!(e instanceof KeyboardEvent) || e.key === "Escape") hide();
    };
    const scrolled = () => {
      // what the keys moved to stays explained; what scrolled away from under the mouse does not
      if (
        beside instanceof Element &&
        beside.isConnected &&
        document.activeElement !== document.body &&
        document.activeElement?.contains(beside)
      )
        setAt(beside.getBoundingClientRect());
      else hide();
    };
    addEventListener("scroll", scrolled, true);
    addEventListener("hashchange", away);
    addEventListener("keydown", away);
    return () => {
      removeEventListener("scroll", scrolled, true);
      removeEventListener("hashchange", away);
      removeEventListener("keydown", away);
    };
  }, []);
  if (!note || !at) return null;
  const below = at.bottom < innerHeight * 0.6,
    left = Math.max(4, Math.min(at.left, innerWidth - 440));
  const lines: [string, string][] = [
    ...note.lines,
    ...(facts
      ? ([
          ["Description", facts.description],
          ["Formula", facts.formula],
          ["Kind", facts.type],
        ] as [string, string][])
      : []),
  ];
  return (
    <div
      role="tooltip"
      class="card"
      style={{
        left: left + "px",
        ...(below ? { top: at.bottom + 4 + "px" } : { bottom: innerHeight - at.top + 4 + "px" }),
      }}
    >
      <b>{note.title}</b>
      <dl>
        {lines
          .filter(l => l[1])
          .map(l => (
            <>
              <dt>{l[0]}</dt>
              <dd>{l[1]}</dd>
            </>
          ))}
      </dl>
    </div>
  );
}
