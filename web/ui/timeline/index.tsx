import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { column, inRole } from "../document";
import { Icon, IconButton } from "../icon";
import { Popup } from "../menu";
import { say } from "../num";
import { Alert, Busy, Note, Pick } from "../parts";
import { read, set, useAddress } from "../state";
import { typing } from "../parts";
import { useAsk, type View } from "../use";
import { Chart } from "./chart";
import { type By, ruler } from "./draw";
import { layout, path } from "./layout";
import { Minimap } from "./minimap";
import { type Named, type Slice, Source, exactly, time } from "./model";
import { Names } from "./names";
import { useNotes } from "./notes";
import { Chosen, Findings, Found, Notes, Sums } from "./panels";
import { usePointer } from "./pointer";
import { SavedSource } from "./saved";

// Timeline shows what happened when.
export function Timeline({ v }: { v: View }) {
  const { file } = v,
    [source, setSource] = useState<Source | null>(null),
    [error, setError] = useState(""),
    [done, setDone] = useState(0);
  useEffect(() => {
    let live = true;
    setSource(null);
    setError("");
    const kept = api.saved?.timelines[file.id];
    if (api.saved && !kept) {
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
  if (error) return <Alert title="There is no timeline.">{error}</Alert>;
  if (!source) return <Busy what="Reading the timeline" done={done || undefined} />;
  if (!source.tracks.length) return <Note title="There are no slices and no counters" icon="chart-gantt" />;
  return <Board key={file.id} source={source} v={v} />;
}

const split = (s: string | undefined) => new Set((s ?? "").split("|").filter(Boolean));
const pair = (s: string | undefined, end = Infinity) => {
  const m = /^(\d+)-(\d+)$/.exec(s ?? ""),
    b = m ? Math.min(+m[2], end) : 0;
  return m && b > +m[1] ? { a: +m[1], b } : null;
};
const pattern = (q: string | undefined): RegExp | null => {
  try {
    return q ? new RegExp(q) : null;
  } catch {
    return null;
  }
};
type Tab = "slice" | "area" | "search" | "findings" | "notes";

function Board({ source, v }: { source: Source; v: View }) {
  const state = useAddress(),
    canvas = useRef<HTMLCanvasElement>(null),
    scroller = useRef<HTMLDivElement>(null),
    find = useRef<HTMLInputElement>(null),
    chart = useRef<Chart | undefined>(undefined),
    own = useRef<string[]>([]);
  const [, redraw] = useState(0),
    [theme, themed] = useState(0),
    [slice, setSlice] = useState<Slice | null>(null),
    [links, setLinks] = useState<Slice[]>([]),
    [error, setError] = useState(""),
    [lost, setLost] = useState(""), // why slices are not there; what is drawn later takes it back, but no error of a search
    [sums, setSums] = useState<Named[] | null>(null),
    [sumError, setSumError] = useState(""),
    [found, setFound] = useState<{ total: number; names: Named[] } | null>(null),
    [hits, setHits] = useState<number[]>([]),
    [tab, setTab] = useState<Tab>("slice"),
    [measuring, setMeasuring] = useState(false),
    [noting, setNoting] = useState<number | null>(null),
    [tracks, setTracks] = useState<Element | null>(null);
  const shut = useMemo(() => split(state.shut), [state.shut]),
    pins = useMemo(() => split(state.pins), [state.pins]),
    hidden = useMemo(() => split(state.hide), [state.hide]),
    order = useMemo(() => [...split(state.order)], [state.order]),
    flags = useNotes(v.file.id, state.notes),
    notes = flags.notes;
  const chosen = pair(state.select, source.span),
    by: By = state.by === "name" || state.by === "track" ? state.by : "kind",
    docked = state.dock !== "0",
    right = state.side === "right" || (state.side !== "below" && innerWidth >= 1900);
  const places = useMemo(
    () => layout(source, shut, pins, state.filter ?? "", order, hidden),
    [source, shut, pins, state.filter, order, hidden],
  );
  const leaves = () => [...new Set([...places.lines, ...places.pinned].filter(l => l.rows > 0).map(l => l.track))];
  const checks = useAsk(JSON.stringify(["checks", v.file.id, v.revision]), () =>
    api.page("analyze", v.file.id).catch(() => null),
  );
  // What stands beside the groups: how busy each GPU was, how long each process waited.
  const share = useMemo(() => {
    const busy = checks.got?.sections.find(s => s.id === "gpu_busy")?.tables[0],
      sync = checks.got?.sections.find(s => s.id === "sync_points")?.tables[0];
    return (k: number) => {
      const t = source.tracks[k],
        n = /(\d+)\s*$/.exec(t.name)?.[1];
      if (t.kind === "device" && busy) {
        const r = busy.rows.find(r => String(r[inRole(busy, "device")]) === n);
        return r ? { text: "busy " + say(Number(r[column(busy, "busy")]), "%"), waits: false } : undefined;
      }
      if (t.kind === "process" && sync) {
        const rs = sync.rows.filter(r => String(r[inRole(sync, "process")]) === n);
        return rs.length
          ? { text: "waits " + say(Math.max(...rs.map(r => Number(r[column(sync, "waiting")]))), "%"), waits: true }
          : undefined;
      }
      return undefined;
    };
  }, [checks.got, source]);

  useEffect(() => {
    // once: the chart, and what follows the size of the window
    const c = (chart.current = new Chart(canvas.current!, source));
    const below = (k: number, kind: string): number[] => [
      ...(source.tracks[k].kind === kind && source.tracks[k].rows > 0 ? [k] : []),
      ...source.children[k].flatMap(x => below(x, kind)),
    ];
    c.curves = k => (source.tracks[k].kind === "device" ? below(k, "stream") : []);
    c.waits = k => (source.tracks[k].kind === "process" ? below(k, "api") : []);
    let timer = 0;
    c.win = pair(new URLSearchParams(location.hash.slice(1)).get("window") ?? "") ?? c.win;
    c.failed = setLost;
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
      redraw(n => n + 1);
    });
    sized.observe(canvas.current!);
    const recolour = () => {
      c.paint();
      themed(n => n + 1);
    };
    addEventListener("theme", recolour);
    document.fonts?.ready.then(() => c.paint());
    return () => {
      c.stop();
      clearTimeout(timer);
      sized.disconnect();
      removeEventListener("theme", recolour);
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
    if (state.slice) {
      setTab("slice");
      (async () => {
        const s = await source.slice(+state.slice),
          near = s.call >= 0 ? [s.call] : s.work.slice(0, 20);
        if (live) setSlice(s);
        const l = await Promise.all(near.map(k => source.slice(k)));
        if (live) setLinks(l);
      })().catch(e => live && setError(e.message));
    }
    return () => {
      live = false;
    };
  }, [state.slice]);
  useEffect(() => {
    let live = true;
    setSums(null);
    setSumError("");
    if (chosen) {
      setTab("area");
      source.aggregate(chosen.a, chosen.b, leaves()).then(
        v => live && setSums(v),
        e => live && setSumError(e.message),
      );
    }
    return () => {
      live = false;
    };
  }, [state.select, places]);
  const bright = useMemo(
    () => (state.name ? pattern(exactly(state.name)) : found ? pattern(state.q) : null),
    [state.name, state.q, found],
  );
  useEffect(() => {
    const c = chart.current!;
    c.slice = slice;
    c.links = links;
    c.chosen = chosen;
    c.found = bright;
    c.by = by;
    c.notes = notes;
    c.paint();
  });
  useEffect(() => {
    // what is typed is counted, and marked in the strip
    const q = state.q ?? "";
    if (!q) {
      setFound(null);
      setHits([]);
      return;
    }
    let live = true;
    const t = setTimeout(() => {
      source.search(q, -1, false).then(
        async v => {
          if (!live) return;
          setFound(v);
          setError("");
          const out: number[] = [];
          let next = v.next,
            n = 0;
          while (live && next && n++ < 60) {
            out.push(next.start);
            next = (await source.search(q, Math.max(next.end, next.start + source.span / 120), false)).next;
          }
          if (live) setHits(out);
        },
        e => live && setError(e.message),
      );
    }, 180);
    return () => {
      live = false;
      clearTimeout(t);
    };
  }, [state.q]);

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
  // search goes to the next match after the chosen slice, which is not found again, and around the end.
  const search = async (q: string, back = false, list = true) => {
    if (!q) {
      setFound(null);
      return;
    }
    try {
      // of the address: keys may come faster than the chosen slice
      const id = read().slice,
        now = id ? await source.slice(+id) : null,
        from = now ? now.start : back ? chart.current!.win.b : chart.current!.win.a - 1,
        v = await source.search(q, from, back, now?.id);
      if (list) {
        setFound(v);
        setTab("search");
      }
      const next = v.next ?? (await source.search(q, back ? source.span + 1 : -1, back)).next;
      if ((read().q ?? "") === q) setError(""); // else it may be that of another search
      if (next) {
        go(next);
        if (list) setTab("slice");
      }
    } catch (e) {
      fail(e as Error);
    }
  };
  const pickName = (n: { name: string; full: string }) => {
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
        typing(e) ||
        document.querySelector("dialog[open], .pop") ||
        localStorage.getItem("keys") === "off"
      )
        return;
      if (e.key.startsWith("Arrow") && e.target instanceof Element && e.target.closest(".tl-names, .drawer")) return;
      if (e.key === "p" && e.target instanceof Element && e.target.closest(".tl-name")) return;
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
          ".": () => void step(1).catch(fail),
          ",": () => void step(-1).catch(fail),
          n: () => search(state.q ?? "", false, false),
          N: () => search(state.q ?? "", true, false),
          m: () => setMeasuring(x => !x),
          c: () => setNoting(slice?.start ?? (c.win.a + c.win.b) / 2),
          r: () => slice && set({ select: `${slice.start}-${slice.end}` }),
          q: () => set({ dock: docked ? "0" : "" }, false),
          "/": () => find.current?.focus(),
          Escape: () => {
            if (measuring || c.measure) {
              setMeasuring(false);
              c.measure = null;
              c.paint();
            } else set({ slice: "", select: "", name: "", q: "" });
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
  const pointers = usePointer(chart, source, {
    choose: w => set({ select: w ? `${w.a}-${w.b}` : "", slice: "" }),
    click: id => set({ slice: id < 0 ? "" : String(id) }),
    measuring: () => measuring,
    measured: w => {
      chart.current!.measure = w;
      chart.current!.paint();
    },
  });
  const c = chart.current,
    win = c?.win ?? pair(state.window) ?? { a: 0, b: source.span };
  const summary =
    `Timeline of ${source.tracks.length} tracks and ${source.slices} slices. Shown: ${time(win.a)} to ${time(win.b)} of ${time(source.span)}.` +
    (slice ? ` Chosen: ${slice.name}, ${time(slice.end - slice.start)}.` : "");
  const near = hits.length && slice ? hits.filter(t => t <= slice.start).length : 0;
  const count =
    checks.got?.sections.filter(
      s => s.tables.some(t => t.rows.length) && s.messages.some(m => m.type === "optimization" || m.type === "warning"),
    ).length ?? 0;
  const tabs: [Tab, string, preact.ComponentChild][] = [
    ["slice", "Slice", null],
    ["area", "Area", chosen ? <span class="mut"> {time(chosen.b - chosen.a, 3)}</span> : null],
    ["search", "Search", found ? <span class="mut"> {found.total}</span> : null],
    ["findings", "Findings", count ? <span class="cnt"> {count}</span> : null],
    ["notes", "Notes", notes.length ? <span class="mut"> {notes.length}</span> : null],
  ];
  const resize = (e: PointerEvent) => {
    const d = (e.currentTarget as HTMLElement).parentElement!,
      from = d.clientHeight + e.clientY;
    const drag = (m: PointerEvent) =>
      d.style.setProperty("--drawer-h", Math.max(80, Math.min(innerHeight * 0.7, from - m.clientY)) + "px");
    const end = () => {
      removeEventListener("pointermove", drag);
      removeEventListener("pointerup", end);
    };
    addEventListener("pointermove", drag);
    addEventListener("pointerup", end);
  };
  return (
    <div
      class={"tl" + (right && docked ? " right" : "")}
      id="page"
      data-page="timeline"
      data-tracks={source.tracks.length}
    >
      <div class="tb tl-tools">
        <h1 class="sr">Timeline</h1>
        <label class="inp">
          <Icon name="search" size="s" />
          <input
            ref={find}
            type="search"
            data-find
            aria-label="Search slices"
            placeholder="Search slices"
            value={state.q ?? ""}
            onInput={e => set({ q: e.currentTarget.value }, false)}
            onKeyDown={e => {
              if (e.key === "Enter") search(e.currentTarget.value, e.shiftKey);
              if (e.key === "Escape") {
                e.stopPropagation();
                if (state.q) set({ q: "", name: "" }, false);
                else e.currentTarget.blur();
              }
            }}
          />
          {found ? (
            <span class="nx" role="status">
              {found.total ? `${near || "–"} of ${found.total}` : "none"}
            </span>
          ) : (
            <kbd>/</kbd>
          )}
          {found && found.total > 0 && (
            <span class="nx">
              <IconButton
                icon="chevron-left"
                size="s"
                label="Previous match (N)"
                onClick={() => search(state.q ?? "", true, false)}
              />
              <IconButton
                icon="chevron-right"
                size="s"
                label="Next match (n)"
                onClick={() => search(state.q ?? "", false, false)}
              />
            </span>
          )}
        </label>
        <span class="grp">
          <IconButton icon="scan" size="s" label="Show all (0)" onClick={() => c?.show(0, source.span)} />
          <IconButton
            icon="square-dashed-mouse-pointer"
            size="s"
            label="Select: drag"
            aria-pressed={!measuring}
            onClick={() => setMeasuring(false)}
          />
          <IconButton
            icon="ruler"
            size="s"
            label="Measure (m)"
            aria-pressed={measuring}
            onClick={() => setMeasuring(true)}
          />
          <IconButton
            icon="sticky-note"
            size="s"
            label="Note (c)"
            onClick={() => setNoting(slice?.start ?? (win.a + win.b) / 2)}
          />
        </span>
        <button class="btn ghost" aria-expanded={!!tracks} onClick={e => setTracks(tracks ? null : e.currentTarget)}>
          <Icon name="list-filter" size="s" /> Tracks{hidden.size > 0 && <span class="mut">{hidden.size} hidden</span>}
        </button>
        <Pick
          label="Colour"
          value={by}
          options={[
            ["kind", "Colour: kind"],
            ["name", "Colour: name"],
            ["track", "Colour: stream"],
          ]}
          pick={x => set({ by: x === "kind" ? "" : x }, false)}
        />
        {state.name && (
          <span class="chip">
            only bright: {state.name.slice(0, 40)}{" "}
            <IconButton icon="x" size="xs" label="All bright" onClick={() => set({ name: "" }, false)} />
          </span>
        )}
        {!!c?.left && <span class="tag warn">{c.left} rows find no room: close some tracks</span>}
        <span class="grow" />
        <span class="tm">
          <b>
            {time(win.a)} – {time(win.b)}
          </b>{" "}
          <span class="mut">
            {time(win.b - win.a)} of {time(source.span)}
          </span>
        </span>
        {!docked && (
          <IconButton icon="panel-bottom" label="Open the drawer (q)" onClick={() => set({ dock: "" }, false)} />
        )}
      </div>
      <div class="tl-state">
        {(error || lost) && (
          <Alert
            tools={
              <button class="btn" onClick={() => (setError(""), setLost(""))}>
                Close
              </button>
            }
          >
            {error || lost}
          </Alert>
        )}
        {source.about && <Alert kind="info">{source.about}</Alert>}
        <p class="sr" aria-live="polite">
          {summary}
        </p>
      </div>
      <Minimap source={source} a={win.a} b={win.b} hits={hits} theme={theme} show={(a, b) => c?.show(a, b)} />
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
            hidden={hidden}
            share={share}
            shape={x => set(x, false)}
          />
          <canvas ref={canvas} class="tl-canvas" tabIndex={0} role="img" aria-label={summary} {...pointers} />
        </div>
        <div
          class="tl-space"
          style={{
            height: `${Math.max(0, places.height + places.pinnedHeight + ruler + 8 - (scroller.current?.clientHeight ?? 0))}px`,
          }}
        />
      </div>
      {docked && (
        <section class="drawer" aria-label="Drawer">
          {!right && (
            <div
              class="grip"
              role="separator"
              aria-orientation="horizontal"
              aria-label="Height of the drawer"
              onPointerDown={resize}
            />
          )}
          <header>
            <div role="tablist" aria-label="Drawer">
              {tabs.map(([k, title, more]) => (
                <button
                  key={k}
                  id={"tab-" + k}
                  role="tab"
                  aria-selected={tab === k}
                  aria-controls="drawer-body"
                  onClick={() => setTab(k)}
                >
                  {title}
                  {more}
                </button>
              ))}
            </div>
            <span class="grow" />
            <IconButton
              icon={right ? "panel-bottom" : "panel-right"}
              size="s"
              label={right ? "Dock below" : "Dock right"}
              onClick={() => set({ side: right ? "below" : "right" }, false)}
            />
            <IconButton icon="x" size="s" label="Close the drawer (q)" onClick={() => set({ dock: "0" }, false)} />
          </header>
          <div class="pane2" id="drawer-body" role="tabpanel" aria-labelledby={"tab-" + tab} tabIndex={0}>
            {tab === "slice" && <Chosen source={source} slice={slice} links={links} go={go} pick={pickName} />}
            {tab === "area" &&
              (chosen ? (
                <Sums
                  rows={sums}
                  wide={chosen.b - chosen.a}
                  error={sumError}
                  pick={pickName}
                  where={`${time(chosen.a)} – ${time(chosen.b)}, all tracks in sight`}
                />
              ) : (
                <p class="mut">Drag over some time: what ran in it is added up here.</p>
              ))}
            {tab === "search" && <Found q={state.q ?? ""} found={found} pick={pickName} />}
            {tab === "findings" && <Findings d={checks.got} />}
            {tab === "notes" && (
              <Notes of={flags} go={t => c?.show(t - (win.b - win.a) / 2, t + (win.b - win.a) / 2)} />
            )}
          </div>
        </section>
      )}
      {noting !== null && (
        <Popup of={canvas.current} label="Note" close={() => setNoting(null)}>
          <form
            class="q"
            onSubmit={e => {
              e.preventDefault();
              const text = String(new FormData(e.currentTarget).get("note")).trim();
              if (text) flags.put([...notes, { at: noting, text }]);
              setNoting(null);
              setTab("notes");
            }}
          >
            <input name="note" type="text" placeholder={`Note at ${time(noting)}`} aria-label="Note" />
            <button class="btn pri">Keep</button>
          </form>
        </Popup>
      )}
      {tracks && (
        <Popup of={tracks} label="Tracks" class="cols" close={() => setTracks(null)}>
          <div class="cl">
            {source.tracks.map((t, k) => (
              <label
                key={t.key}
                title={path(source, k)}
                style={{ paddingLeft: 12 + 12 * (path(source, k).split(" › ").length - 1) + "px" }}
              >
                <input
                  type="checkbox"
                  checked={!hidden.has(t.key)}
                  onChange={() => {
                    const n = new Set(hidden);
                    if (!n.delete(t.key)) n.add(t.key);
                    set({ hide: [...n].join("|") }, false);
                  }}
                />
                {t.name}
              </label>
            ))}
          </div>
        </Popup>
      )}
    </div>
  );
}
