import type { Table } from "./document";

export function save(name: string, type: string, text: string): void {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([text], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

const quote = (s: string) => `"${s.replaceAll('"', '""')}"`;
const cell = (c: unknown) => (c === null ? "" : typeof c === "object" ? JSON.stringify(c) : String(c));

export const csv = (t: Table): string =>
  [t.columns.map(c => c.name), ...t.rows.map(r => r.map(cell))].map(r => r.map(quote).join(",")).join("\n") + "\n";

export function markdown(t: Table): string {
  const shown = t.labels.map((l, i) => (l === null ? -1 : i)).filter(i => i >= 0);
  const line = (cs: string[]) =>
    "| " + cs.map(c => c.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ") + " |\n";
  return (
    line(shown.map(i => t.labels[i]!)) +
    line(shown.map(() => "---")) +
    t.text.map(r => line(shown.map(i => r[i] ?? ""))).join("")
  );
}

export const json = (t: Table): string =>
  JSON.stringify({ id: t.id, title: t.title, columns: t.columns, rows: t.rows }, null, 1) + "\n";
