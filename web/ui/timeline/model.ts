// What the server tells of a timeline. Times are numbers of nanoseconds after
// the first of the file: those of the file itself can have more digits than a
// number holds.
import { ask } from "../ask";
import { time } from "../num";

export interface Track {
  key: string;
  parent: number;
  name: string;
  kind: string;
  rows: number;
  slices: number;
  min?: number;
  max?: number;
}
export interface Slice {
  id: number;
  track: number;
  depth: number;
  start: number;
  end: number;
  name: string;
  full: string;
  table: string;
  row: number;
  call: number;
  work: number[];
}
export interface Fact {
  label: string;
  text: string; // "": the number
  value: number;
  unit: string;
}
export interface Named {
  name: string;
  full: string;
  count: number;
  total: number;
}
export interface Sample {
  at: number;
  min: number;
  max: number;
  mean: number;
}

// Items are what a row shows, by column. x and wide are in 1/65535 of the
// window from t0 to t1; value is the number of a slice where one is 1, else how
// many are merged; density is how much of the extent is busy, of 255; hue is
// a number that all items of a name share.
export interface Items {
  t0: number;
  t1: number;
  names: string[];
  x: Uint16Array;
  wide: Uint16Array;
  name: Uint16Array;
  density: Uint8Array;
  one: Uint8Array;
  hue: Uint8Array;
  value: Uint32Array;
}

export const rowKey = (track: number, depth: number) => track * 65536 + depth;

export interface Answer {
  rows: Map<number, Items>;
  merged: number;
  left: number;
}

export function decode(b: ArrayBuffer, first: bigint): Answer {
  const d = new DataView(b),
    rows = new Map<number, Items>(),
    names: string[] = [];
  if (b.byteLength < 40 || d.getUint32(0, true) !== 0x314c5447)
    throw new Error("the answer of the server is not a timeline");
  const t0 = Number(d.getBigInt64(8, true) - first),
    t1 = Number(d.getBigInt64(16, true) - first);
  let at = 40;
  for (let r = d.getUint32(24, true); r > 0; r--) {
    const n = d.getUint32(at + 8, true);
    const v: Items = {
      t0,
      t1,
      names,
      x: new Uint16Array(n),
      wide: new Uint16Array(n),
      name: new Uint16Array(n),
      density: new Uint8Array(n),
      one: new Uint8Array(n),
      hue: new Uint8Array(n),
      value: new Uint32Array(n),
    };
    rows.set(rowKey(d.getUint32(at, true), d.getUint32(at + 4, true)), v);
    at += 12;
    for (let i = 0; i < n; i++, at += 12) {
      v.x[i] = d.getUint16(at, true);
      v.wide[i] = d.getUint16(at + 2, true);
      v.name[i] = d.getUint16(at + 4, true);
      v.density[i] = d.getUint8(at + 6);
      v.one[i] = d.getUint8(at + 7) & 1;
      v.hue[i] = d.getUint8(at + 7) >> 1;
      v.value[i] = d.getUint32(at + 8, true);
    }
  }
  const text = new TextDecoder();
  for (let n = d.getUint32(28, true); n > 0; n--) {
    const size = d.getUint32(at, true);
    names.push(text.decode(new Uint8Array(b, at + 4, size)));
    at += 4 + size;
  }
  return { rows, merged: d.getUint32(4, true), left: d.getUint32(32, true) };
}

interface WireSlice {
  ID: number;
  Track: number;
  Depth: number;
  Start: string;
  End: string;
  Name: string;
  Full: string;
  Table: string;
  Row: number;
  Call: number;
  Work: number[] | null;
}
export interface WireSample {
  Start: string;
  Min: number;
  Max: number;
  Mean: number;
}
export interface WireTracks {
  first: string;
  end: string;
  slices: number;
  notes?: string[]; // what is left out or not drawn as the file says
  tracks: Track[];
}

export class Source {
  tracks: Track[] = [];
  children: number[][] = [];
  roots: number[] = [];
  first = 0n;
  span = 1;
  slices = 0;
  about = ""; // what a saved timeline cannot do, for people
  private known = new Map<number, Promise<Slice>>();
  constructor(readonly file: string) {}

