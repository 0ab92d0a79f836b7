// Findings: what rules say of a launch, grouped over launches of the same kernel, with the
// time that following them would save at most.
import { column, type Document, inRole, type Message, type Section } from "./document";
import { clean } from "./names";

export interface Finding {
  title: string;
  rule: string;
  kernel: string;
  launches: number[]; // that have it, the one that would save most first
  saved: number; // ns at most; 0: the rule estimates none
  percent: number; // of the launch, the largest
  global: boolean;
  type: string;
}

// findings are the rows of summary, in its order: the most time saved first.
export function findings(summary: Document): Finding[] {
  const t = summary.sections.find(s => s.id === "findings")?.tables[0];
  if (!t) return [];
  const [sp, sc, k, f, ru, n] = ["speedup", "scope", "kernel", "finding", "rule", "launch"].map(r => inRole(t, r)),
    [type, saves, all] = ["type", "saves", "launches"].map(c => column(t, c));
  return t.rows.map(r => ({
    title: titled(String(r[f]), String(r[ru])),
    rule: String(r[ru]),
    kernel: String(r[k]),
    launches: String(r[all] ?? r[n])
      .split(",")
      .map(Number),
    saved: Number(r[saves]) || 0,
    percent: Number(r[sp]) || 0,
    global: r[sc] === "global",
    type: String(r[type] ?? ""),
  }));
}

// messages are those of a launch, each once, with the section that they stand in.
export function messages(of: Section): { message: Message; section: Section }[] {
  const out: { message: Message; section: Section }[] = [],
    seen = new Set<string>();
  const walk = (s: Section) => {
    for (const m of s.messages) {
      const key = JSON.stringify([m.source, m.title, m.text]);
      if (seen.has(key)) continue;
      seen.add(key);
      out.push({ message: m, section: s });
    }
    s.sections?.forEach(walk);
  };
  walk(of);
  return out;
}

// reason is what a rule says in short: its first sentences, without addresses.
export const reason = (text: string): string =>
  clean(text)
    .replace(/\s*\(?https?:\/\/[^\s)]*\)?/g, "")
    .replace(/\s+/g, " ")
    .trim();

// firstSentence ends where a sentence does, not at a number's point.
export const firstSentences = (text: string, n = 2): string => {
  const all = reason(text).split(/(?<=[.!?])\s+(?=[A-Z])/);
  return all.slice(0, n).join(" ");
};

// metricOf finds a metric in a launch's sections: its label, unit and value.
export function metricOf(
  s: Section,
  name: string,
): { label: string; unit: string; value: unknown; section: string } | undefined {
  for (const t of [...s.tables, ...s.charts]) {
    const m = inRole(t, "metric");
    if (m < 0) continue;
    const i = t.rows.findIndex(r => r[m] === name);
    if (i >= 0) {
      const u = t.columns.findIndex(c => c.type === "unit"),
        l = inRole(t, "label");
      return {
        label: String((l >= 0 && t.rows[i][l]) || name),
        unit: String(t.rows[i][u] ?? ""),
        value: t.rows[i][inRole(t, "value")],
        section: s.id,
      };
    }
  }
  for (const p of s.sections ?? []) {
    const f = metricOf(p, name);
    if (f) return { ...f, section: s.sections && s.id && /SpeedOfLight|Workload|Stats/.test(s.id) ? s.id : f.section };
  }
  return undefined;
}

// titled is what a finding is called: where the rule gives no title, its identifier in words.
export const titled = (title: string, rule: string): string =>
  title && title !== rule
    ? clean(title)
    : clean(rule)
        .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
        .replace(/_/g, " ")
        .replace(/ [A-Z](?=[a-z])/g, m => m.toLowerCase())
        .replace(/^[a-z]/, m => m.toUpperCase());
