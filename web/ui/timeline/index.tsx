import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type File, saved } from "../api";
import { set, useAddress } from "../state";
import { Chart, type Spot } from "./chart";
import { type Line, layout, path } from "./layout";
import { type Named, type Slice, Source, exactly, time } from "./model";
import { Drawer, Found, Minimap, Sums } from "./panels";
import { ruler } from "./draw";

// Timeline shows what happened when.
export function Timeline({ file }: { file: File }) {
  const [source, setSource] = useState<Source | null>(null), [error, setError] = useState(""), [done, setDone] = useState(0);
  useEffect(() => {
    let live = true;
    setSource(null); setError("");
    if (saved) { setError("A saved page has no timeline: open the file itself."); return; }
    new Source(file.id).open(d => live && setDone(d)).then(s => live && setSource(s), e => live && setError(e.message));
    return () => { live = false; };
  }, [file.id]);
  if (error) return <p role="alert" class="error">{error}</p>;
  if (!source) return <p role="status">Reading the timeline of {file.name}… <progress value={done} aria-label="How much is read" /></p>;
  if (!source.tracks.length) return <p class="empty">{file.name} has no slices and no counters.</p>;
  return <Board key={file.id} source={source} />;
}

const split = (s: string | undefined) => new Set((s ?? "").split("|").filter(Boolean));
const pair = (s: string | undefined) => {
  const m = /^(\d+)-(\d+)$/.exec(s ?? "");
  return m && +m[2] > +m[1] ? { a: +m[1], b: +m[2] } : null;
};

