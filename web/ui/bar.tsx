import { useMemo, useState } from "preact/hooks";
import * as api from "./api";
import { download } from "./ask";
import * as base from "./base";
import { commandLine, commands, exportHTML, type Shell, toBaseline } from "./commands";
import { Icon, IconButton, type IconName } from "./icon";
import { Popup, step } from "./menu";
import { base as last, clean, fileTitle, kernel, short } from "./names";
import { num, time } from "./num";
import { copy } from "./parts";
import { href, set } from "./state";
import { pageOf, type View } from "./use";

export const kindIcon = (f: api.File): IconName =>
  f.error
    ? "file-warning"
    : api.holds(f, "launches")
      ? "cpu"
      : api.holds(f, "timeline")
        ? "chart-gantt"
        : api.holds(f, "annotations")
          ? "notebook-pen"
          : api.holds(f, "memory")
            ? "memory-stick"
            : "file";
export const kindName = (f: api.File): string =>
  f.error
    ? "not readable"
    : api.holds(f, "launches")
      ? "Kernels"
      : api.holds(f, "timeline")
        ? "Timeline"
        : api.holds(f, "accesses")
          ? "Lifetimes"
          : api.holds(f, "memory")
            ? "Memory"
            : api.holds(f, "annotations")
              ? "Annotations"
              : clean(f.format);

type Menu = "file" | "launch" | "base" | "export" | "";

export function Bar({ shell: s }: { shell: Shell }) {
  const [menu, setMenu] = useState<[Menu, Element | null]>(["", null]),
    v = s.view,
    report = !!v && !v.file.error && api.holds(v.file, "launches"),
    overview = s.name === "overview" || s.name === "compare";
  const toggle = (m: Menu) => (e: MouseEvent & { currentTarget: Element }) =>
    setMenu(menu[0] === m ? ["", null] : [m, e.currentTarget]);
  const close = () => setMenu(["", null]);
  const file = v?.file,
    t = file ? fileTitle(file.name) : { name: "gpuprof", ending: "" },
    now = v?.launches?.find(l => l.number === v.launch);
  const all = commands(s),
    run = (id: string) => all.find(c => c.id === id);
  return (
    <header class="bar">
      <a
        class="logo"
        href={href({ page: "" })}
        aria-label="gpuprof: first page"
        onClick={e => (e.ctrlKey || e.metaKey ? 0 : (e.preventDefault(), set({ page: "" })))}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 20V9M9.3 20V4M14.7 20v-7M20 20v-3.5" />
        </svg>
      </a>
      {file ? (
        <button
          id="file"
          class={"pill file" + (report ? "" : " only")}
          aria-haspopup="dialog"
          aria-expanded={menu[0] === "file"}
          title={clean(file.name)}
          onClick={toggle("file")}
        >
          <Icon name={kindIcon(file)} size="s" />
          <span class="t">{t.name}</span>
          <span class="m">{t.ending}</span>
          <Icon name="chevrons-up-down" size="s" />
        </button>
      ) : (
        <span class="pill only">
          <b class="t">gpuprof</b>
        </span>
      )}
      {report && v && (
        <>
          <span class="slash">/</span>
          <button
            id="launch"
            class="pill launch"
            aria-haspopup="dialog"
            aria-expanded={menu[0] === "launch"}
            onClick={toggle("launch")}
            title={now && clean(now.kernel)}
          >
            {overview && s.name !== "compare" ? (
              <>
                <span class="t">All launches</span>
                <span class="m">{v.launches?.length ?? ""}</span>
              </>
            ) : (
              <>
                <span class="t">{now ? `${now.id} · ${short(now.kernel)}` : "Launch"}</span>
                {!!now?.duration && <span class="m">{time(now.duration)}</span>}
              </>
            )}
            <Icon name="chevrons-up-down" size="s" />
          </button>
          <IconButton
            icon="chevron-left"
            size="s"
            label="Previous launch"
            class="opt"
            disabled={run("previous")!.off || v.launches?.[0]?.number === v.launch}
            onClick={() => run("previous")!.run()}
          />
          <IconButton
            icon="chevron-right"
            size="s"
            label="Next launch"
            class="opt"
            disabled={run("next")!.off || v.launches?.[v.launches.length - 1]?.number === v.launch}
            onClick={() => run("next")!.run()}
          />
        </>
      )}
      {v && !v.file.error && <Chips v={v} add={toggle("base")} open={menu[0] === "base"} />}
      <span class="grow" />
      {api.saved && <span class="saved">exported, read only</span>}
      <button class="find" aria-label="Find or run, Ctrl K" onClick={() => s.palette("")}>
        <Icon name="search" size="s" />
        <span>Find or run…</span>
        <kbd>Ctrl K</kbd>
      </button>
      {!api.saved && <IconButton icon="link" label="Copy link" class="opt" onClick={() => run("link")!.run()} />}
      {v && !v.file.error && (
        <button
          id="export"
          type="button"
          class="ib opt"
          aria-label="Export"
          title="Export"
          aria-haspopup="dialog"
          aria-expanded={menu[0] === "export"}
          onClick={toggle("export")}
        >
          <Icon name="download" />
        </button>
      )}
      <IconButton icon="sun-moon" label={run("theme")!.title} onClick={() => run("theme")!.run()} />
      <IconButton icon="circle-question-mark" label="Keys" class="opt" onClick={s.help} />
      {menu[0] === "file" && <Files s={s} of={menu[1]} close={close} />}
      {menu[0] === "launch" && v && <Launches v={v} of={menu[1]} name={s.name} close={close} />}
      {menu[0] === "base" && v && <Bases v={v} of={menu[1]} close={close} />}
      {menu[0] === "export" && v && <Export s={s} v={v} of={menu[1]} close={close} />}
    </header>
  );
}

