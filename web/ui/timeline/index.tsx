import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type File, saved } from "../api";
import { read, set, useAddress } from "../state";
import { Chart } from "./chart";
import { layout } from "./layout";
import { type Named, type Slice, Source, exactly, time } from "./model";
import { Names } from "./names";
import { Drawer, Found, Minimap, Sums } from "./panels";
import { Card, type Hover, usePointer } from "./pointer";
import { SavedSource } from "./saved";
import { ruler } from "./draw";

// Timeline shows what happened when.
export function Timeline({ file }: { file: File }) {
  const [source, setSource] = useState<Source | null>(null),
    [error, setError] = useState(""),
    [done, setDone] = useState(0);
  useEffect(() => {
    let live = true;
    setSource(null);
    setError("");
    const kept = saved?.timelines[file.id];
    if (saved && !kept) {
      setError("A saved page has no timeline: open the file itself.");
      return;
    }
    (kept ? new SavedSource(file.id, kept) : new Source(file.id))
      .open(d => live && setDone(d))
      .then(
        s => live && setSource(s),
        e => live && setError(e.message),
      );
    return () => {
      live = false;
    };
  }, [file.id]);
  if (error)
    return (
      <p role="alert" class="error">
        {error}
      </p>
    );
  if (!source)
    return (
      <p role="status">
        Reading the timeline of {file.name}… <progress value={done} aria-label="How much is read" />
      </p>
    );
  if (!source.tracks.length) return <p class="empty">{file.name} has no slices and no counters.</p>;
  return <Board key={file.id} source={source} />;
}

const split = (s: string | undefined) => new Set((s ?? "").split("|").filter(Boolean));
const pair = (s: string | undefined, end = Infinity) => {
  const m = /^(\d+)-(\d+)$/.exec(s ?? ""),
    b = m ? Math.min(+m[2], end) : 0;
  return m && b > +m[1] ? { a: +m[1], b } : null;
};

