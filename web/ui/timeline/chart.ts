import { type By, type Mark, type Scene, type Window, draw, place, ruler, shown, top } from "./draw";
import { type Layout, type Line, rowHeight } from "./layout";
import { type Items, type Sample, type Slice, type Source, rowKey } from "./model";

// A Spot is what lies under the pointer.
export interface Spot {
  line: Line;
  depth: number;
  items: Items;
  i: number;
  name: string;
  start: number;
  end: number;
}

// A Chart holds the canvas, its window of time and what the server said of it.
// One request for slices runs at a time; when it comes back the newest window is
// asked for, so that a slow answer never queues others behind it.
export class Chart {
  win: Window;
  layout: Layout = { pinned: [], pinnedHeight: 0, lines: [], height: 0 };
  scroll = 0;
  chosen: Window | null = null;
  slice: Slice | null = null;
  links: Slice[] = [];
  found: RegExp | null = null;
  by: By = "kind";
  cursor = -1; // where the pointer is, in pixels; -1: nowhere
  measure: Window | null = null;
  notes: Mark[] = [];
  curves: (group: number) => number[] = () => []; // the tracks whose load a group's row shows
  waits: (group: number) => number[] = () => [];
  merged = 1;
  left = 0;
  moved: () => void = () => {};
  failed: (words: string) => void = () => {};
  private rows = new Map<number, Items>();
  private counters = new Map<number, Sample[]>();
  private frame = 0;
  private busy = false;
  private again = false;
  private gone = false;

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly source: Source,
  ) {
    this.win = { a: 0, b: source.span };
  }

  get wide() {
    return this.canvas.clientWidth;
  }
  get high() {
    return this.canvas.clientHeight;
  }
  stop() {
    this.gone = true;
    cancelAnimationFrame(this.frame);
  }

  scene(): Scene {
    return {
      wide: this.wide,
      high: this.high,
      top: this.scroll,
      win: this.win,
      layout: this.layout,
      rows: this.rows,
      counters: this.counters,
      range: k => [this.source.tracks[k].min ?? 0, this.source.tracks[k].max ?? 0],
      chosen: this.chosen,
      slice: this.slice,
      links: this.links,
      found: this.found,
      by: this.by,
      cursor: this.cursor,
      measure: this.measure,
      notes: this.notes,
      kind: k => this.source.tracks[k].kind,
      curves: this.curves,
      waits: this.waits,
    };
  }

  // paint draws in the next frame.
  paint(): void {
    if (this.frame || this.gone) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      const ratio = devicePixelRatio || 1,
        w = Math.round(this.wide * ratio),
        h = Math.round(this.high * ratio);
      if (this.canvas.width !== w || this.canvas.height !== h) {
        this.canvas.width = w;
        this.canvas.height = h;
      }
      const g = this.canvas.getContext("2d");
      if (g) draw(g, this.scene(), ratio);
    });
  }

  // show moves the window, within the file and no narrower than 20 ns.
  show(a: number, b: number): void {
    const span = this.source.span,
      wide = Math.min(span, Math.max(Math.min(20, span), b - a));
    const mid = (a + b) / 2,
      from = Math.max(0, Math.min(span - wide, mid - wide / 2));
    this.win = { a: Math.round(from), b: Math.max(Math.round(from) + 1, Math.round(from + wide)) };
    this.paint();
    this.ask();
    this.moved();
  }

  zoom(by: number, x = this.wide / 2): void {
    const at = this.time(x),
      { a, b } = this.win;
    this.show(at - (at - a) * by, at + (b - at) * by);
  }

  pan(part: number): void {
    const d = (this.win.b - this.win.a) * part;
    this.show(this.win.a + d, this.win.b + d);
  }

  time(x: number): number {
    return this.win.a + (x / Math.max(1, this.wide)) * (this.win.b - this.win.a);
  }

  // ask brings the slices of the tracks on the screen.
  ask(): void {
    if (this.busy) {
      this.again = true;
      return;
    }
    const s = this.scene(),
      lines = [...this.layout.pinned, ...this.layout.lines].filter(l => shown(s, l));
    const groups = lines.filter(l => !l.rows).flatMap(l => [...this.curves(l.track), ...this.waits(l.track)]);
    const tracks = [...new Set([...lines.filter(l => l.rows > 0).map(l => l.track), ...groups])].slice(0, 400);
    const counters = [...new Set(lines.map(l => l.track).filter(k => this.source.tracks[k].kind === "counter"))];
    if ((!tracks.length && !counters.length) || this.wide < 1) return;
    this.busy = true;
    this.again = false;
    const { a, b } = this.win,
      pixels = this.wide;
    Promise.all([
      tracks.length ? this.source.view(a, b, pixels, tracks) : null,
      Promise.all(counters.map(k => this.source.counter(k, a, b, pixels))),
    ])
      .then(
        ([v, c]) => {
          for (const k of tracks) for (let d = 0; d < this.source.tracks[k].rows; d++) this.rows.delete(rowKey(k, d));
          v?.rows.forEach((items, k) => this.rows.set(k, items));
          this.merged = v?.merged ?? 1;
          this.left = v?.left ?? 0;
          counters.forEach((k, i) => this.counters.set(k, c[i]));
          this.canvas.dataset.drawn = String(+(this.canvas.dataset.drawn ?? 0) + 1);
          this.failed("");
          this.paint();
        },
        e => this.failed(e.message),
      )
      .finally(() => {
        this.busy = false;
        if (this.again && !this.gone) this.ask();
      });
  }

  // edge is the nearest beginning or end of a slice to a place, else the place itself: where measures stick.
  edge(x: number, y: number): number {
    const l = this.line(y),
      t = this.time(x);
    if (!l) return t;
    let best = t,
      near = 8;
    for (let d = 0; d < l.rows; d++) {
      const v = this.rows.get(rowKey(l.track, d));
      if (!v) continue;
      const s = this.scene();
      for (let i = 0; i < v.x.length; i++) {
        const [a, w] = place(s, v, i);
        for (const e of [a, a + w])
          if (Math.abs(e - x) < near) {
            near = Math.abs(e - x);
            best = this.time(e);
          }
      }
    }
    return best;
  }

  line(y: number): Line | null {
    const s = this.scene(),
      hit = (l: Line) => y >= top(s, l) && y < top(s, l) + l.height;
    if (y < ruler) return null;
    return (y < ruler + this.layout.pinnedHeight ? this.layout.pinned : this.layout.lines).find(hit) ?? null;
  }

  pick(x: number, y: number): Spot | null {
    const l = this.line(y);
    if (!l) return null;
    const s = this.scene(),
      depth = Math.floor((y - top(s, l) - 2) / rowHeight),
      items = this.rows.get(rowKey(l.track, depth));
    if (!items || depth < 0 || depth >= l.rows) return null;
    let best = -1,
      near = 3; // a slice of less than a pixel can be hit from beside it
    for (let i = 0; i < items.x.length; i++) {
      const [at, w] = place(s, items, i),
        off = x < at ? at - x : x > at + w ? x - at - w : 0;
      if (off < near) {
        best = i;
        near = off;
        if (off === 0) break;
      }
    }
    if (best < 0) return null;
    const unit = (items.t1 - items.t0) / 65535,
      start = items.t0 + items.x[best] * unit;
    return {
      line: l,
      depth,
      items,
      i: best,
      name: items.names[items.name[best]] ?? "",
      start,
      end: start + items.wide[best] * unit,
    };
  }

  sample(track: number, t: number): Sample | null {
    const c = this.counters.get(track) ?? [];
    let out: Sample | null = null;
    for (const v of c) {
      if (v.at > t) break;
      out = v;
    }
    return out;
  }
}
