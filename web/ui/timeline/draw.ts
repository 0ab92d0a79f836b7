import { kind, middle, plainName, short } from "../names";
import { ticks as round } from "../num";
import { colours } from "./colour";
import { type Items, type Sample, type Slice, rowKey, time } from "./model";
import { type Layout, type Line, rowHeight } from "./layout";

export interface Window {
  a: number;
  b: number;
}
export interface Mark {
  at: number;
  text: string;
}
export type By = "kind" | "name" | "track";
export interface Scene {
  wide: number;
  high: number;
  top: number; // CSS pixels; top: how far it is scrolled
  win: Window;
  layout: Layout;
  rows: Map<number, Items>;
  counters: Map<number, Sample[]>;
  range: (track: number) => [number, number];
  kind: (track: number) => string;
  curves: (track: number) => number[];
  waits: (track: number) => number[];
  chosen: Window | null;
  slice: Slice | null;
  links: Slice[];
  found: RegExp | null;
  by: By;
  cursor: number;
  measure: Window | null;
  notes: Mark[];
}

export const ruler = 24;

// hue is the number of a name that the server gives to slices of that name.
const hues = new Map<string, number>(),
  utf8 = new TextEncoder();
export function hue(name: string): number {
  let k = hues.get(name);
  if (k === undefined) {
    k = 2166136261;
    for (const b of utf8.encode(name)) k = Math.imul(k ^ b, 16777619);
    k = (k >>> 9) & 127;
    hues.set(name, k);
  }
  return k;
}

// waiting tells calls in which the host does nothing but wait.
export const waiting = (name: string): boolean =>
  /Synchronize|StreamWait|EventWait|hipDeviceSync|clFinish|WaitForEvents/i.test(name);

// colour is the category of a slice: of kernels what they are for; of calls whether they wait;
// of other rows the name.
function colour(s: Scene, track: number, name: string, h: number): number {
  if (s.by === "track") return 1 + (track % 6);
  const k = s.kind(track);
  if (s.by === "kind" && k === "stream") return kind(name);
  if (s.by === "kind" && k === "api") return waiting(name) ? 2 : 7;
  const same = plainName(name);
  return [6, 3, 5, 4, 1, 7][(same === name ? h : hue(same)) % 6];
}

// place is where an item is, in pixels.
export function place(s: Scene, v: Items, i: number): [number, number] {
  const scale = s.wide / (s.win.b - s.win.a),
    unit = (v.t1 - v.t0) / 65535;
  return [(v.t0 + v.x[i] * unit - s.win.a) * scale, v.wide[i] * unit * scale];
}

export const top = (s: Scene, l: Line) => ruler + (l.pinned ? l.y : s.layout.pinnedHeight + l.y - s.top);
export const shown = (s: Scene, l: Line) =>
  top(s, l) < s.high && top(s, l) + l.height > ruler + (l.pinned ? 0 : s.layout.pinnedHeight);

const font = '11px Inter, "Inter fallback", system-ui, sans-serif';

export function draw(g: CanvasRenderingContext2D, s: Scene, ratio: number): void {
  const c = colours();
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.fillStyle = c.bg[0];
  g.fillRect(0, 0, s.wide, s.high);
  g.font = font;
  g.textBaseline = "middle";
  grid(g, s);
  const edge = ruler + s.layout.pinnedHeight;
  part(g, s, s.layout.pinned, ruler, edge);
  part(g, s, s.layout.lines, edge, s.high);
  if (s.layout.pinned.length) {
    g.fillStyle = c.edge;
    g.fillRect(0, edge - 1, s.wide, 1);
  }
  if (s.chosen) band(g, s, s.chosen, c.accent);
  if (s.measure) band(g, s, s.measure, c.worse);
  arrows(g, s);
  axis(g, s);
  flags(g, s);
}

const stepOf = (s: Scene): { at: number[]; step: number } => {
  const at = round(s.win.a, s.win.b, false, Math.max(2, s.wide / 110));
  return { at, step: at.length > 1 ? at[1] - at[0] : s.win.b - s.win.a };
};
const x = (s: Scene, t: number) => ((t - s.win.a) * s.wide) / (s.win.b - s.win.a);

