import { type Items, type Sample, type Slice, rowKey, time } from "./model";
import { type Layout, type Line, rowHeight } from "./layout";
import { visible } from "../visible";

export interface Window {
  a: number;
  b: number;
}
export interface Scene {
  wide: number;
  high: number;
  top: number; // CSS pixels; top: how far it is scrolled
  win: Window;
  layout: Layout;
  rows: Map<number, Items>;
  counters: Map<number, Sample[]>;
  range: (track: number) => [number, number];
  chosen: Window | null;
  slice: Slice | null;
  links: Slice[];
  found: string | null;
  dark: boolean;
}

export const ruler = 22;

// Hues that people who see fewer colours can tell apart, light and dark.
const light = [
  "#8ec3ea",
  "#f5c06b",
  "#7fd0b0",
  "#f0a48a",
  "#c9b3e6",
  "#e6dc7a",
  "#a5c9a0",
  "#e5a9cd",
  "#b9c4cf",
  "#9fd8e6",
];
const dark = [
  "#2b648f",
  "#8a5a0c",
  "#1f6b50",
  "#8a422a",
  "#5b4385",
  "#6b6318",
  "#40663a",
  "#7b3f63",
  "#4d5966",
  "#28657a",
];

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
export const shade = (hue: number, isDark: boolean) => (isDark ? dark : light)[hue % light.length];

// place is where an item is, in pixels.
export function place(s: Scene, v: Items, i: number): [number, number] {
  const scale = s.wide / (s.win.b - s.win.a),
    unit = (v.t1 - v.t0) / 65535;
  return [(v.t0 + v.x[i] * unit - s.win.a) * scale, v.wide[i] * unit * scale];
}

export const top = (s: Scene, l: Line) => ruler + (l.pinned ? l.y : s.layout.pinnedHeight + l.y - s.top);
export const shown = (s: Scene, l: Line) =>
  top(s, l) < s.high && top(s, l) + l.height > ruler + (l.pinned ? 0 : s.layout.pinnedHeight);

export function draw(g: CanvasRenderingContext2D, s: Scene, ratio: number): void {
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.fillStyle = s.dark ? "#14171b" : "#ffffff";
  g.fillRect(0, 0, s.wide, s.high);
  g.font = "11px system-ui, sans-serif";
  g.textBaseline = "middle";
  const edge = ruler + s.layout.pinnedHeight;
  part(g, s, s.layout.pinned, ruler, edge);
  part(g, s, s.layout.lines, edge, s.high);
  if (s.layout.pinned.length) {
    g.fillStyle = s.dark ? "#8892a0" : "#667080";
    g.fillRect(0, edge - 1, s.wide, 2);
  }
  if (s.chosen) band(g, s, s.chosen);
  arrows(g, s);
  ticks(g, s);
}

function part(g: CanvasRenderingContext2D, s: Scene, lines: Line[], from: number, to: number): void {
  g.save();
  g.beginPath();
  g.rect(0, from, s.wide, to - from);
  g.clip();
  for (const l of lines) {
    if (!shown(s, l)) continue;
    const y = top(s, l);
    if (l.group && !l.rows) {
      g.fillStyle = s.dark ? "#22262c" : "#f0f2f5";
      g.fillRect(0, y, s.wide, l.height);
    }
    g.fillStyle = s.dark ? "#2b3037" : "#e1e4e8";
    g.fillRect(0, y + l.height - 1, s.wide, 1);
    for (let d = 0; d < l.rows; d++) {
      const v = s.rows.get(rowKey(l.track, d)),
        ry = y + 2 + d * rowHeight;
      if (v && ry < to && ry + rowHeight > from) row(g, s, v, ry);
    }
    const c = s.counters.get(l.track);
    if (c) area(g, s, c, s.range(l.track), y, l.height);
  }
  g.restore();
}

function row(g: CanvasRenderingContext2D, s: Scene, v: Items, y: number): void {
  const h = rowHeight - 2,
    ink = s.dark ? "#eef1f4" : "#111418";
  for (let i = 0; i < v.x.length; i++) {
    let [x, w] = place(s, v, i);
    if (x > s.wide || x + w < 0) continue;
    w = Math.max(1, w);
    const name = v.names[v.name[i]] ?? "";
    g.globalAlpha = s.found !== null && name !== s.found ? 0.25 : 1;
    g.fillStyle = shade(v.hue[i], s.dark);
    if (!v.one[i]) {
      // several: faint to the height of the row, solid as high as they are busy
      const full = g.globalAlpha,
        solid = Math.max(1, (h * v.density[i]) / 255);
      g.globalAlpha = full * 0.4;
      g.fillRect(x, y, w, h);
      g.globalAlpha = full;
      g.fillRect(x, y + h - solid, w, solid);
      continue;
    }
    g.fillRect(x, y, w > 3 ? w - 0.5 : w, h);
    const left = Math.max(0, x),
      room = Math.min(x + w, s.wide) - left;
    if (room > 26 && name) {
      g.fillStyle = ink;
      g.fillText(cut(visible(name), room - 6), left + 3, y + h / 2 + 0.5);
    }
    if (s.slice?.id === v.value[i]) {
      g.strokeStyle = ink;
      g.lineWidth = 2;
      g.strokeRect(x + 1, y + 1, Math.max(1, w - 2), h - 2);
    }
  }
  g.globalAlpha = 1;
}

