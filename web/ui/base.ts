import * as api from "./api";
import { ask } from "./ask";
import { column, type Document, inRole, type Section, type Table } from "./document";

// A Base is what a page is compared with: a file, or one launch of it. The
// address lists them as FILE or FILE:LAUNCH, with commas between.
export interface Base {
  file: string;
  launch?: number;
}

export const parse = (s = ""): Base[] =>
  s
    .split(",")
    .filter(p => p !== "")
    .map(p => {
      const [file, n] = p.split(":");
      return n === undefined ? { file } : { file, launch: Number(n) };
    });
export const format = (bs: Base[]): string =>
  bs.map(b => (b.launch === undefined ? b.file : `${b.file}:${b.launch}`)).join(",");

// The marks tell baselines apart where colours do not.
export const mark = (i: number): string => (i < 9 ? String.fromCodePoint(0x2460 + i) : `(${i + 1})`);

// Pages that have a section for each launch.
export const perLaunch = (name: string): boolean => name === "details" || name === "source" || name === "raw";

// diff is the comparison of a file with a baseline, as the command of that name makes it, launch by launch.
export const diff = (file: string, of: string, threshold?: number): Promise<Document> =>
  api.page("diff", `${of},${file}`, {
    by: "launch",
    ...(threshold === undefined ? {} : { threshold: threshold + "%" }),
  });

// pair is what diff says of a launch beside one of a baseline, in its words, with every metric but the
// attributes of the device. Without a partner there is none.
export async function pair(file: string, launch: number, b: Base, least?: number): Promise<Document | null> {
  const n = b.launch ?? (await matched(file, b.file))(launch);
  return n === undefined
    ? null
    : api.page("diff", `${b.file},${file}`, {
        pair: `${n}:${launch}`,
        metrics: "regex:^([^d]|d[^e]|derived)",
        ...(least === undefined || api.saved ? {} : { threshold: least + "%" }),
      });
}

// comment is the same as text for a pull request.
export const comment = async (
  file: string,
  launch: number,
  b: Base,
  n: number | undefined,
  least: number,
): Promise<string> =>
  (
    await ask(
      api.pagePath("diff", `${b.file},${file}`, { pair: `${n}:${launch}`, threshold: least + "%" }) + "&format=md",
    )
  ).text();

// numbers are those of the launches of a side, by their partners where they have one.
function numbers(d: Document, section: string, rows: (t: Table) => Table["rows"]): [number, number][] {
  const t = d.sections.find(s => s.id === section)?.tables[0];
  if (!t) return [];
  const [own, theirs] = [column(t, "number"), column(t, "old_number")];
  return rows(t).map(r => [r[own] as number, r[theirs] as number]);
}

// partners are the launches of a baseline by those of a file that it matches with them.
// Where each has one launch, these are partners whatever they are called: who chooses
// such a baseline wants them beside each other.
export function partners(d: Document): Map<number, number> {
  const out = new Map(numbers(d, "kernels", t => t.rows).filter(p => p.every(n => typeof n === "number")));
  if (out.size) return out;
  const only = (side: string) => numbers(d, "only", t => t.rows.filter(r => r[column(t, "side")] === side));
  const [mine, other] = [only("new"), only("old")];
  if (mine.length === 1 && other.length === 1) out.set(mine[0][0], other[0][1]);
  return out;
}

// matched are partners of a file; a file that is the baseline, or holds the same measurement, is its own.
export async function matched(file: string, of: string): Promise<(n: number) => number | undefined> {
  if (file === of) return n => n;
  const d = await diff(file, of),
    to = partners(d);
  return to.size || !same(d) ? n => to.get(n) : n => n;
}

// same reports whether a comparison is of two copies of one measurement: it lists no kernels then.
export const same = (d: Document): boolean => d.sections.length === 1;

// load brings the document of a baseline into the order of d, section by section.
export async function load(
  name: string,
  file: string,
  launch: number | undefined,
  options: Record<string, string>,
  b: Base,
  d: Document,
): Promise<Document> {
  if (name === "summary") return { ...d, sections: summary(d, await api.page(name, b.file, options, b.launch)) };
  if (!perLaunch(name)) {
    const o = await api.page(name, b.file, options);
    return {
      ...o,
      sections: d.sections.map(
        (s, i) =>
          o.sections.find(t => t.id === s.id) ?? (d.sections.length === o.sections.length ? o.sections[i] : empty),
      ),
    };
  }
  const one = async (n: number) => (await api.page(name, b.file, options, n)).sections[0] ?? empty;
  if (b.launch !== undefined) {
    const s = await one(b.launch);
    return { ...d, sections: d.sections.map(() => s) };
  }
  const to = await matched(file, b.file);
  if (launch !== undefined) {
    const n = to(launch);
    return { ...d, sections: [n === undefined ? empty : await one(n)] };
  }
  const all = await api.page(name, b.file, options);
  return { ...d, sections: d.sections.map((_, i) => all.sections[to(i) ?? -1] ?? empty) };
}

const empty: Section = { id: "", title: "", description: "", tables: [], charts: [], messages: [] };

// summary is the list of launches of a baseline; one launch stands beside every row.
function summary(d: Document, o: Document): Section[] {
  return d.sections.map(s => {
    const t = o.sections.find(t => t.id === s.id);
    const own = s.tables[0],
      theirs = t?.tables[0];
    if (!t || !own || !theirs || s.id !== "launches") return empty;
    if (theirs.rows.length !== 1) return t;
    const rows = own.rows.map(r =>
      theirs.columns.map((c, i) => {
        const at = own.columns.findIndex(x => x.name === c.name);
        return at >= 0 && typeof r[at] === "string" ? r[at] : theirs.rows[0][i];
      }),
    );
    return { ...t, tables: [{ ...theirs, rows, text: rows.map(() => theirs.text[0]) }] };
  });
}

// Columns that number rows and say where something ran: they identify no row of
// another file, and their differences say nothing.
const places = ["launch", "operand", "id", "report", "address", "rule", "scope", "finding", "order"];
const isPlace = (t: Table, c: number): boolean => places.includes(t.columns[c].role ?? "");
export const compared = (t: Table, c: number): boolean => !isPlace(t, c) && t.columns[c].role !== "line";

// keys name the rows of a table so that the same rows of another are found: by
// metric, else by place in the code, else by their texts; equal ones are counted.
export function keys(t: Table): string[] {
  const metric = inRole(t, "metric"),
    seen = new Map<string, number>();
  const code = inRole(t, "order") >= 0 && inRole(t, "address") >= 0;
  return t.rows.map(r => {
    const k =
      metric >= 0
        ? String(r[metric])
        : JSON.stringify(
            r.filter((c, i) => {
              const n = t.columns[i].name;
              return code
                ? n === "number" || n === "source"
                : n === "line" || (!places.includes(n) && (typeof c === "string" || t.columns[i].type === "string"));
            }),
          );
    const n = seen.get(k) ?? 0;
    seen.set(k, n + 1);
    return n ? `${k} #${n}` : k;
  });
}
