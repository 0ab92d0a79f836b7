import { type SavedTimeline } from "../api";
import {
  type Answer,
  type Fact,
  type Items,
  type Named,
  type Sample,
  type Slice,
  Source,
  type WireSample,
  type WireTracks,
  decode,
  time,
} from "./model";

interface Window {
  answer: Answer;
  counters: Record<string, WireSample[] | null>;
}

const why = "a saved timeline cannot do that: open the file itself with gpuprof open";

// SavedSource is a timeline without a server. An exported file has windows at
// some levels of detail, no slice by its number, and no index of names.
export class SavedSource extends Source {
  private bytes = new ArrayBuffer(0);
  private windows = new Map<string, Window>();
  constructor(
    file: string,
    private readonly from: SavedTimeline,
  ) {
    super(file);
  }

  async open(): Promise<this> {
    const packed = Uint8Array.from(atob(this.from.data), c => c.charCodeAt(0));
    this.bytes = await new Response(
      new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")),
    ).arrayBuffer();
    this.take(this.from.tracks as WireTracks);
    this.about =
      "Saved: times are those of the picture, and links from calls to their work need the file itself." +
      (this.from.complete ? "" : ` What is shorter than ${time(this.from.finest)} is merged at every zoom.`);
    return this;
  }

  // window is the narrowest that has the time from a to b.
  private window(a: number, b: number): Window {
    for (let k = this.from.levels.length - 1; k >= 0; k--) {
      const wide = Math.floor(this.span / 2 ** k),
        step = Math.floor(wide / 2),
        last = this.from.levels[k].length - 2;
      const i = Math.max(0, Math.min(last, step ? Math.floor(a / step) : 0));
      if (k > 0 && (b - a > step || (b > i * step + wide && i < last))) continue;
      const key = `${k} ${i}`,
        known = this.windows.get(key);
      if (known) return known;
      const at = this.from.levels[k][i],
        d = new DataView(this.bytes),
        n = d.getUint32(at, true),
        m = d.getUint32(at + 4 + n, true);
      const w = {
        answer: decode(this.bytes.slice(at + 4, at + 4 + n), this.first),
        counters: JSON.parse(new TextDecoder().decode(new Uint8Array(this.bytes, at + 8 + n, m))),
      };
      if (this.windows.size > 40) this.windows.clear();
      this.windows.set(key, w);
      return w;
    }
    throw new Error("the saved timeline is empty");
  }

  async view(t0: number, t1: number): Promise<Answer> {
    return this.window(Math.max(0, t0), Math.min(this.span, t1)).answer;
  }
  async counter(track: number, t0: number, t1: number): Promise<Sample[]> {
    return this.samples(this.window(Math.max(0, t0), Math.min(this.span, t1)).counters[track] ?? null);
  }

  // slice tells of a slice that is in a window that was shown: about when it was.
  async slice(id: number): Promise<Slice> {
    for (const w of [...this.windows.values()].reverse()) {
      for (const [key, v] of w.answer.rows) {
        for (let i = 0; i < v.value.length; i++) {
          if (!v.one[i] || v.value[i] !== id) continue;
          const unit = (v.t1 - v.t0) / 65535,
            start = Math.round(v.t0 + v.x[i] * unit),
            name = v.names[v.name[i]] ?? "";
          return {
            id,
            track: Math.floor(key / 65536),
            depth: key % 65536,
            start,
            end: Math.round(start + v.wide[i] * unit),
            name,
            full: name,
            table: "",
            row: -1,
            call: -1,
            work: [],
          };
        }
      }
    }
    throw new Error(why);
  }
  // every reads all windows of the finest level: the slices that it has by themselves, each once.
  private every(): { items: Items; i: number; key: number }[] {
    if (this.all) return this.all;
    const k = this.from.levels.length - 1,
      seen = new Set<number>(),
      out: { items: Items; i: number; key: number }[] = [],
      step = Math.max(1, Math.floor(this.span / 2 ** k / 2));
    for (let w = 0; w < this.from.levels[k].length - 1; w++) {
      const from = Math.min(this.span - 1, w * step + 1);
      for (const [key, items] of this.window(from, Math.min(this.span, from + 1)).answer.rows)
        for (let i = 0; i < items.x.length; i++)
          if (items.one[i] && !seen.has(items.value[i])) {
            seen.add(items.value[i]);
            out.push({ items, i, key });
          }
    }
    out.sort((a, b) => at(a.items, a.i) - at(b.items, b.i));
    return (this.all = out);
  }
  private all: { items: Items; i: number; key: number }[] | null = null;

  private told(o: { items: Items; i: number; key: number }): Slice {
    const unit = (o.items.t1 - o.items.t0) / 65535,
      start = Math.round(at(o.items, o.i)),
      name = o.items.names[o.items.name[o.i]] ?? "";
    return {
      id: o.items.value[o.i],
      track: Math.floor(o.key / 65536),
      depth: o.key % 65536,
      start,
      end: Math.round(start + o.items.wide[o.i] * unit),
      name,
      full: name,
      table: "",
      row: -1,
      call: -1,
      work: [],
    };
  }

  // search looks through what the page holds: what is merged at every zoom is not found.
  async search(
    q: string,
    after: number,
    back: boolean,
    id = -1,
  ): Promise<{ total: number; names: Named[]; next: Slice | null }> {
    const re = new RegExp(q),
      hits = this.every().filter(o => re.test(o.items.names[o.items.name[o.i]] ?? "")),
      names = new Map<string, number>();
    for (const o of hits)
      names.set(o.items.names[o.items.name[o.i]], (names.get(o.items.names[o.items.name[o.i]]) ?? 0) + 1);
    const here = hits.findIndex(o => o.items.value[o.i] === id),
      next =
        here >= 0
          ? hits[here + (back ? -1 : 1)]
          : back
            ? hits.filter(o => at(o.items, o.i) < after).pop()
            : hits.find(o => at(o.items, o.i) > after);
    return {
      total: hits.length,
      names: [...names].map(([name, count]) => ({ name, full: name, count, total: 0 })),
      next: next ? this.told(next) : null,
    };
  }

  async facts(): Promise<Fact[]> {
    return [];
  }

  // aggregate adds up what the page holds, clipped to the time.
  async aggregate(t0: number, t1: number, tracks: number[]): Promise<Named[]> {
    const by = new Map<string, Named>(),
      wanted = new Set(tracks);
    for (const o of this.every()) {
      if (!wanted.has(Math.floor(o.key / 65536))) continue;
      const s = this.told(o),
        d = Math.min(s.end, t1) - Math.max(s.start, t0);
      if (d <= 0) continue;
      const n = by.get(s.name) ?? { name: s.name, full: s.full, count: 0, total: 0 };
      n.count++;
      n.total += d;
      by.set(s.name, n);
    }
    return [...by.values()].sort((a, b) => b.total - a.total);
  }
}

const at = (v: Items, i: number): number => v.t0 + (v.x[i] * (v.t1 - v.t0)) / 65535;