// cut shortens a text to a width, by the mean width of a letter of the font.
const cut = (text: string, room: number) => {
  const n = Math.floor(room / 6);
  return text.length <= n ? text : n < 2 ? "" : text.slice(0, n - 1) + "…";
};

function area(
  g: CanvasRenderingContext2D,
  s: Scene,
  c: Sample[],
  [low, high]: [number, number],
  y: number,
  height: number,
): void {
  const base = Math.min(0, low),
    scale = (height - 6) / Math.max(1e-9, high - base),
    x = (t: number) => ((t - s.win.a) * s.wide) / (s.win.b - s.win.a);
  const at = (v: number) => y + height - 2 - (v - base) * scale;
  g.beginPath();
  g.moveTo(x(c[0]?.at ?? 0), at(base));
  c.forEach((v, i) => {
    g.lineTo(x(v.at), at(v.max));
    g.lineTo(i + 1 < c.length ? x(c[i + 1].at) : s.wide, at(v.max));
  });
  g.lineTo(s.wide, at(base));
  g.fillStyle = s.dark ? "#2b648f" : "#bcdcf5";
  g.fill();
  g.beginPath();
  c.forEach((v, i) => {
    g.lineTo(x(v.at), at(v.mean));
    g.lineTo(i + 1 < c.length ? x(c[i + 1].at) : s.wide, at(v.mean));
  });
  g.strokeStyle = s.dark ? "#8cc4f2" : "#0b62b8";
  g.lineWidth = 1;
  g.stroke();
}

function band(g: CanvasRenderingContext2D, s: Scene, w: Window): void {
  const scale = s.wide / (s.win.b - s.win.a),
    x = (w.a - s.win.a) * scale,
    wide = (w.b - w.a) * scale;
  g.fillStyle = s.dark ? "rgba(108,178,255,.2)" : "rgba(11,98,184,.14)";
  g.fillRect(x, 0, wide, s.high);
  g.fillStyle = s.dark ? "#6cb2ff" : "#0b62b8";
  g.fillRect(x, 0, 1, s.high);
  g.fillRect(x + wide, 0, 1, s.high);
  g.fillText(time(w.b - w.a), Math.max(4, x + 4), s.high - 10);
}

// spot is the middle of a slice's row, or null where its track is not shown.
function spot(s: Scene, v: Slice): number | null {
  const l = [...s.layout.pinned, ...s.layout.lines].find(l => l.track === v.track && shown(s, l));
  return l ? top(s, l) + 2 + Math.min(v.depth, Math.max(0, l.rows - 1)) * rowHeight + rowHeight / 2 : null;
}

// arrows lead from the call to the work it caused.
function arrows(g: CanvasRenderingContext2D, s: Scene): void {
  if (!s.slice) return;
  const x = (t: number) => ((t - s.win.a) * s.wide) / (s.win.b - s.win.a);
  g.strokeStyle = g.fillStyle = s.dark ? "#ffb15c" : "#a04a00";
  g.lineWidth = 1.5;
  for (const o of s.links) {
    const [from, to] = o.id === s.slice.call ? [o, s.slice] : [s.slice, o];
    const y0 = spot(s, from),
      y1 = spot(s, to);
    if (y0 === null || y1 === null) continue;
    const x0 = x(from.end),
      x1 = x(to.start),
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

function ticks(g: CanvasRenderingContext2D, s: Scene): void {
  g.fillStyle = s.dark ? "#22262c" : "#f3f5f7";
  g.fillRect(0, 0, s.wide, ruler);
  const rough = (s.win.b - s.win.a) / Math.max(1, s.wide / 110),
    ten = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map(k => k * ten).find(k => k >= rough) ?? ten * 10;
  for (let t = Math.ceil(s.win.a / step) * step; t <= s.win.b; t += step) {
    const x = ((t - s.win.a) * s.wide) / (s.win.b - s.win.a);
    g.fillStyle = s.dark ? "#6a7480" : "#9aa3ad";
    g.fillRect(x, 0, 1, ruler);
    g.fillStyle = s.dark ? "#dfe4ea" : "#20252b";
    g.fillText(label(t, step), x + 4, ruler / 2);
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
  return `${(t / size).toFixed(Math.max(0, Math.min(9, Math.ceil(Math.log10(size / step)))))} ${unit}`;
}
