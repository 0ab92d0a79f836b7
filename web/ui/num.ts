// How numbers are written: one place for tables, charts, the canvas and what is
// copied. A number stands with its unit in a slot of its own, so that digits align.

export interface Num {
  text: string; // the digits
  unit: string; // with its prefix; "" for none
}

const thin = "\u202f",
  minus = "\u2212";

// group puts narrow blanks between groups of three digits.
export function group(s: string): string {
  const [, sign, whole, rest] = /^(-?)(\d+)(.*)$/.exec(s) ?? ["", "", s, ""];
  return (sign ? minus : "") + whole.replace(/\B(?=(\d{3})+$)/g, thin) + rest;
}

// digits writes a number with so many significant digits; zeros at its end stay, so that
// the numbers of a column have the same places.
export function digits(v: number, n = 4): string {
  if (!Number.isFinite(v)) return Number.isNaN(v) ? "nan" : v > 0 ? "∞" : minus + "∞";
  if (v === 0) return "0";
  const a = Math.abs(v),
    places = Math.max(0, Math.min(8, n - 1 - Math.floor(Math.log10(a) + 1e-12)));
  if (a < 10 ** -6) return v.toExponential(2).replace("-", minus);
  return group(v.toFixed(places));
}

interface Scale {
  at: number;
  unit: string;
}
const times: Scale[] = [
  { at: 1e9, unit: "s" },
  { at: 1e6, unit: "ms" },
  { at: 1e3, unit: "µs" },
  { at: 1, unit: "ns" },
];
const steps: [number, string][] = [
  [1e15, "P"],
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
];

// short is how a unit of the documents is written: byte as B, hz as Hz.
function short(unit: string): string {
  return unit
    .replace(/^bytes?\b/, "B")
    .replace(/^hz$/i, "Hz")
    .replace(/\/second$/, "/s")
    .replace(/^register\/thread$/, "")
    .replace(/^(block|warp|thread|sectors?|register|request|cycle|inst)s?\b/, "$1")
    .replace(/\/block$/, "");
}

const prefixed = (unit: string) => /^(bytes?|hz|bit|flop)\b/i.test(unit);

// scales are the units that a number of a base unit may be written in, the largest first.
function scales(unit: string): Scale[] {
  if (unit === "ns") return times;
  if (unit === "s" || unit === "second")
    return [{ at: 1, unit: "s" }, ...times.slice(1).map(t => ({ at: t.at / 1e9, unit: t.unit }))];
  const s = short(unit);
  return steps.map(([at, p]) => ({ at, unit: prefixed(unit) ? p + s : p && s ? `${p} ${s}` : p + s }));
}

const percent = (v: number): string => {
  const a = Math.abs(v);
  if (a === 0) return "0";
  if (a === 100) return v < 0 ? minus + "100" : "100";
  if (a < 0.1) return (v < 0 ? minus : "") + "<0.1";
  return group(v.toFixed(a < 1 ? 2 : 1));
};

// choose is the unit for a number: the largest of which there is at least one.
function choose(v: number, unit: string): Scale {
  const all = scales(unit),
    a = Math.abs(v);
  return all.find(s => a >= s.at * 0.99995) ?? all[all.length - 1];
}

// num writes a number of a base unit, in its own prefix or in the one that its column has.
export function num(v: number, unit = "", n = 4, fixed?: Scale): Num {
  if (unit === "%") return { text: percent(v), unit: "%" };
  if (!Number.isFinite(v)) return { text: digits(v), unit: short(unit) };
  if (!fixed && Math.abs(v) < 100_000 && unit !== "ns" && unit !== "s" && !prefixed(unit))
    return { text: Number.isInteger(v) ? group(String(v)) : digits(v, n), unit: short(unit) };
  const s = fixed ?? choose(v, unit);
  if (s.at === 1 && Number.isInteger(v)) return { text: group(String(v)), unit: s.unit };
  return { text: digits(v / s.at, n), unit: s.unit };
}

// count writes how many there are, in full.
export const count = (v: number): string => (Number.isInteger(v) ? group(String(v)) : digits(v));

export const say = (v: number, unit = "", n = 4): string => {
  const x = num(v, unit, n);
  return x.unit ? `${x.text} ${x.unit}` : x.text;
};

// ms is how a time is said in a verdict: three digits.
export const time = (ns: number, n = 4): string => say(ns, "ns", n);

// fixedFor is the one unit of a column of a quantity, where the largest is no more than
// 10⁴ times the smallest; else each number has its own.
export function fixedFor(vs: number[], unit: string): Scale | undefined {
  if (unit === "%" || vs.length < 2) return undefined;
  let low = Infinity,
    high = 0;
  for (const v of vs) {
    const a = Math.abs(v);
    if (a > 0 && a < low) low = a;
    if (a > high) high = a;
  }
  if (high === 0 || high / low > 1e4) return undefined;
  if (vs.every(v => Number.isInteger(v) && Math.abs(v) < 100_000) && unit !== "ns" && !prefixed(unit)) return undefined;
  return choose(high, unit);
}
export type { Scale };