// Chips are the baselines: the first is the one that words and colours speak of.
function Chips({
  v,
  add,
  open,
}: {
  v: View;
  add: (e: MouseEvent & { currentTarget: Element }) => void;
  open: boolean;
}) {
  const bs = base.parse(v.state.base),
    put = (n: base.Base[]) => set({ base: base.format(n), ...(n.length ? {} : { least: "" }) });
  const move = (from: number, to: number) => {
    const n = [...bs];
    n.splice(to, 0, ...n.splice(from, 1));
    put(n);
  };
  return (
    <>
      {bs.map((b, i) => {
        const f = v.files.find(f => f.id === b.file),
          l = b.file === v.file.id ? v.launches?.find(l => l.number === b.launch) : undefined,
          what = l
            ? `${l.id} · ${short(l.kernel)}`
            : fileTitle(f?.name ?? "file " + b.file).name + (b.launch === undefined ? "" : ` · launch ${b.launch}`);
        return (
          <span
            key={base.format([b])}
            class="pill base"
            title={`Baseline ${i + 1}: ${what}`}
            draggable
            onDragStart={e => e.dataTransfer?.setData("text/x-gpuprof-base", String(i))}
            onDragOver={e => e.dataTransfer?.types.includes("text/x-gpuprof-base") && e.preventDefault()}
            onDrop={e => {
              const from = e.dataTransfer?.getData("text/x-gpuprof-base");
              if (from) {
                e.preventDefault();
                e.stopPropagation();
                move(Number(from), i);
              }
            }}
          >
            <span class="bk">{i + 1}</span>
            <span class="t">{what}</span>
            {l && l.duration > 0 && <span class="m">{time(l.duration)}</span>}
            <IconButton
              icon="x"
              size="s"
              label={"Drop baseline " + (i + 1)}
              onClick={() => put(bs.filter((_, k) => k !== i))}
            />
          </span>
        );
      })}
      {bs.length ? (
        <IconButton icon="plus" size="s" class="opt" label="Add a baseline" onClick={add} aria-expanded={open} />
      ) : (
        <button
          id="baseline"
          class="pill opt"
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={add}
          title="Compare with another launch or file"
        >
          <Icon name="plus" size="s" />
          <span class="m">Baseline</span>
        </button>
      )}
    </>
  );
}

