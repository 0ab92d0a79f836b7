// What the columns of a table are, and how their numbers are written: by role and
// unit, never by name.
import { type Column, inRole, type Table, unitOf } from "./document";
import { clean } from "./names";
import { fixedFor, group, type Num, num, type Scale } from "./num";

// Numbers that name something are not grouped or scaled.
const labels = new Set([
  "id",
  "launch",
  "operand",
  "order",
  "line",
  "address",
  "process",
  "thread",
  "device",
  "context",
  "stream",
  "time",
]);
export const isLabel = (c: Column): boolean => labels.has(c.role ?? "");
export const isKernel = (c: Column): boolean => c.role === "kernel" || c.role === "function";

const rollups: Record<string, string> = { avg: "average", max: "largest", min: "least", pct: "%" };

// labelled names the metrics of a table so that no two rows read alike: what rolls them up is added
// where labels are the same, and all that follows it where that is the same too.
export function labelled(t: Table): string[] {
  const m = inRole(t, "metric"),
    l = inRole(t, "label"),
    forms = t.rows.map(r => {
      const plain = clean(String((l >= 0 && r[l]) || r[m])).replace(/ \[%\]$/, ""),
        [, roll = "", sub = ""] = /\.(\w+)(?:\.(.+))?$/.exec(String(r[m])) ?? [],
        rolled = [plain, rollups[roll] ?? roll].filter(Boolean).join(" · ");
      return plain === r[m] ? [plain] : [plain, rolled, `${rolled} ${sub.replace(/_/g, " ")}`.trim(), String(r[m])];
    }),
    seen = new Map<string, number>();
  for (const f of forms) for (const x of new Set(f)) seen.set(x, (seen.get(x) ?? 0) + 1);
  return forms.map(f => f.find(x => seen.get(x) === 1) ?? f[f.length - 1]);
}

// A Writer writes the cells of a column: in one unit, unless each is to have its own.
export type Writer = (row: number) => Num;

export function writer(t: Table, c: number, verbatim = false, own = false): Writer {
  const col = t.columns[c];
  let fixed: Scale | undefined;
  if (
    !verbatim &&
    !own &&
    !isLabel(col) &&
    col.unit &&
    !["mean", "median", "minimum", "maximum", "deviation"].includes(col.role ?? "")
  ) {
    const vs: number[] = [];
    for (const r of t.rows) if (typeof r[c] === "number") vs.push(r[c] as number);
    fixed = fixedFor(vs, col.unit);
  }
  const names = col.role === "label" && inRole(t, "metric") >= 0 ? labelled(t) : undefined;
  return r => {
    const v = t.rows[r][c];
    if (names && v) return { text: names[r], unit: "" };
    if (typeof v !== "number")
      return { text: clean(t.text[r]?.[c] ?? (v === null || v === undefined ? "" : String(v))), unit: "" };
    if (col.role === "address") return { text: t.text[r]?.[c] ?? String(v), unit: "" }; // in hex, as in text
    if (isLabel(col)) return { text: String(v), unit: "" };
    if (t.printed?.[c] && !verbatim) return { text: group(t.text[r]?.[c] ?? String(v)), unit: "" };
    if (verbatim) return { text: Number.isInteger(v) ? group(String(v)) : String(v), unit: "" };
    return num(v, unitOf(t, r, c), 4, fixed);
  };
}

// slot is how much room the units of a column take, in letters.
export function slot(units: string[]): string {
  const n = units.reduce((m, u) => Math.max(m, u.length), 0);
  return n ? `${(n * 0.58 + 0.35).toFixed(2)}em` : "0";
}

// heading is what stands above a column: the unit stands beside its numbers.
export function heading(t: Table, c: number): string {
  const l = t.labels[c] ?? t.columns[c].name;
  return clean(
    t.columns[c].unit ? l.replace(/\s*[([](?:%|[munµ]?s|ns|[KMGT]?i?B|[KMG]?bytes?|Hz|MHz|GHz)[)\]]$/i, "") || l : l,
  );
}