function Board({ source }: { source: Source }) {
  const state = useAddress(), canvas = useRef<HTMLCanvasElement>(null), scroller = useRef<HTMLDivElement>(null), find = useRef<HTMLInputElement>(null), chart = useRef<Chart | undefined>(undefined);
  const [, redraw] = useState(0), [slice, setSlice] = useState<Slice | null>(null), [links, setLinks] = useState<Slice[]>([]), [hover, setHover] = useState<Hover | null>(null);
  const [error, setError] = useState(""), [sums, setSums] = useState<Named[] | null>(null), [sumError, setSumError] = useState(""), [found, setFound] = useState<{ total: number; names: Named[] } | null>(null);
  const shut = useMemo(() => split(state.shut), [state.shut]), pins = useMemo(() => split(state.pins), [state.pins]);
  const chosen = pair(state.select), dark = isDark(state.theme);
  const places = useMemo(() => layout(source, shut, pins, state.filter ?? ""), [source, shut, pins, state.filter]);
  const leaves = () => [...new Set([...places.lines, ...places.pinned].filter(l => l.rows > 0).map(l => l.track))];

  useEffect(() => { // once: the chart, and what follows the size of the window
    const c = chart.current = new Chart(canvas.current!, source);
    let timer = 0;
    c.win = pair(new URLSearchParams(location.hash.slice(1)).get("window") ?? "") ?? c.win;
    c.failed = setError;
    c.moved = () => {
      redraw(n => n + 1);
      clearTimeout(timer);
      timer = window.setTimeout(() => set({ window: `${c.win.a}-${c.win.b}` }, false), 150);
    };
    const sized = new ResizeObserver(() => { c.paint(); c.ask(); });
    sized.observe(canvas.current!);
    const theme = matchMedia("(prefers-color-scheme: dark)"), themed = () => redraw(n => n + 1);
    theme.addEventListener("change", themed);
    return () => { c.stop(); clearTimeout(timer); sized.disconnect(); theme.removeEventListener("change", themed); };
  }, [source]);
  useEffect(() => { // the address moved: back, forward, a link
    const c = chart.current!, w = pair(state.window) ?? { a: 0, b: source.span };
    if (w.a !== c.win.a || w.b !== c.win.b) c.show(w.a, w.b);
  }, [state.window]);
  useEffect(() => { const c = chart.current!; c.layout = places; c.paint(); c.ask(); }, [places]);
  useEffect(() => {
    let live = true;
    setSlice(null); setLinks([]);
    if (state.slice) (async () => {
      const s = await source.slice(+state.slice), near = s.call >= 0 ? [s.call] : s.work.slice(0, 20);
      if (live) setSlice(s);
      const l = await Promise.all(near.map(k => source.slice(k)));
      if (live) setLinks(l);
    })().catch(e => live && setError(e.message));
    return () => { live = false; };
  }, [state.slice]);
  useEffect(() => {
    let live = true;
    setSums(null); setSumError("");
    if (chosen) source.aggregate(chosen.a, chosen.b, leaves()).then(v => live && setSums(v), e => live && setSumError(e.message));
    return () => { live = false; };
  }, [state.select, places]);
  useEffect(() => {
    const c = chart.current!;
    c.slice = slice; c.links = links; c.chosen = chosen; c.dark = dark; c.found = state.name ?? null;
    c.paint();
  });

  const go = (s: Slice) => { // to a slice, zoomed so that it is seen
    const c = chart.current!, wide = c.win.b - c.win.a, long = s.end - s.start;
    if (s.start < c.win.a || s.end > c.win.b || long < wide / 200) {
      const room = Math.max(long * 20, 200, Math.min(wide, long * 100)), mid = (s.start + s.end) / 2;
      c.show(mid - room / 2, mid + room / 2);
    }
    const t = source.tracks[s.track], closed = new Set(shut);
    for (let k = s.track; k >= 0; k = source.tracks[k].parent) closed.delete(source.tracks[k].key);
    set({ slice: String(s.id), shut: [...closed].join("|") });
    const l = places.lines.find(l => l.track === s.track), e = scroller.current;
    if (l && e && t && !pins.has(t.key) && (l.y < e.scrollTop || l.y + l.height > e.scrollTop + e.clientHeight - places.pinnedHeight - ruler)) e.scrollTop = Math.max(0, l.y - e.clientHeight / 3);
  };
  const step = (by: number) => { // to the neighbour in the row of the chosen slice
    if (!slice) return;
    const id = slice.id + by;
    if (id >= 0 && id < source.slices) source.slice(id).then(s => s.track === slice.track && s.depth === slice.depth && go(s), e => setError(e.message));
  };
  const search = (q: string, back = false, list = true) => {
    if (!q) { setFound(null); return; }
    const from = slice ? slice.start : back ? chart.current!.win.b : chart.current!.win.a - 1;
    source.search(q, from, back).then(async v => {
      if (list) setFound(v);
      const next = v.next ?? (await source.search(q, back ? source.span + 1 : -1, back)).next; // around the end
      if (next) go(next);
      setError(v.total ? "" : `no slice is named like ${q}`);
    }, e => setError(e.message));
  };
  const pickName = (name: string) => { set({ name }, false); search(exactly(name), false, false); };
  const fit = () => {
    const c = chart.current!, w = chosen ?? (slice ? { a: slice.start - (slice.end - slice.start) * 0.1, b: slice.end + (slice.end - slice.start) * 0.1 } : { a: 0, b: source.span });
    c.show(w.a, w.b);
  };
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (e.ctrlKey || e.metaKey || e.altKey || e.target instanceof HTMLInputElement || e.target instanceof HTMLTextAreaElement || e.target instanceof HTMLSelectElement) return;
      const c = chart.current!, does: Record<string, () => void> = {
        w: () => c.zoom(1 / 1.5), s: () => c.zoom(1.5), a: () => c.pan(-0.2), d: () => c.pan(0.2), ArrowLeft: () => c.pan(-0.2), ArrowRight: () => c.pan(0.2), "+": () => c.zoom(1 / 1.5), "-": () => c.zoom(1.5),
        W: () => c.zoom(1 / 4), S: () => c.zoom(4), A: () => c.pan(-1), D: () => c.pan(1), f: fit, F: fit, "0": () => c.show(0, source.span), ".": () => step(1), ",": () => step(-1),
        n: () => search(state.q ?? "", false, false), N: () => search(state.q ?? "", true, false), "/": () => find.current?.focus(),
        Escape: () => { set({ slice: "", select: "", name: "" }); setFound(null); },
      };
      if (!Object.hasOwn(does, e.key)) return;
      if (e.key !== "Escape") { e.preventDefault(); e.stopPropagation(); }
      does[e.key]();
    };
    addEventListener("keydown", key, true);
    return () => removeEventListener("keydown", key, true);
  });
  const pointers = usePointer(chart, source, setHover, w => set({ select: w ? `${w.a}-${w.b}` : "", slice: "" }), id => set({ slice: id < 0 ? "" : String(id) }));
  const c = chart.current, win = c?.win ?? pair(state.window) ?? { a: 0, b: source.span };
  const flip = (what: "shut" | "pins", of: Set<string>, key: string) => { const n = new Set(of); n.has(key) ? n.delete(key) : n.add(key); set({ [what]: [...n].join("|") }, false); };
  const names = (l: Line) => {
    const t = source.tracks[l.track], y = ruler + (l.pinned ? l.y : places.pinnedHeight + l.y - (c?.scroll ?? 0));
    if (y > 4000 || !l.pinned && y + l.height < ruler + places.pinnedHeight) return null;
    return <div role="treeitem" aria-level={l.level + 1} aria-expanded={!l.shut} data-track={l.track} class={"tl-name" + (l.pinned ? " pinned" : "")} title={path(source, l.track)}
      style={{ top: `${y}px`, height: `${l.height}px`, paddingLeft: `${l.level * 12 + 2}px` }}>
      <button class="link" aria-label={(l.shut ? "Open " : "Close ") + t.name} onClick={() => flip("shut", shut, t.key)}>{l.shut ? "▸" : "▾"}</button>
      <span>{l.pinned ? path(source, l.track) : t.name}</span>
      {t.kind === "counter" && <small>{t.max}</small>}
      {!l.group && <button class="link" aria-label={(pins.has(t.key) ? "Unpin " : "Pin ") + t.name} aria-pressed={pins.has(t.key)} onClick={() => flip("pins", pins, t.key)}>{pins.has(t.key) ? "★" : "☆"}</button>}</div>;
  };
  const summary = `Timeline of ${source.tracks.length} tracks and ${source.slices} slices. Shown: ${time(win.a)} to ${time(win.b)} of ${time(source.span)}.` + (slice ? ` Chosen: ${slice.name}, ${time(slice.end - slice.start)}.` : "");
  return <div class="tl" data-tracks={source.tracks.length}>
    <div class="tl-tools"><input ref={find} type="search" aria-label="Search slices" placeholder="Search slices ( / )" value={state.q ?? ""} onInput={e => set({ q: e.currentTarget.value }, false)}
      onKeyDown={e => { if (e.key === "Enter") search(e.currentTarget.value, e.shiftKey); if (e.key === "Escape") e.currentTarget.blur(); }} />
      <button onClick={() => c?.zoom(1 / 1.5)} aria-label="Zoom in">+</button><button onClick={() => c?.zoom(1.5)} aria-label="Zoom out">−</button><button onClick={() => c?.show(0, source.span)}>All ( 0 )</button>
      <span>{time(win.a)} – {time(win.b)} <small>({time(win.b - win.a)})</small></span>
      {state.name && <span>only bright: {state.name} <button onClick={() => set({ name: "" }, false)}>×</button></span>}
      {!!c?.left && <span class="more">{c.left} rows find no room: close some tracks</span>}
      <small class="tl-keys"><kbd>w</kbd><kbd>a</kbd><kbd>s</kbd><kbd>d</kbd> or <kbd>Ctrl</kbd>+wheel move, drag selects, <kbd>f</kbd> fits, <kbd>,</kbd> <kbd>.</kbd> neighbours, <kbd>/</kbd> search, <kbd>Esc</kbd> clears</small></div>
    <Minimap source={source} a={win.a} b={win.b} dark={dark} show={(a, b) => c?.show(a, b)} />
    {error && <p role="alert" class="error">{error}</p>}
    <p class="tl-summary" aria-live="polite">{summary}</p>
    <div class="tl-scroll" ref={scroller} onScroll={e => { if (c) { c.scroll = e.currentTarget.scrollTop; c.paint(); c.ask(); redraw(n => n + 1); } }}>
      <div class="tl-stick"><div class="tl-names" role="tree" aria-label="Tracks">{places.lines.map(names)}{places.pinned.map(names)}<div class="tl-corner" /></div>
        <canvas ref={canvas} class="tl-canvas" tabIndex={0} role="img" aria-label={summary} {...pointers} />
        {hover && <Card source={source} hover={hover} />}</div>
      <div class="tl-space" style={{ height: `${places.height + places.pinnedHeight + ruler + 8}px` }} /></div>
    {slice && <Drawer source={source} slice={slice} links={links} go={go} close={() => set({ slice: "" })} />}
    {chosen && <Sums rows={sums} wide={chosen.b - chosen.a} error={sumError} pick={pickName} close={() => set({ select: "" })} />}
    {found && <Found total={found.total} names={found.names} pick={pickName} close={() => setFound(null)} />}</div>;
}

