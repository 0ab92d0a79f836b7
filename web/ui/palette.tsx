import uFuzzy from "@leeoniya/ufuzzy";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { commands, type Shell } from "./commands";
import { inRole, type Section, unitOf } from "./document";
import { findings } from "./finding";
import { Icon, type IconName } from "./icon";
import { step } from "./menu";
import { clean, kernel } from "./names";
import { say, time } from "./num";
import { set } from "./state";

interface Item {
  group: string;
  title: string;
  right?: string;
  key?: string;
  icon: IconName;
  run: () => void;
}

// Palette finds everything by name: findings, launches, metrics, sections, lines, pages, commands.
export function Palette({ shell: s, start, close }: { shell: Shell; start: string; close: () => void }) {
  const box = useRef<HTMLDialogElement>(null),
    [q, setQ] = useState(start),
    [at, move] = useState(0),
    [found, setFound] = useState<Item[]>([]),
    v = s.view;
  useEffect(() => {
    const d = box.current!,
      was = document.activeElement;
    d.showModal();
    d.querySelector("input")?.focus();
    return () => {
      d.close();
      if (was instanceof HTMLElement && was.isConnected && document.activeElement === document.body) was.focus();
    };
  }, []);
  useEffect(() => {
    let live = true;
    if (v && !v.file.error)
      gather(s).then(
        i => live && setFound(i),
        () => {},
      );
    return () => {
      live = false;
    };
  }, [v?.file.id, v?.launch]);
  const run = useMemo<Item[]>(
    () =>
      commands(s)
        .filter(c => !c.off && c.id !== "palette")
        .map(c => ({
          group: c.id.startsWith("page-") ? "Pages" : "Commands",
          title: c.title,
          key: c.key,
          icon: c.icon,
          run: c.run,
        })),
    [s.name, v?.file.id, s.state],
  );
  const shown = useMemo(() => choose(q, found, run, s), [q, found, run]);
  const chosen = Math.min(at, Math.max(0, shown.length - 1));
  const go = (i: Item | undefined) => {
    if (!i) return;
    close();
    setTimeout(i.run);
  };
  let group = "";
  return (
    <dialog
      ref={box}
      class="pal"
      aria-label="Find or run"
      onCancel={e => {
        e.preventDefault();
        close();
      }}
      onClick={e => e.target === e.currentTarget && close()}
    >
      <div class="q">
        <Icon name="search" />
        <input
          type="text"
          placeholder="Find a finding, kernel, metric, line, page or command"
          aria-label="Find or run"
          role="combobox"
          aria-expanded="true"
          aria-controls="found"
          aria-activedescendant={shown.length ? "found" + chosen : undefined}
          value={q}
          onInput={e => {
            setQ(e.currentTarget.value);
            move(0);
          }}
          onKeyDown={e => {
            const n = step(e, chosen, shown.length);
            if (n !== null) {
              move(n);
              setTimeout(() => document.getElementById("found" + n)?.scrollIntoView({ block: "nearest" }));
            } else if (e.key === "Enter") go(shown[chosen]);
            else if (e.key === "Escape") {
              e.preventDefault();
              e.stopPropagation();
              close();
            }
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <ul id="found" role="listbox" aria-label="Found" tabIndex={-1}>
        {shown.map((i, n) => {
          const head =
            i.group !== group
              ? ((group = i.group),
                (
                  <li key={"g" + i.group} class="g" role="presentation">
                    {i.group}
                  </li>
                ))
              : null;
          return (
            <>
              {head}
              <li
                key={n}
                id={"found" + n}
                role="option"
                aria-selected={n === chosen}
                onClick={() => go(i)}
                onMouseMove={() => n !== chosen && move(n)}
              >
                <Icon name={i.icon} />
                <span class="nm">{i.title}</span>
                <span class="r">
                  {i.right}
                  {i.key && <kbd>{i.key}</kbd>}
                </span>
              </li>
            </>
          );
        })}
      </ul>
      {!shown.length && (
        <p class="none">
          Nothing is called like <code>{q}</code>. <code>&gt;</code> commands, <code>#</code> metrics, <code>@</code>{" "}
          kernels and slices, <code>:</code> line or SQL
        </p>
      )}
    </dialog>
  );
}

const fuzzy = new uFuzzy({ intraMode: 0 });

// choose are the items that a text finds: a prefix keeps to one kind.
function choose(q: string, found: Item[], run: Item[], s: Shell): Item[] {
  const prefix = /^[>#@:]/.exec(q)?.[0] ?? "",
    text = q.slice(prefix.length).trim(),
    extra: Item[] = [],
    v = s.view;
  let from = [...found, ...run];
  if (prefix === ">") from = run;
  if (prefix === "#") from = found.filter(i => i.group === "Metrics");
  if (prefix === "@") from = found.filter(i => i.group === "Launches");
  if (prefix === ":") from = [];
  const timeline = !!v && api.holds(v.file, "timeline");
  if (prefix === ":" && /^\d+$/.test(text))
    extra.push({
      group: "Source",
      title: `Line ${text}`,
      icon: "code-xml",
      run: () => set({ page: "source", go: text }),
    });
  else if (prefix === ":" && text && timeline)
    extra.push({ group: "SQL", title: text, icon: "database", run: () => set({ page: "query", sql: text }) });
  if (prefix === "@" && text && timeline && !api.saved)
    extra.push({
      group: "Slices",
      title: `Search the timeline for ${text}`,
      icon: "chart-gantt",
      run: () => set({ page: "timeline", find: text }),
    });
  if (!text) {
    if (prefix) return [...extra, ...from.slice(0, 200)];
    const recent = recents();
    return [
      ...from
        .filter(i => recent.includes(i.title))
        .map(i => ({ ...i, group: "Recent" }))
        .slice(0, 5),
      ...found.filter(i => i.group === "Findings").slice(0, 5),
      ...run,
    ].map(remembering);
  }
  const hay = from.map(i => i.title + (i.right ? " " + i.right : "")),
    [ids, , order] = fuzzy.search(hay, text, 1, 1e4);
  const hits = !ids ? [] : order ? order.map(o => from[ids[o]]) : ids.map(i => from[i]);
  const rank = ["Findings", "Launches", "Metrics", "Sections", "Source", "Pages", "Commands"],
    per = new Map<string, number>();
  const out = hits.filter(h => {
    const n = per.get(h.group) ?? 0;
    per.set(h.group, n + 1);
    return n < (prefix ? 200 : 8);
  });
  return [...extra, ...out.sort((a, b) => rank.indexOf(a.group) - rank.indexOf(b.group))].map(remembering);
}

const recents = (): string[] => {
  try {
    return JSON.parse(localStorage.getItem("recent") ?? "[]");
  } catch {
    return [];
  }
};

const remembering = (i: Item): Item => ({
  ...i,
  run: () => {
    try {
      localStorage.setItem("recent", JSON.stringify([i.title, ...recents().filter(t => t !== i.title)].slice(0, 8)));
    } catch {
      /* nothing is lost */
    }
    i.run();
  },
});

// gather lists what a file has that can be gone to.
async function gather(s: Shell): Promise<Item[]> {
  const v = s.view!,
    out: Item[] = [];
  if (!api.holds(v.file, "launches")) return out;
  const sum = await api.page("summary", v.file.id),
    times = new Map((await api.launches(v.file.id)).map(l => [l.number, l]));
  for (const f of findings(sum))
    out.push({
      group: "Findings",
      title: `${f.title} · ${kernel(f.kernel).name}`,
      right: f.saved > 0 ? `saves ≤ ${time(f.saved)}` : "",
      icon: "triangle-alert",
      run: () => set({ page: "details", launch: String(f.launches[0]), at: f.rule }),
    });
  for (const l of times.values())
    out.push({
      group: "Launches",
      title: `${l.id} · ${kernel(l.kernel).name}`,
      right: l.duration ? time(l.duration) : "",
      icon: "cpu",
      run: () => set({ page: s.name === "overview" ? "details" : s.name, launch: String(l.number) }),
    });
  const details = await api.page("details", v.file.id, { "print-details": "all" }, v.launch).catch(() => null);
  const seen = new Set<string>();
  const walk = (x: Section, top: string) => {
    if (x.title)
      out.push({
        group: "Sections",
        title: clean(x.title),
        icon: "list-tree",
        run: () => set({ page: "details", at: x.id }),
      });
    for (const t of [...x.tables, ...x.charts]) {
      const [m, l, val] = ["metric", "label", "value"].map(r => inRole(t, r));
      if (m >= 0)
        t.rows.forEach((r, i) => {
          const name = String(r[m]);
          if (seen.has(name)) return;
          seen.add(name);
          const n = r[val];
          out.push({
            group: "Metrics",
            title: clean(String(r[l] ?? name)) + (r[l] && r[l] !== name ? "  " + name : ""),
            right: typeof n === "number" ? say(n, unitOf(t, i, val)) : String(n ?? ""),
            icon: "gauge",
            run: () => set({ page: "details", at: top, metric: name }),
          });
        });
    }
    x.sections?.forEach(y => walk(y, y.id || top));
  };
  details?.sections[0]?.sections?.forEach(x => walk(x, x.id));
  return out;
}