// Choice is a list with a field to search it.
interface ChoiceProps<T> {
  of: Element | null;
  label: string;
  hint: string;
  items: T[];
  match: (t: T, q: string) => boolean;
  draw: (t: T, i: number) => preact.ComponentChildren;
  pick: (t: T, e: MouseEvent | KeyboardEvent) => void;
  letter?: (key: string, t: T) => boolean;
  foot?: preact.ComponentChildren;
  c?: string;
  close: () => void;
}
function Choice<T>({ of, label, hint, items, match, draw, pick, letter, foot, c = "", close }: ChoiceProps<T>) {
  const [q, setQ] = useState(""),
    [at, move] = useState(0);
  const shown = useMemo(() => (q ? items.filter(i => match(i, q.toLowerCase())) : items), [items, q]),
    chosen = Math.min(at, Math.max(0, shown.length - 1)),
    from = Math.max(0, Math.min(chosen - 100, shown.length - 200));
  return (
    <Popup of={of} label={label} class={c} close={close}>
      <div class="q">
        <Icon name="search" size="s" />
        <input
          type="text"
          placeholder={hint}
          aria-label={hint}
          role="combobox"
          aria-expanded="true"
          aria-controls="choices"
          aria-activedescendant={shown.length ? "choice" + chosen : undefined}
          value={q}
          onInput={e => {
            setQ(e.currentTarget.value);
            move(0);
          }}
          onKeyDown={e => {
            const n = step(e, chosen, shown.length);
            if (n !== null) {
              move(n);
              setTimeout(() => document.getElementById("choice" + n)?.scrollIntoView({ block: "nearest" }));
            } else if (e.key === "Enter" && shown[chosen]) pick(shown[chosen], e);
            else if (!q && letter && shown[chosen] && letter(e.key, shown[chosen])) e.preventDefault();
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <ul id="choices" role="listbox" aria-label={label} tabIndex={-1}>
        {shown.slice(from, from + 200).map((t, k) => (
          <li
            key={from + k}
            id={"choice" + (from + k)}
            role="option"
            aria-selected={from + k === chosen}
            onClick={e => pick(t, e)}
            onMouseMove={() => from + k !== chosen && move(from + k)}
          >
            {draw(t, from + k)}
          </li>
        ))}
      </ul>
      {!shown.length && <p class="g">Nothing is called like {q}.</p>}
      {foot && <footer>{foot}</footer>}
    </Popup>
  );
}

function Files({ s, of, close }: { s: Shell; of: Element | null; close: () => void }) {
  return (
    <Choice
      of={of}
      close={close}
      c="files"
      label="Open files"
      hint="Find a file"
      items={s.files}
      match={(f, q) => f.name.toLowerCase().includes(q)}
      draw={f => (
        <>
          <Icon name={kindIcon(f)} size="s" />
          <span class="nm">
            {clean(f.name)}
            <small>
              {kindName(f)} · {clean(f.format)} · {num(f.size, "byte", 3).text} {num(f.size, "byte", 3).unit}
            </small>
          </span>
          <span class="mut">{f.id === s.view?.file.id ? <Icon name="check" size="s" /> : ""}</span>
        </>
      )}
      pick={(f, e) => {
        if (e.ctrlKey || e.metaKey) {
          window.open(href({ file: f.id, page: "" }));
          return;
        }
        close();
        set({
          file: f.id,
          page: f.kinds?.includes("launches") === s.view?.file.kinds?.includes("launches") ? (s.state.page ?? "") : "",
        });
      }}
      foot={
        !api.saved && (
          <button
            onClick={() => {
              close();
              set({ page: "open" });
            }}
          >
            Open…
          </button>
        )
      }
    />
  );
}

function Launches({ v, of, name, close }: { v: View; of: Element | null; name: string; close: () => void }) {
  const [byTime, flip] = useState(true),
    all = v.launches ?? [],
    most = all.reduce((m, l) => Math.max(m, l.duration), 0),
    items = useMemo(() => (byTime ? [...all].sort((a, b) => b.duration - a.duration) : all), [all, byTime]);
  const kernels = new Set(all.map(l => l.kernel)).size;
  return (
    <Choice
      of={of}
      close={close}
      label={`${all.length} launches of ${kernels} kernels, ${byTime ? "by time" : "as they ran"}`}
      hint="Find a launch by name or number"
      items={items}
      match={(l, q) => l.kernel.toLowerCase().includes(q) || l.id === q || String(l.number) === q}
      draw={l => (
        <>
          <span class="ix">{l.id}</span>
          <span class="nm mono" title={clean(l.kernel)}>
            {short(l.kernel)}
          </span>
          <span class="trk">
            <i style={{ width: `${most ? (100 * l.duration) / most : 0}%` }} />
          </span>
          <b>{l.duration ? time(l.duration, 3) : "–"}</b>
        </>
      )}
      pick={(l, e) => {
        const to = {
          launch: String(l.number),
          spot: "",
          at: "",
          page: name === "overview" || name === "" ? "details" : name,
        };
        if (e.ctrlKey || e.metaKey) {
          window.open(href(to));
          return;
        }
        close();
        set(to);
      }}
      letter={(k, l) => {
        if (k !== "b") return false;
        close();
        toBaseline(v, l.number);
        return true;
      }}
      foot={
        <>
          <kbd>↑</kbd>
          <kbd>↓</kbd> choose <kbd>↵</kbd> go <kbd>b</kbd> as baseline
          <button class="r" onClick={() => flip(!byTime)}>
            sorted: {byTime ? "time" : "order"}
          </button>
        </>
      }
    />
  );
}

// Bases chooses what to compare with: a launch of this file, or another file.
function Bases({ v, of, close }: { v: View; of: Element | null; close: () => void }) {
  const report = api.holds(v.file, "launches");
  type Item = { launch?: api.Launch; file?: api.File };
  const items: Item[] = [
    ...v.files
      .filter(
        f =>
          f.id !== v.file.id &&
          !f.error &&
          (report ? api.holds(f, "launches") : f.kinds?.some(k => v.file.kinds?.includes(k))),
      )
      .map(file => ({ file })),
    ...(report ? (v.launches ?? []).map(launch => ({ launch })) : []),
  ];
  const most = (v.launches ?? []).reduce((m, l) => Math.max(m, l.duration), 0);
  return (
    <Choice
      of={of}
      close={close}
      label="Compare with"
      hint="Compare with a launch or a file"
      items={items}
      match={(i, q) => (i.launch?.kernel ?? i.file!.name).toLowerCase().includes(q) || i.launch?.id === q}
      draw={i =>
        i.launch ? (
          <>
            <span class="ix">{i.launch.id}</span>
            <span class="nm mono">{kernel(i.launch.kernel).name}</span>
            <span class="trk">
              <i style={{ width: `${most ? (100 * i.launch.duration) / most : 0}%` }} />
            </span>
            <b>{i.launch.duration ? time(i.launch.duration, 3) : "–"}</b>
          </>
        ) : (
          <>
            <Icon name={kindIcon(i.file!)} size="s" />
            <span class="nm">{clean(last(i.file!.name))}</span>
            <span class="mut">whole file</span>
            <b />
          </>
        )
      }
      pick={i => {
        close();
        if (i.launch) toBaseline(v, i.launch.number);
        else set({ base: base.format([...base.parse(v.state.base), { file: i.file!.id }]) });
      }}
      foot={
        <button
          id="baseline-launch"
          onClick={() => {
            close();
            toBaseline(v);
          }}
        >
          {report ? "This launch" : "This file"} <kbd>b</kbd>
        </button>
      }
    />
  );
}

function Export({ s, v, of, close }: { s: Shell; v: View; of: Element | null; close: () => void }) {
  const page = s.name === "overview" ? (api.holds(v.file, "launches") ? "summary" : "analyze") : s.name,
    listed = pageOf(v, page),
    id = listed?.kinds ? v.file.id : "";
  const press = (where: string, what: string) =>
    [...document.querySelectorAll<HTMLElement>(`main ${where} .tools button`)].find(b => b.title === what)?.click();
  const part: Record<string, string> = listed?.part && s.state.ask ? { [listed.part]: s.state.ask } : {};
  const items: [IconName, string, string, () => void, boolean][] = [
    [
      "table",
      "This table: CSV",
      "",
      () => press("figure.grid", "Save as CSV"),
      !!document.querySelector("main figure.grid .tools"),
    ],
    [
      "table",
      "This table: JSON",
      "",
      () => press("figure.grid", "Save as JSON"),
      !!document.querySelector("main figure.grid .tools"),
    ],
    [
      "table",
      "This table: Markdown",
      "",
      () => press("figure.grid", "Save as Markdown"),
      !!document.querySelector("main figure.grid .tools"),
    ],
    [
      "image",
      "This chart: SVG",
      "",
      () => press("figure.chart", "Save as SVG"),
      !!document.querySelector("main figure.chart .tools"),
    ],
    [
      "image",
      "This chart: PNG",
      "",
      () => press("figure.chart", "Save as PNG"),
      !!document.querySelector("main figure.chart .tools"),
    ],
    ...(["json", "csv", "md"] as const).map((f): [IconName, string, string, () => void, boolean] => [
      "file-text",
      "This page: " + { json: "JSON", csv: "CSV", md: "Markdown" }[f],
      "",
      () =>
        void download(
          api.pagePath(page, id, { ...part, format: f, ...(page === "query" ? { sql: s.state.sql ?? "" } : {}) }),
          `${page.replace(" ", "-")}.${f}`,
        ),
      !!listed && !api.saved,
    ]),
    ["file", "The report as one HTML file", "", () => void exportHTML(v.file), !api.saved],
    ["terminal", "Command line for this view", "copies", () => void copy(commandLine(v, s.name)), !api.saved],
  ];
  const shown = items.filter(i => i[4]);
  return (
    <Choice
      of={of}
      close={close}
      c="menu"
      label="Export"
      hint="Export…"
      items={shown}
      match={(i, q) => i[1].toLowerCase().includes(q)}
      draw={i => (
        <>
          <Icon name={i[0]} size="s" />
          <span class="nm">{i[1]}</span>
          <small>{i[2]}</small>
        </>
      )}
      pick={i => {
        close();
        i[3]();
      }}
    />
  );
}