  private url(ask: string, q: Record<string, string>) {
    return `/api/timeline/${this.file}/${ask}?${new URLSearchParams(q)}`;
  }
  // rel is a time of the file as one after its first.
  rel(t: string): number {
    return Number(BigInt(t) - this.first);
  }
  private abs(t: number) {
    return String(this.first + BigInt(Math.round(t)));
  }

  // open asks for the tracks until the server has made the index; told gets how
  // much of that is done, 0 to 1.
  async open(told: (done: number) => void): Promise<this> {
    let r = await ask(this.url("tracks", {}));
    while (r.status === 202) {
      told((await r.json()).progress);
      r = await ask(this.url("tracks", {}));
    }
    return this.take(await r.json());
  }

  protected take(v: WireTracks): this {
    this.first = BigInt(v.first);
    this.span = Math.max(1, Number(BigInt(v.end) - this.first));
    this.slices = v.slices;
    this.about = (v.notes ?? []).join("; ");
    this.tracks = v.tracks;
    this.children = v.tracks.map(() => []);
    v.tracks.forEach((t, i) => (t.parent < 0 ? this.roots : this.children[t.parent]).push(i));
    return this;
  }

  async view(t0: number, t1: number, pixels: number, tracks: number[], depth = 0): Promise<Answer> {
    const q = {
      t0: this.abs(t0),
      t1: this.abs(t1),
      pixels: String(Math.round(pixels)),
      tracks: tracks.join(","),
      depth: String(depth),
    };
    return decode(await (await ask(this.url("view", q))).arrayBuffer(), this.first);
  }

  async counter(track: number, t0: number, t1: number, pixels: number): Promise<Sample[]> {
    const v: WireSample[] | null = await (
      await ask(
        this.url("counter", {
          track: String(track),
          t0: this.abs(t0),
          t1: this.abs(t1),
          pixels: String(Math.round(pixels)),
        }),
      )
    ).json();
    return this.samples(v);
  }

  protected samples(v: WireSample[] | null): Sample[] {
    return (v ?? []).map(s => ({ at: Number(BigInt(s.Start) - this.first), min: s.Min, max: s.Max, mean: s.Mean }));
  }

  private slot(v: WireSlice): Slice {
    return {
      id: v.ID,
      track: v.Track,
      depth: v.Depth,
      start: Number(BigInt(v.Start) - this.first),
      end: Number(BigInt(v.End) - this.first),
      name: v.Name,
      full: v.Full,
      table: v.Table,
      row: v.Row,
      call: v.Call,
      work: v.Work ?? [],
    };
  }

  // slice keeps what it is asked for, as neighbours are stepped over again and again.
  slice(id: number): Promise<Slice> {
    let s = this.known.get(id);
    if (!s) {
      s = ask(this.url("slice", { id: String(id) })).then(async r => this.slot(await r.json()));
      s.catch(() => this.known.delete(id));
      if (this.known.size > 500) this.known.clear();
      this.known.set(id, s);
    }
    return s;
  }

  // search finds the next slice after a time, or after one slice where several begin at once.
  async search(
    q: string,
    after: number,
    back: boolean,
    id = -1,
  ): Promise<{ total: number; names: Named[]; next: Slice | null }> {
    const v: { total: number; names: Named[]; next: WireSlice | null } = await (
      await ask(
        this.url("search", {
          q,
          after: this.abs(after),
          ...(id >= 0 ? { id: String(id) } : {}),
          ...(back ? { back: "1" } : {}),
        }),
      )
    ).json();
    return { total: v.total, names: v.names, next: v.next && this.slot(v.next) };
  }

  // facts are what the file says of the row that a slice stands for.
  async facts(id: number): Promise<Fact[]> {
    return (await ask(this.url("facts", { id: String(id) }))).json();
  }

  async aggregate(t0: number, t1: number, tracks: number[]): Promise<Named[]> {
    const v: { name: string; full: string; count: number; total?: string }[] = await (
      await ask(this.url("aggregate", { t0: this.abs(t0), t1: this.abs(t1), tracks: tracks.join(",") }))
    ).json();
    return v.map(n => ({ name: n.name, full: n.full, count: n.count, total: Number(n.total ?? 0) }));
  }
}

export { time };

export const exactly = (text: string) => "^" + text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") + "$";
