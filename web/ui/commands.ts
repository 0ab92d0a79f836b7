// Everything that can be done has a name, and most have a key: one list for the keys,
// the palette and the help.
import * as api from "./api";
import * as base from "./base";
import type { Nav } from "./catalogue";
import type { IconName } from "./icon";
import { copy, toast } from "./parts";
import { copyLink } from "./link";
import { set, type State } from "./state";
import { choose, dark } from "./theme";
import { pageOf, type View } from "./use";
import { download } from "./ask";

export interface Shell {
  view: View | null;
  files: api.File[];
  pages: api.Page[];
  menu: Nav;
  name: string;
  state: State;
  palette: (start: string) => void;
  help: () => void;
  opened: (f: api.File, compare?: boolean) => void;
  redraw: () => void;
}

export interface Command {
  id: string;
  title: string;
  icon: IconName;
  key?: string;
  off?: boolean; // it makes no sense here
  run: () => void;
}

// order is that of the launches in the switcher: as they ran.
function launch(v: View, by: number): void {
  const ls = v.launches ?? [],
    n = ls.findIndex(l => l.number === v.launch) + by;
  if (ls[n]) set({ launch: String(ls[n].number), spot: "", at: "" });
}

// toBaseline makes the launch in view, or a whole timeline, what others are compared with.
export function toBaseline(v: View, one?: number): void {
  const bs = base.parse(v.state.base),
    own: base.Base = api.holds(v.file, "launches") ? { file: v.file.id, launch: one ?? v.launch } : { file: v.file.id },
    key = base.format([own]);
  if (bs.some(b => base.format([b]) === key)) return;
  set({ base: base.format([...bs, own]) });
}

// commandLine is what shows the same in a terminal.
export function commandLine(v: View, name: string): string {
  const quote = (s: string) => (/^[\w./=:,@%+-]+$/.test(s) ? s : `'${s.replaceAll("'", `'\\''`)}'`),
    report = api.holds(v.file, "launches"),
    words = ["gpuprof"];
  const command =
    name === "overview"
      ? report
        ? "summary"
        : "analyze"
      : name === "compare"
        ? "diff"
        : name === "timeline"
          ? "stats"
          : name;
  words.push(command);
  if (["details", "source", "raw"].includes(command)) words.push("-s", String(v.launch), "-c", "1");
  if (command === "source" && v.state.ask && v.state.ask !== "both") words.push("--print-source", v.state.ask);
  const part = pageOf(v, name)?.part;
  if (part && v.state.ask) words.push("--" + part, v.state.ask);
  if (command === "query") words.push("--sql", v.state.sql ?? "");
  if (command === "diff") {
    const b = base.parse(v.state.base)[0];
    words.push(v.files.find(f => f.id === b?.file)?.name ?? v.file.name);
  }
  return [...words, ...(v.pages.find(p => p.name === name && !p.kinds) ? [] : [v.file.name])].map(quote).join(" ");
}

export async function exportHTML(f: api.File): Promise<void> {
  toast("Writing the report…");
  try {
    await download("/api/export?file=" + f.id, f.name + ".html");
  } catch (e) {
    toast(e instanceof Error ? e.message : String(e));
  }
}

export function commands(s: Shell): Command[] {
  const v = s.view,
    out: Command[] = [];
  s.menu.rail.concat(s.menu.below).forEach((e, i) =>
    out.push({
      id: "page-" + e.name,
      title: "Go to " + e.title,
      icon: e.icon,
      key: i < 9 ? String(i + 1) : undefined,
      run: () => set({ page: e.name }),
    }),
  );
  for (const e of s.menu.more)
    if (!e.lacks)
      out.push({ id: "page-" + e.name, title: "Go to " + e.title, icon: e.icon, run: () => set({ page: e.name }) });
  const many = (v?.launches?.length ?? 0) > 1,
    report = !!v && api.holds(v.file, "launches");
  out.push(
    { id: "previous", title: "Previous launch", icon: "chevron-left", key: "[", off: !many, run: () => launch(v!, -1) },
    { id: "next", title: "Next launch", icon: "chevron-right", key: "]", off: !many, run: () => launch(v!, 1) },
    {
      id: "baseline",
      title: report ? "Use this launch as baseline" : "Use this file as baseline",
      icon: "git-compare",
      key: "b",
      off: !v,
      run: () => toBaseline(v!),
    },
    {
      id: "no-baseline",
      title: "Drop all baselines",
      icon: "x",
      key: "B",
      off: !s.state.base,
      run: () => set({ base: "", least: "" }),
    },
    {
      id: "export",
      title: "Export…",
      icon: "download",
      key: "e",
      off: !v,
      run: () => document.getElementById("export")?.click(),
    },
    { id: "link", title: "Copy link", icon: "link", key: "y", off: !!api.saved, run: () => copyLink(s.files) },
    {
      id: "command",
      title: "Copy the command line for this view",
      icon: "terminal",
      off: !v || !!api.saved,
      run: () => copy(commandLine(v!, s.name)),
    },
    {
      id: "html",
      title: "Export this report as one HTML file",
      icon: "file-text",
      off: !v || !!api.saved,
      run: () => exportHTML(v!.file),
    },
    {
      id: "theme",
      title: dark() ? "Theme: light" : "Theme: dark",
      icon: "sun-moon",
      key: "t",
      run: () => {
        choose(dark() ? "light" : "dark");
        if (s.state.theme) set({ theme: "" }, false);
        s.redraw();
      },
    },
    {
      id: "theme-system",
      title: "Theme: as the system",
      icon: "sun-moon",
      run: () => (choose(""), set({ theme: "" }, false), s.redraw()),
    },
    { id: "open", title: "Open files…", icon: "folder-open", off: !!api.saved, run: () => set({ page: "open" }) },
    ...(["22", "26", "32"] as const).map(
      (h, i): Command => ({
        id: "density" + h,
        title: "Density: " + ["dense", "usual", "roomy"][i],
        icon: "table",
        run: () => (document.documentElement.style.setProperty("--row", h + "px"), s.redraw()),
      }),
    ),
    {
      id: "keys",
      title: localStorage.getItem("keys") === "off" ? "Single-letter keys: on" : "Single-letter keys: off",
      icon: "type",
      run: () => (
        localStorage.getItem("keys") === "off" ? localStorage.removeItem("keys") : localStorage.setItem("keys", "off"),
        s.redraw()
      ),
    },
    { id: "palette", title: "Find or run…", icon: "search", run: () => s.palette("") },
    { id: "help", title: "Keys of this page", icon: "circle-question-mark", key: "?", run: s.help },
  );
  return out;
}
