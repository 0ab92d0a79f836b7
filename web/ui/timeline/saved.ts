import { type SavedTimeline } from "../api";
import {
  type Answer,
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
      "Saved: search, sums, exact times and links from calls to their work need the file itself." +
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
  async search(): Promise<{ total: number; names: Named[]; next: Slice | null }> {
    throw new Error(why);
  }
  async aggregate(): Promise<Named[]> {
    throw new Error(why);
  }
}