function isDark(theme: string | undefined): boolean {
  return theme === "dark" || theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches;
}

interface Hover { x: number; y: number; spot: Spot | null; sample: string; slice: Slice | null; line: Line }

function Card({ source, hover: h }: { source: Source; hover: Hover }) {
  const s = h.spot, left = `${Math.max(4, h.x + 14)}px`, top = `${h.y + 16}px`;
  if (!s) return <div class="tl-card" role="tooltip" style={{ left, top }}><b>{source.tracks[h.line.track].name}</b> {h.sample}</div>;
  const one = !!s.items.one[s.i];
  return <div class="tl-card" role="tooltip" style={{ left, top }}><b>{one ? s.name : `${s.items.value[s.i]} slices`}</b>
    <div>{one ? (h.slice ? time(h.slice.end - h.slice.start) : `about ${time(s.end - s.start)}`) : `busy ${Math.round(s.items.density[s.i] / 2.55)} % of ${time(s.end - s.start)}, longest: ${s.name}`}</div>
    <div>{time(h.slice?.start ?? s.start)} · {path(source, s.line.track)}</div></div>;
}

// usePointer makes dragging, wheel and hovering of the canvas.
function usePointer(chart: { current?: Chart }, source: Source, setHover: (h: Hover | null) => void, choose: (w: { a: number; b: number } | null) => void, click: (id: number) => void) {
  const drag = useRef<{ x: number; at: number; pan: boolean; far: boolean } | null>(null), timer = useRef(0);
  useEffect(() => { // not passive, so that the page is not zoomed too
    const c = chart.current!;
    const wheel = (e: WheelEvent) => {
      if (e.ctrlKey || e.metaKey) { e.preventDefault(); c.zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY / 200))), e.offsetX); }
      else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) { e.preventDefault(); c.pan((e.deltaX || e.deltaY) / Math.max(1, c.wide)); }
    };
    c.canvas.addEventListener("wheel", wheel, { passive: false });
    return () => c.canvas.removeEventListener("wheel", wheel);
  }, [source]);
  const hover = (c: Chart, x: number, y: number) => {
    const spot = c.pick(x, y), line = c.line(y), v = line && c.sample(line.track, c.time(x)), px = c.canvas.offsetLeft + Math.min(x, c.wide - 260);
    clearTimeout(timer.current);
    if (!line || !spot && !v) { setHover(null); return; }
    const h: Hover = { x: px, y, spot, line, slice: null, sample: v ? v.min === v.max ? `${v.mean}` : `${+v.mean.toPrecision(6)} (${v.min} to ${v.max})` : "" };
    setHover(h);
    if (spot && spot.items.one[spot.i]) timer.current = window.setTimeout(() => source.slice(spot.items.value[spot.i]).then(slice => setHover({ ...h, slice }), () => {}), 120);
  };
  return {
    onPointerDown: (e: PointerEvent) => {
      const c = chart.current!;
      if (e.button !== 0 && e.button !== 1) return;
      drag.current = { x: e.offsetX, at: c.time(e.offsetX), pan: e.shiftKey || e.button === 1, far: false };
      c.canvas.setPointerCapture(e.pointerId);
    },
    onPointerMove: (e: PointerEvent) => {
      const c = chart.current!, d = drag.current;
      if (!d) { hover(c, e.offsetX, e.offsetY); return; }
      if (Math.abs(e.offsetX - d.x) > 3) d.far = true;
      if (!d.far) return;
      const t = c.time(e.offsetX);
      if (d.pan) { c.show(c.win.a + d.at - t, c.win.b + d.at - t); return; }
      c.chosen = { a: Math.max(0, Math.min(d.at, t)), b: Math.max(d.at, t) };
      c.paint();
    },
    onPointerUp: (e: PointerEvent) => {
      const c = chart.current!, d = drag.current, t = c.time(e.offsetX);
      drag.current = null;
      if (!d || d.pan) return;
      if (d.far) { const a = Math.max(0, Math.round(Math.min(d.at, t))); choose({ a, b: Math.max(a + 1, Math.round(Math.max(d.at, t))) }); return; }
      const s = c.pick(e.offsetX, e.offsetY);
      if (s && !s.items.one[s.i]) { const room = Math.max(10, s.end - s.start) * 0.2; c.show(s.start - room, s.end + room); } // several: look closer
      else click(s ? s.items.value[s.i] : -1);
    },
    onPointerLeave: () => { clearTimeout(timer.current); setHover(null); },
  };
}
