// The colours of the tokens as the canvas wants them: each is asked of an element, since
// a pair of light and dark is chosen by the page.
export interface Colours {
  bg: string[];
  fg: string[];
  line: string;
  edge: string;
  accent: string;
  soft: string;
  heat: string;
  worse: string;
  on: string; // text on slices
  shade: string;
  s: string[]; // grounds of slices, from 1
  c: string[]; // bars and lines, from 1
  d: string[];
}

let kept: Colours | null = null;
addEventListener("theme", () => (kept = null));

export const ready = (): boolean => !!document.body;

export function colours(): Colours {
  if (kept) return kept;
  const e = document.createElement("i");
  e.style.display = "none";
  document.body.append(e);
  const of = (name: string): string => {
    e.style.color = `var(--${name})`;
    return getComputedStyle(e).color;
  };
  const many = (p: string, n: number) => ["", ...Array.from({ length: n }, (_, i) => of(p + (i + 1)))];
  kept = {
    bg: [of("bg-0"), of("bg-1"), of("bg-2"), of("bg-3")],
    fg: ["", of("fg-1"), of("fg-2"), of("fg-3")],
    line: of("line"),
    edge: of("edge"),
    accent: of("accent"),
    soft: of("accent-soft"),
    heat: of("heat"),
    worse: of("worse"),
    on: of("slice-fg"),
    shade: of("shade"),
    s: many("s", 7),
    c: many("c", 7),
    d: [],
  };
  e.remove();
  return kept;
}
