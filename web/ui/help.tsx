import { useEffect, useRef, useState } from "preact/hooks";
import { keys as timeline } from "./timeline/keys";

type Keys = [string, string][];

const all: Keys = [
  ["Ctrl K", "find or run: findings, kernels, metrics, lines, pages, commands"],
  ["/", "filter or search what is shown"],
  ["1 … 9", "pages of the rail"],
  ["g o", "page by letter: o d s c m t a f q"],
  ["[ ]", "previous and next launch"],
  ["b B", "this launch as baseline; none"],
  ["e", "export"],
  ["y", "copy link"],
  ["t", "theme"],
  ["q", "drawer"],
  ["?", "this help"],
  ["Esc", "closes, then clears, then leaves"],
];
const tables: Keys = [
  ["↑ ↓ Home End", "rows of the table that has the focus"],
  ["Enter", "open the row: a launch, a slice, a line"],
  ["s", "sort"],
  ["c C", "copy cell, copy row"],
];
const pages: Record<string, Keys | undefined> = {
  details: [
    ["j k", "next and previous section"],
    ["f", "next finding"],
    ["x", "only what changed"],
  ],
  source: [
    ["n p", "next and previous hot spot"],
    ["Enter", "follow the branch"],
    ["h", "next heat metric"],
    ["v", "next view"],
    ["l", "go to the linked line"],
  ],
  timeline,
  flame: [
    ["1 2 3", "with the focus in the picture: time order, left heavy, sandwich"],
    ["r", "collapse recursion"],
    ["s", "sandwich of the box"],
    ["arrows Enter", "move, zoom"],
  ],
  query: [
    ["Ctrl ↵", "run"],
    ["Ctrl ↑", "history"],
  ],
};

// Keys lists the keys of the page; a field searches them.
export function Keys({ name, close }: { name: string; close: () => void }) {
  const box = useRef<HTMLDialogElement>(null),
    [q, setQ] = useState("");
  useEffect(() => {
    const d = box.current!;
    d.showModal();
    return () => d.close();
  }, []);
  const part = (title: string, keys: Keys) => {
    const shown = keys.filter(k => (k[0] + " " + k[1]).toLowerCase().includes(q.toLowerCase()));
    return shown.length ? (
      <>
        <h2>{title}</h2>
        {shown.map(([k, what]) => (
          <>
            <dt>{k.split(" ").map(x => (x === "…" ? " … " : <kbd key={x}>{x}</kbd>))}</dt>
            <dd>{what}</dd>
          </>
        ))}
      </>
    ) : null;
  };
  return (
    <dialog
      ref={box}
      class="pal keys"
      aria-label="Keys"
      onCancel={e => {
        e.preventDefault();
        close();
      }}
      onKeyDown={e => {
        if (e.key === "Escape" || (e.key === "?" && !(e.target instanceof HTMLInputElement))) {
          e.preventDefault();
          e.stopPropagation();
          close();
        }
      }}
      onClick={e => e.target === e.currentTarget && close()}
    >
      <div class="q">
        <input
          type="text"
          placeholder="Find a key"
          aria-label="Find a key"
          value={q}
          onInput={e => setQ(e.currentTarget.value)}
        />
        <button class="btn" onClick={close}>
          Close
        </button>
      </div>
      <dl>
        {pages[name] && part("This page", pages[name]!)}
        {part("Everywhere", all)}
        {part("Tables", tables)}
      </dl>
      <p>
        The address holds all you see: copy it to come back. A number has its raw value behind it. Contains Preact,
        uFuzzy, Floating UI, CodeMirror (MIT), Lucide (ISC), Inter and JetBrains Mono (OFL).
      </p>
    </dialog>
  );
}
