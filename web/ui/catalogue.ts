// Which pages there are, what they are called, and where they stand: on the rail what
// a file is looked at for, in More the rest, with the reason where a file lacks it.
import { type File, holds, type Page, saved } from "./api";
import type { IconName } from "./icon";

export interface Entry {
  name: string;
  title: string;
  icon: IconName;
  short?: string; // on the rail
  lacks?: string; // why the file has it not
}

const faces: Record<string, [string, IconName, string?]> = {
  overview: ["Overview", "gauge"],
  details: ["Details", "list-tree"],
  source: ["Source", "code-xml"],
  compare: ["Compare", "git-compare"],
  raw: ["Metrics", "table"],
  timeline: ["Timeline", "chart-gantt"],
  stats: ["Stats", "chart-bar-stacked"],
  flame: ["Flame", "flame"],
  query: ["SQL", "database"],
  occupancy: ["Occupancy", "calculator", "Occup."],
  lifetimes: ["Lifetimes", "hourglass"],
  memory: ["Memory", "memory-stick"],
  ops: ["Operators", "boxes"],
  shapes: ["Shapes", "boxes"],
  ranks: ["Ranks", "network"],
  steps: ["Steps", "activity"],
  breakdown: ["Breakdown", "activity"],
  session: ["Session", "info"],
  info: ["About this file", "file-text", "About"],
  sections: ["Sections", "list-checks"],
  sets: ["Sets", "layers"],
  rules: ["Rules", "list-checks"],
  calls: ["API calls", "terminal"],
  sass: ["Instructions", "binary"],
  ptx: ["PTX", "binary"],
  "nvtxt check": ["Annotations", "notebook-pen", "Notes"],
  "nvtxt info": ["Annotation files", "notebook-pen"],
};

// Pages that are part of others: what rules advise is the Overview, checks are findings there.
const within = new Set(["summary", "advice", "analyze"]);
const renamed: Record<string, string> = {
  summary: "overview",
  analyze: "overview",
  advice: "overview",
  metrics: "raw",
};
export const nameOf = (page: string | undefined): string => renamed[page ?? ""] ?? page ?? "";

const rails: [string, string[]][] = [
  ["launches", ["overview", "details", "source", "compare", "raw"]],
  ["timeline", ["overview", "timeline", "stats", "flame", "query"]],
  ["operators", ["overview", "timeline", "ops", "stats", "flame"]],
  ["accesses", ["lifetimes"]],
  ["memory", ["memory"]],
  ["annotations", ["nvtxt check", "nvtxt info"]],
  ["programs", ["sass", "ptx"]],
];

const face = (name: string, title: string): Entry => {
  const f = faces[name];
  return { name, title: f?.[0] ?? title, icon: f?.[1] ?? "file-text", short: f?.[2] };
};

// has reports whether a file has what a page shows.
function has(name: string, f: File | undefined, pages: Page[], files: File[]): boolean {
  if (!f || f.error) return false;
  if (name === "overview") return holds(f, "launches") || holds(f, "timeline");
  if (name === "compare") return holds(f, "launches");
  if (name === "timeline") return holds(f, "timeline") && (!saved || !!saved.timelines[f.id]);
  if (name === "ranks") return !saved && files.filter(o => holds(o, "timeline") && !o.error).length > 1;
  const p = pages.find(p => p.name === name);
  return !!p && (!p.kinds || p.kinds.some(k => holds(f, k)));
}

export interface Nav {
  rail: Entry[];
  below: Entry[];
  more: Entry[];
}

export function nav(f: File | undefined, pages: Page[], files: File[]): Nav {
  const names = new Set<string>();
  // What a file was made for comes first: logs of simulators tell lifetimes, snapshots of an allocator its memory.
  if (has("lifetimes", f, pages, files)) names.add("lifetimes");
  if (has("memory", f, pages, files) && !holds(f, "operators") && !holds(f, "launches")) names.add("memory");
  for (const [kind, list] of rails)
    if (holds(f, kind)) for (const n of list) if (has(n, f, pages, files) && names.size < 7) names.add(n);
  if (has("ranks", f, pages, files) && pages.some(p => p.name === "ranks")) names.add("ranks");
  const of = (n: string) => face(n, pages.find(p => p.name === n)?.title ?? n);
  const below = !saved && pages.some(p => p.name === "occupancy") ? [of("occupancy")] : [];
  const on = new Set([...names, "occupancy", ...within]);
  const more: Entry[] = [];
  for (const n of ["overview", "details", "source", "compare", "raw", "timeline", ...pages.map(p => p.name)]) {
    if (on.has(n) || more.some(m => m.name === n)) continue;
    const e = of(n),
      p = pages.find(p => p.name === n);
    if (has(n, f, pages, files)) more.push(e);
    else if (p?.kinds || n === "timeline" || n === "compare" || n === "overview")
      more.push({
        ...e,
        lacks: p?.kinds ? `wants ${p.kinds.join(" or ")}` : n === "timeline" ? "wants timeline" : "wants launches",
      });
  }
  more.sort((a, b) => Number(!!a.lacks) - Number(!!b.lacks));
  return { rail: [...names].map(of), below, more: f ? more : more.filter(m => !m.lacks) };
}

export const titleOf = (name: string, pages: Page[]): string =>
  face(name, pages.find(p => p.name === name)?.title ?? name).title;
export const iconOf = (name: string): IconName => faces[name]?.[1] ?? "file-text";