// A Delta is how a number differs from a former one.
export interface Delta {
  text: string; // in the unit, in points of percent, or as a factor
  unit: string;
  share: string; // in percent; "" where the text says it already
  same: boolean;
  way: "better" | "worse" | "";
  more: boolean;
}

let rules: [RegExp, number][] = [];
const known = new Map<string, number | undefined>();

// judge takes the rules of the server for which way of a metric is the better one; the first that fits decides.
export function judge(list: { pattern: string; better: string }[]): void {
  rules = list.map(r => [new RegExp(r.pattern), { lower: 1, higher: -1 }[r.better] ?? 0]);
  known.clear();
}

// direction tells whether more of a quantity is worse (1) or better (-1). Only times and costs are ever either.
export function direction(metric: string, unit: string): number {
  if (!known.has(metric)) known.set(metric, rules.find(([p]) => p.test(metric))?.[1]);
  return known.get(metric) ?? (unit === "ns" || unit === "s" || unit === "second" ? 1 : 0);
}

// Differences below these are within what measurements vary by.
export const noise = { share: 2, points: 0.5 };

export function delta(now: number, then: number, unit = "", metric = "", least = noise.share): Delta {
  const d = now - then,
    sign = d > 0 ? "+" : d < 0 ? minus : "";
  const none: Delta = { text: "=", unit: "", share: "", same: true, way: "", more: false };
  if (!Number.isFinite(d)) return { ...none, text: "–" };
  if (d === 0) return none;
  const share = then !== 0 ? (100 * d) / Math.abs(then) : Infinity,
    points = unit === "%";
  const quiet = points ? Math.abs(d) < Math.min(noise.points, least / 4) : Math.abs(share) < least;
  const dir = quiet ? 0 : direction(metric, unit),
    way = dir === 0 ? "" : d * dir > 0 ? "worse" : "better";
  const x: Omit<Delta, "text" | "unit" | "share"> = { same: quiet, way, more: d > 0 };
  if (points) {
    const a = Math.abs(d);
    return { ...x, text: a < 0.05 ? "≈" : sign + a.toFixed(a < 1 ? 2 : 1), unit: a < 0.05 ? "" : "pp", share: "" };
  }
  if (Math.abs(share) < 0.05) return { ...x, text: "≈", unit: "", share: "" };
  if (share >= 400) return { ...x, text: "×" + digits(now / then, 4), unit: "", share: "" };
  const t = num(Math.abs(d), unit, 3);
  return { ...x, text: sign + t.text, unit: t.unit, share: then === 0 ? "" : sign + Math.abs(share).toFixed(1) + " %" };
}

// relative is the short form: percent, points or a factor.
export function relative(now: number, then: number, unit = "", metric = "", least?: number): Delta {
  const d = delta(now, then, unit, metric, least);
  return d.share ? { ...d, text: d.share.replace(" %", ""), unit: "%", share: "" } : d;
}

// raw is a number as it is measured: what is copied and shown on focus.
export const raw = (v: unknown, unit: string): string =>
  v === null || v === undefined ? "no value" : `${v}${unit ? " " + unit : ""}`;

// heat is the step of a share of a peak, 0 to 5.
export const heat = (share: number): number => (share > 0 ? Math.min(5, 1 + Math.floor(share / 20 + 1e-9)) : 0);
// step is that of a row beside the hottest one.
export const step = (v: number, most: number): number =>
  v <= 0.03 * most || most <= 0 ? 0 : Math.max(1, Math.min(5, Math.ceil((5 * v) / most - 1e-9)));

// ticks are round numbers from a to b: 1, 2 or 5 times a power of ten, or with log powers of ten.
export function ticks(a: number, b: number, log: boolean, about = 5): number[] {
  if (log) {
    const from = Math.ceil(Math.log10(a) - 1e-9),
      n = Math.floor(Math.log10(b) + 1e-9) - from + 1,
      every = Math.max(1, Math.ceil(n / 8));
    return Array.from({ length: Math.max(0, Math.floor((n - 1) / every) + 1) }, (_, i) => 10 ** (from + i * every));
  }
  const rough = (b - a) / about || 1,
    power = 10 ** Math.floor(Math.log10(rough)),
    s = power * ([1, 2, 5, 10].find(k => k * power >= rough * 0.999) ?? 10),
    first = Math.ceil(a / s - 1e-9) * s;
  return Array.from({ length: Math.floor((b - first) / s + 1e-9) + 1 }, (_, i) => first + i * s);
}