function grid(g: CanvasRenderingContext2D, s: Scene): void {
  g.fillStyle = colours().line;
  for (const t of stepOf(s).at) g.fillRect(Math.round(x(s, t)), ruler, 1, s.high);
}

function part(g: CanvasRenderingContext2D, s: Scene, lines: Line[], from: number, to: number): void {
  const c = colours();
  g.save();
  g.beginPath();
  g.rect(0, from, s.wide, to - from);
  g.clip();
  for (const l of lines) {
    if (!shown(s, l)) continue;
    const y = top(s, l);
    if (l.group && !l.rows) {
      g.globalAlpha = 0.75;
      g.fillStyle = c.bg[1];
      g.fillRect(0, y, s.wide, l.height);
      g.globalAlpha = 1;
      if (s.kind(l.track) === "device") load(g, s, l.track, y, l.height);
      if (s.kind(l.track) === "process") waits(g, s, l.track, y, l.height);
    }
    g.fillStyle = c.line;
    g.fillRect(0, y + l.height - 1, s.wide, 1);
    for (let d = 0; d < l.rows; d++) {
      const v = s.rows.get(rowKey(l.track, d)),
        ry = y + 2 + d * rowHeight;
      if (v && ry < to && ry + rowHeight > from) row(g, s, v, ry, l.track);
    }
    const n = s.counters.get(l.track);
    if (n) area(g, s, n, s.range(l.track), y, l.height);
  }
  g.restore();
}

// load is how busy the streams of a GPU are, over the window: the curve of its group.
function load(g: CanvasRenderingContext2D, s: Scene, track: number, y: number, h: number): void {
  const c = colours(),
    step = 3,
    n = Math.ceil(s.wide / step),
    bins = new Float32Array(n);
  for (const t of s.curves(track))
    for (let d = 0; d < 64; d++) {
      const v = s.rows.get(rowKey(t, d));
      if (!v) {
        if (d > 3) break;
        continue;
      }
      for (let i = 0; i < v.x.length; i++) {
        const [a, w] = place(s, v, i),
          x0 = Math.max(0, a / step),
          x1 = Math.min(n, (a + w) / step),
          busy = v.one[i] ? 1 : v.density[i] / 255;
        for (let k = Math.floor(x0); k < Math.min(n, Math.ceil(x1)); k++)
          bins[k] += busy * Math.max(0, Math.min(x1, k + 1) - Math.max(x0, k));
      }
    }
  g.fillStyle = c.c[1];
  g.globalAlpha = 0.38;
  for (let k = 0; k < n; k++) {
    const b = Math.min(1, bins[k]) * (h - 5);
    if (b > 0) g.fillRect(k * step, y + h - 1 - b, step, b);
  }
  g.globalAlpha = 1;
}

// waits are the calls of a process in which it waits.
function waits(g: CanvasRenderingContext2D, s: Scene, track: number, y: number, h: number): void {
  const c = colours();
  for (const t of s.waits(track)) {
    const v = s.rows.get(rowKey(t, 0));
    if (!v) continue;
    for (let i = 0; i < v.x.length; i++) {
      const name = v.names[v.name[i]] ?? "";
      if (!v.one[i] || !waiting(name)) continue;
      const [a, w] = place(s, v, i);
      if (a > s.wide || a + w < 0) continue;
      g.globalAlpha = 0.55;
      g.fillStyle = c.s[2];
      g.fillRect(Math.max(0, a), y + 8, Math.max(1, Math.min(s.wide, a + w) - Math.max(0, a)), h - 16);
      g.globalAlpha = 1;
      if (w > 60) {
        g.fillStyle = c.fg[2];
        g.fillText(`waits ${time((v.wide[i] * (v.t1 - v.t0)) / 65535, 3)}`, Math.max(0, a) + 5, y + h / 2 + 0.5);
      }
    }
  }
}

