import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { beside } from "./float";
import { clean } from "./names";
import { read } from "./state";

// A Card says what stands behind a number, beside the element that is pointed at
// or has the focus.
export interface Note {
  title: string;
  lines: [string, string][];
  metric?: string;
}

// An Anchor is a place of the pointer that a card can stand beside.
export class Anchor {
  isConnected = true;
  constructor(
    private x: number,
    private y: number,
  ) {}
  getBoundingClientRect(): DOMRect {
    return new DOMRect(this.x + 8, this.y, 0, 14);
  }
}

type At = Element | Anchor;
let put: (n: Note | null, of?: At) => void = () => {};
export const show = (n: Note, of: At): void => put(n, of);
export const hide = (): void => put(null);

export function Card() {
  const [shown, setShown] = useState<{ note: Note; of: At } | null>(null),
    [facts, setFacts] = useState<api.Facts | null>(null),
    box = useRef<HTMLDivElement>(null);
  put = (note, of) => setShown(note && of ? { note, of } : null);
  const metric = shown?.note.metric;
  useEffect(() => {
    let live = true;
    setFacts(null);
    if (metric) api.facts(metric, read().file ?? "0").then(f => live && setFacts(f));
    return () => {
      live = false;
    };
  }, [metric]);
  useLayoutEffect(() => {
    if (shown && box.current) beside(shown.of, box.current);
  });
  useEffect(() => {
    const away = (e: Event) => {
      if (!(e instanceof KeyboardEvent) || e.key === "Escape") hide();
    };
    const gone = () =>
      setShown(s =>
        s &&
        s.of instanceof Element &&
        document.activeElement?.contains(s.of) &&
        document.activeElement !== document.body
          ? { ...s }
          : null,
      );
    // What is pointed at is left by moving off it, also where no event of its own tells: it went from the page.
    const moved = (e: PointerEvent) =>
      setShown(s =>
        s &&
        s.of instanceof Element &&
        !(e.target instanceof Node && s.of.contains(e.target)) &&
        !document.activeElement?.contains(s.of)
          ? null
          : s,
      );
    addEventListener("scroll", gone, true);
    addEventListener("hashchange", away);
    addEventListener("keydown", away);
    addEventListener("pointermove", moved, true);
    addEventListener("pointerdown", away, true);
    addEventListener("blur", away);
    return () => {
      removeEventListener("scroll", gone, true);
      removeEventListener("hashchange", away);
      removeEventListener("keydown", away);
      removeEventListener("pointermove", moved, true);
      removeEventListener("pointerdown", away, true);
      removeEventListener("blur", away);
    };
  }, []);
  if (!shown || !shown.of.isConnected) return null;
  const lines: [string, string][] = [
    ...shown.note.lines,
    ...(facts
      ? ([
          ["Description", facts.description],
          ["Formula", facts.formula],
          ["Kind", facts.type],
        ] as [string, string][])
      : []),
  ];
  return (
    <div role="tooltip" class="tip" ref={box}>
      <b>{clean(shown.note.title)}</b>
      <dl>
        {lines
          .filter(l => l[1])
          .map(l => (
            <>
              <dt>{l[0]}</dt>
              <dd>{clean(l[1])}</dd>
            </>
          ))}
      </dl>
    </div>
  );
}