function Board({ source }: { source: Source }) {
  const state = useAddress(),
    canvas = useRef<HTMLCanvasElement>(null),
    scroller = useRef<HTMLDivElement>(null),
    find = useRef<HTMLInputElement>(null),
    chart = useRef<Chart | undefined>(undefined),
    own = useRef<string[]>([]);
  const [, redraw] = useState(0),
    [slice, setSlice] = useState<Slice | null>(null),
    [links, setLinks] = useState<Slice[]>([]),
    [hover, setHover] = useState<Hover | null>(null);
  const [error, setError] = useState(""),
    [sums, setSums] = useState<Named[] | null>(null),
    [sumError, setSumError] = useState(""),
    [found, setFound] = useState<{ total: number; names: Named[] } | null>(null);
  const shut = useMemo(() => split(state.shut), [state.shut]),
    pins = useMemo(() => split(state.pins), [state.pins]),
    order = useMemo(() => [...split(state.order)], [state.order]);
  const chosen = pair(state.select, source.span),
    dark = isDark(state.theme);
  const places = useMemo(
    () => layout(source, shut, pins, state.filter ?? "", order),
    [source, shut, pins, state.filter, order],
  );
  const leaves = () => [...new Set([...places.lines, ...places.pinned].filter(l => l.rows > 0).map(l => l.track))];

  useEffect(() => {
    // once: the chart, and what follows the size of the window
    const c = (chart.current = new Chart(canvas.current!, source));
    let timer = 0;
    c.win = pair(new URLSearchParams(location.hash.slice(1)).get("window") ?? "") ?? c.win;
    c.failed = setError;
    c.moved = () => {
      redraw(n => n + 1);
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        const to = `${c.win.a}-${c.win.b}`;
        if (read().window === to) return;
        own.current.push(to);
        set({ window: to }, false);
      }, 150);
    };
    const sized = new ResizeObserver(() => {
      c.paint();
      c.ask();
    });
    sized.observe(canvas.current!);
    const theme = matchMedia("(prefers-color-scheme: dark)"),
      themed = () => redraw(n => n + 1);
    theme.addEventListener("change", themed);
    return () => {
      c.stop();
      clearTimeout(timer);
      sized.disconnect();
      theme.removeEventListener("change", themed);
    };
  }, [source]);
  useEffect(() => {
    // the address moved: back, forward, a link
    const mine = own.current.indexOf(state.window ?? "");
    if (mine >= 0) {
      own.current.splice(0, mine + 1);
      return;
    } // written here; the window may be further by now
    const c = chart.current!,
      w = pair(state.window) ?? { a: 0, b: source.span };
    if (w.a !== c.win.a || w.b !== c.win.b) c.show(w.a, w.b);
  }, [state.window]);
  useEffect(() => {
    const c = chart.current!;
    c.layout = places;
    c.paint();
    c.ask();
  }, [places]);
  useEffect(() => {
    let live = true;
    setSlice(null);
    setLinks([]);
    if (state.slice)
      (async () => {
        const s = await source.slice(+state.slice),
          near = s.call >= 0 ? [s.call] : s.work.slice(0, 20);
        if (live) setSlice(s);
        const l = await Promise.all(near.map(k => source.slice(k)));
        if (live) setLinks(l);
      })().catch(e => live && setError(e.message));
    return () => {
      live = false;
    };
  }, [state.slice]);
  useEffect(() => {
    let live = true;
    setSums(null);
    setSumError("");
    if (chosen)
      source.aggregate(chosen.a, chosen.b, leaves()).then(
        v => live && setSums(v),
        e => live && setSumError(e.message),
      );
    return () => {
      live = false;
    };
  }, [state.select, places]);
  useEffect(() => {
    const c = chart.current!;
    c.slice = slice;
    c.links = links;
    c.chosen = chosen;
    c.dark = dark;
    c.found = state.name ?? null;
    c.paint();
  });

  const fail = (e: Error) => setError(e.message);
  const go = (s: Slice) => {
    // to a slice, zoomed so that it is seen
    const c = chart.current!,
      wide = c.win.b - c.win.a,
      long = s.end - s.start;
    if (s.start < c.win.a || s.end > c.win.b || long < wide / 200) {
      const room = Math.max(long * 20, 200, Math.min(wide, long * 100)),
        mid = (s.start + s.end) / 2;
      c.show(mid - room / 2, mid + room / 2);
    }
    const t = source.tracks[s.track],
      closed = new Set(shut);
    for (let k = s.track; k >= 0; k = source.tracks[k].parent) closed.delete(source.tracks[k].key);
    set({ slice: String(s.id), shut: [...closed].join("|") });
    const l = places.lines.find(l => l.track === s.track),
      e = scroller.current;
    if (
      l &&
      e &&
      t &&
      !pins.has(t.key) &&
      (l.y < e.scrollTop || l.y + l.height > e.scrollTop + e.clientHeight - places.pinnedHeight - ruler)
    )
      e.scrollTop = Math.max(0, l.y - e.clientHeight / 3);
  };
  const step = async (by: number) => {
    // to the neighbour in the row of the chosen slice; of the address, as keys may come faster than answers
    const id = read().slice;
    if (!id || +id + by < 0 || +id + by >= source.slices) return;
    const [now, next] = await Promise.all([source.slice(+id), source.slice(+id + by)]);
    if (next.track === now.track && next.depth === now.depth && read().slice === id) go(next);
  };
  const search = (q: string, back = false, list = true) => {
    if (!q) {
      setFound(null);
      return;
    }
    const from = slice ? slice.start : back ? chart.current!.win.b : chart.current!.win.a - 1;
    source.search(q, from, back).then(
      async v => {
        if (list) setFound(v);
        const next = v.next ?? (await source.search(q, back ? source.span + 1 : -1, back)).next; // around the end
        if (next) go(next);
        setError(v.total ? "" : `no slice is named like ${q}`);
      },
      e => setError(e.message),
    );
  };
  const pickName = (n: Named) => {
    set({ name: n.name }, false);
    search(exactly(n.full), false, false);
  };
  useEffect(() => {
    // a link from a report
    const m = /^(-?\d+),(-?\d+)$/.exec(state.range ?? "");
    if (m) {
      const a = Math.max(0, source.rel(m[1])),
        b = Math.max(a + 1, source.rel(m[2])),
        room = Math.max(10, b - a);
      set({ range: "", select: `${a}-${b}`, slice: "" }, false);
      chart.current!.show(a - room, b + room);
    }
    if (state.find) {
      set({ find: "", q: state.find }, false);
      search(state.find);
    }
  }, [state.range, state.find]);
  const fit = () => {
    const c = chart.current!,
      w =
        chosen ??
        (slice
          ? { a: slice.start - (slice.end - slice.start) * 0.1, b: slice.end + (slice.end - slice.start) * 0.1 }
          : { a: 0, b: source.span });
    c.show(w.a, w.b);
  };
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (
        e.ctrlKey ||
        e.metaKey ||
        e.altKey ||
        e.target instanceof HTMLInputElement ||
        e.target instanceof HTMLTextAreaElement ||
        e.target instanceof HTMLSelectElement
      )
        return;
      if (e.key.startsWith("Arrow") && e.target instanceof Element && e.target.closest(".tl-names")) return;
      const c = chart.current!,
        does: Record<string, () => void> = {
          w: () => c.zoom(1 / 1.5),
          s: () => c.zoom(1.5),
          a: () => c.pan(-0.2),
          d: () => c.pan(0.2),
          ArrowLeft: () => c.pan(-0.2),
          ArrowRight: () => c.pan(0.2),
          "+": () => c.zoom(1 / 1.5),
          "-": () => c.zoom(1.5),
          W: () => c.zoom(1 / 4),
          S: () => c.zoom(4),
          A: () => c.pan(-1),
          D: () => c.pan(1),
          f: fit,
          F: fit,
          "0": () => c.show(0, source.span),
          ".": () => {
            step(1).catch(fail);
          },
          ",": () => {
            step(-1).catch(fail);
          },
          n: () => search(state.q ?? "", false, false),
          N: () => search(state.q ?? "", true, false),
          "/": () => find.current?.focus(),
          Escape: () => {
            set({ slice: "", select: "", name: "" });
            setFound(null);
          },
        };
      if (!Object.hasOwn(does, e.key)) return;
      if (e.key !== "Escape") {
        e.preventDefault();
        e.stopPropagation();
      }
      does[e.key]();
    };
    addEventListener("keydown", key, true);
    return () => removeEventListener("keydown", key, true);
  });
  const pointers = usePointer(
    chart,
    source,
    setHover,
    w => set({ select: w ? `${w.a}-${w.b}` : "", slice: "" }),
    id => set({ slice: id < 0 ? "" : String(id) }),
  );
  const c = chart.current,
    win = c?.win ?? pair(state.window) ?? { a: 0, b: source.span };
  const summary =
    `Timeline of ${source.tracks.length} tracks and ${source.slices} slices. Shown: ${time(win.a)} to ${time(win.b)} of ${time(source.span)}.` +
    (slice ? ` Chosen: ${slice.name}, ${time(slice.end - slice.start)}.` : "");
  return (
    <div class="tl" data-tracks={source.tracks.length}>
      {source.about && <p class="about">{source.about}</p>}
      <div class="tl-tools">
        {!source.about && (
          <input
            ref={find}
            type="search"
            aria-label="Search slices"
            placeholder="Search slices ( / )"
            value={state.q ?? ""}
            onInput={e => set({ q: e.currentTarget.value }, false)}
            onKeyDown={e => {
              if (e.key === "Enter") search(e.currentTarget.value, e.shiftKey);
              if (e.key === "Escape") e.currentTarget.blur();
            }}
          />
        )}
        <button onClick={() => c?.zoom(1 / 1.5)} aria-label="Zoom in">
          +
        </button>
        <button onClick={() => c?.zoom(1.5)} aria-label="Zoom out">
          −
        </button>
        <button onClick={() => c?.show(0, source.span)}>All ( 0 )</button>
        <span>
          {time(win.a)} – {time(win.b)} <small>({time(win.b - win.a)})</small>
        </span>
        {state.name && (
          <span>
            only bright: {state.name} <button onClick={() => set({ name: "" }, false)}>×</button>
          </span>
        )}
        {!!c?.left && <span class="more">{c.left} rows find no room: close some tracks</span>}
        <small class="tl-keys">
          <kbd>w</kbd>
          <kbd>a</kbd>
          <kbd>s</kbd>
          <kbd>d</kbd> or <kbd>Ctrl</kbd>+wheel move, drag selects, <kbd>f</kbd> fits, <kbd>,</kbd> <kbd>.</kbd>{" "}
          neighbours, <kbd>/</kbd> search, <kbd>Esc</kbd> clears
        </small>
      </div>
      <Minimap source={source} a={win.a} b={win.b} dark={dark} show={(a, b) => c?.show(a, b)} />
      {error && (
        <p role="alert" class="error">
          {error}
        </p>
      )}
      <p class="tl-summary" aria-live="polite">
        {summary}
      </p>
      <div
        class="tl-scroll"
        ref={scroller}
        onScroll={e => {
          if (c) {
            c.scroll = e.currentTarget.scrollTop;
            c.paint();
            c.ask();
            redraw(n => n + 1);
          }
        }}
      >
        <div class="tl-stick">
          <Names
            source={source}
            places={places}
            scroll={c?.scroll ?? 0}
            shut={shut}
            pins={pins}
            order={order}
            shape={v => set(v, false)}
          />
          <canvas ref={canvas} class="tl-canvas" tabIndex={0} role="img" aria-label={summary} {...pointers} />
          {hover && <Card source={source} hover={hover} />}
        </div>
        <div class="tl-space" style={{ height: `${places.height + places.pinnedHeight + ruler + 8}px` }} />
      </div>
      {slice && <Drawer source={source} slice={slice} links={links} go={go} close={() => set({ slice: "" })} />}
      {chosen && (
        <Sums
          rows={sums}
          wide={chosen.b - chosen.a}
          error={sumError}
          pick={pickName}
          close={() => set({ select: "" })}
        />
      )}
      {found && <Found total={found.total} names={found.names} pick={pickName} close={() => setFound(null)} />}
    </div>
  );
}

function isDark(theme: string | undefined): boolean {
  return theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}