function row(g: CanvasRenderingContext2D, s: Scene, v: Items, y: number, track: number): void {
  const c = colours(),
    h = rowHeight - 3,
    unit = (v.t1 - v.t0) / 65535;
  for (let i = 0; i < v.x.length; i++) {
    let [px, w] = place(s, v, i);
    if (px > s.wide || px + w < 0) continue;
    w = Math.max(1, w);
    const name = v.names[v.name[i]] ?? "",
      dim = s.found !== null && !s.found.test(name);
    g.globalAlpha = dim ? 0.22 : 1;
    g.fillStyle = c.s[colour(s, track, name, v.hue[i])];
    if (!v.one[i]) {
      // several: striped as closely as they are busy
      const full = g.globalAlpha,
        share = v.density[i] / 255;
      g.globalAlpha = full * 0.35;
      g.fillRect(px, y, w, h);
      g.globalAlpha = full;
      if (w < 3) g.fillRect(px, y + h * (1 - share), w, h * share);
      else for (let k = 0; k < w; k += 3) g.fillRect(px + k, y, Math.min(w - k, Math.max(0.6, 3 * share)), h);
      continue;
    }
    if (w > 5) {
      g.beginPath();
      g.roundRect(px, y, w - 0.5, h, 2.5);
      g.fill();
    } else g.fillRect(px, y, w > 2 ? w - 0.5 : w, h);
    const left = Math.max(0, px),
      room = Math.min(px + w, s.wide) - left;
    if (room > 34 && name) {
      const text = s.kind(track) === "stream" ? short(name) : plainName(name), // both show what would turn the text around
        dur = time(v.wide[i] * unit, 3),
        dw = dur.length * 6 + 8,
        wants = text.length * 6.1 + 8,
        both = room > wants + dw || (room > 130 && room > dw + 60);
      g.fillStyle = c.on;
      g.fillText(middle(text, Math.floor((room - 8 - (both ? dw : 0)) / 6.1)), left + 5, y + h / 2 + 0.5);
      if (both) {
        g.globalAlpha *= 0.8;
        g.textAlign = "right";
        g.fillText(dur, left + room - 5, y + h / 2 + 0.5);
        g.textAlign = "left";
      }
    }
    g.globalAlpha = 1;
    if (s.slice?.id === v.value[i]) {
      g.strokeStyle = c.fg[1];
      g.lineWidth = 2;
      g.beginPath();
      g.roundRect(px + 1, y + 1, Math.max(1, w - 2.5), h - 2, 2);
      g.stroke();
    }
  }
  g.globalAlpha = 1;
}

function area(
  g: CanvasRenderingContext2D,
  s: Scene,
  v: Sample[],
  [low, high]: [number, number],
  y: number,
  height: number,
): void {
  const c = colours(),
    base = Math.min(0, low),
    scale = (height - 6) / Math.max(1e-9, high - base),
    at = (n: number) => y + height - 2 - (n - base) * scale;
  const line = (of: (v: Sample) => number) =>
    v.forEach((n, i) => {
      g.lineTo(x(s, n.at), at(of(n)));
      g.lineTo(i + 1 < v.length ? x(s, v[i + 1].at) : s.wide, at(of(n)));
    });
  g.beginPath();
  g.moveTo(x(s, v[0]?.at ?? 0), at(base));
  line(n => n.max);
  g.lineTo(s.wide, at(base));
  g.fillStyle = c.accent;
  g.globalAlpha = 0.16;
  g.fill();
  g.globalAlpha = 1;
  g.beginPath();
  line(n => n.mean);
  g.strokeStyle = c.accent;
  g.lineWidth = 1;
  g.stroke();
}

function pill(
  g: CanvasRenderingContext2D,
  s: Scene,
  text: string,
  mid: number,
  y: number,
  ground: string,
  ink: string,
): void {
  g.font = "600 " + font;
  const w = g.measureText(text).width + 14,
    l = Math.max(2, Math.min(s.wide - w - 2, mid - w / 2));
  g.fillStyle = ground;
  g.beginPath();
  g.roundRect(l, y, w, 17, 8);
  g.fill();
  g.fillStyle = ink;
  g.fillText(text, l + 7, y + 9);
  g.font = font;
}

function band(g: CanvasRenderingContext2D, s: Scene, w: Window, colour: string): void {
  const a = x(s, w.a),
    b = x(s, w.b);
  g.fillStyle = colour;
  g.globalAlpha = 0.12;
  g.fillRect(a, ruler, b - a, s.high);
  g.globalAlpha = 1;
  g.fillRect(a, ruler, 1, s.high);
  g.fillRect(b, ruler, 1, s.high);
}

// spot is the middle of a slice's row, or null where its track is not shown.
function spot(s: Scene, v: Slice): number | null {
  const l = [...s.layout.pinned, ...s.layout.lines].find(l => l.track === v.track && shown(s, l));
  return l ? top(s, l) + 2 + Math.min(v.depth, Math.max(0, l.rows - 1)) * rowHeight + rowHeight / 2 : null;
}

// arrows lead from the call to the work it caused.
function arrows(g: CanvasRenderingContext2D, s: Scene): void {
  if (!s.slice) return;
  g.strokeStyle = g.fillStyle = colours().worse;
  g.lineWidth = 1.5;
  for (const o of s.links) {
    const [from, to] = o.id === s.slice.call ? [o, s.slice] : [s.slice, o];
    const y0 = spot(s, from),
      y1 = spot(s, to);
    if (y0 === null || y1 === null) continue;
    const x0 = x(s, from.end),
      x1 = x(s, to.start),
      bend = Math.max(20, Math.abs(x1 - x0) / 2);
    if (Math.max(x0, x1) < -1e5 || Math.min(x0, x1) > 1e5) continue;
    g.beginPath();
    g.moveTo(x0, y0);
    g.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
    g.stroke();
    g.beginPath();
    g.moveTo(x1, y1);
    g.lineTo(x1 - 7, y1 - 4);
    g.lineTo(x1 - 7, y1 + 4);
    g.fill();
  }
}

function axis(g: CanvasRenderingContext2D, s: Scene): void {
  const c = colours();
  g.fillStyle = c.bg[0];
  g.fillRect(0, 0, s.wide, ruler);
  g.fillStyle = c.line;
  g.fillRect(0, ruler - 1, s.wide, 1);
  const { at, step } = stepOf(s);
  for (const t of at) {
    g.fillStyle = c.edge;
    g.fillRect(Math.round(x(s, t)), ruler - 5, 1, 5);
    g.fillStyle = c.fg[2];
    g.fillText(label(t, step), x(s, t) + 4, ruler / 2);
  }
  for (const w of [s.chosen, s.measure])
    if (w) pill(g, s, time(w.b - w.a), (x(s, w.a) + x(s, w.b)) / 2, 3, w === s.chosen ? c.accent : c.worse, c.bg[0]);
  if (s.cursor >= 0) {
    g.fillStyle = c.fg[3];
    g.globalAlpha = 0.5;
    g.fillRect(s.cursor, ruler, 1, s.high);
    g.globalAlpha = 1;
    pill(
      g,
      s,
      label(s.win.a + (s.cursor / s.wide) * (s.win.b - s.win.a), (s.win.b - s.win.a) / s.wide),
      s.cursor,
      3,
      c.fg[1],
      c.bg[0],
    );
  }
}

// flags are the notes.
function flags(g: CanvasRenderingContext2D, s: Scene): void {
  const c = colours();
  for (const n of s.notes) {
    const at = x(s, n.at);
    if (at < -20 || at > s.wide + 20) continue;
    g.fillStyle = c.heat;
    g.fillRect(at, ruler - 2, 1, s.high);
    g.beginPath();
    g.moveTo(at - 5, ruler - 8);
    g.lineTo(at + 5, ruler - 8);
    g.lineTo(at, ruler - 1);
    g.fill();
    pill(g, s, middle(n.text, 30), at + 10 + n.text.slice(0, 30).length * 3, 2, c.bg[2], c.fg[1]);
  }
}

// label writes a time with as many digits as the step between two needs.
function label(t: number, step: number): string {
  const [unit, size] =
    t >= 1e9
      ? (["s", 1e9] as const)
      : t >= 1e6
        ? (["ms", 1e6] as const)
        : t >= 1e3
          ? (["µs", 1e3] as const)
          : (["ns", 1] as const);
  return `${(t / size).toFixed(Math.max(0, Math.min(9, Math.ceil(Math.log10(size / Math.max(step, 1e-9)) - 1e-9))))} ${unit}`;
}
