import { useEffect, useMemo } from "preact/hooks";
import { Drawn } from "./chart";
import type { Chart, Document, Message, Section, Table } from "./document";
import { column, inRole, linked } from "./document";
import { isMemoryChart, Memory } from "./memory";
import { pivot } from "./pivot";
import { read, set } from "./state";
import { Grid } from "./table";

const words: Record<string, string> = { ok: "Note", optimization: "Optimization", warning: "Warning", error: "Error" };

// What rows of a page lead to: the page says which tables have such rows.
export type Opener = (t: Table) => { open: (row: number) => void; opens: string; at: number } | undefined;

interface Props {
  document: Document;
  bases: (Document | undefined)[];
  opener?: Opener;
}

// Page shows a document: sections, and in them messages, tables and charts.
export function Page({ document: d, bases, opener }: Props) {
  useEffect(() => {
    // a link to a place of the page
    const at = read().at;
    if (at) document.querySelector(`[data-at="${CSS.escape(at)}"]`)?.scrollIntoView({ block: "center" });
  }, [d]);
  if (d.sections.length === 0) return <p class="empty">There is nothing to show.</p>;
  return (
    <>
      {d.sections.map((s, i) => (
        <Part key={i} section={s} bases={bases.map(b => b?.sections[i])} id={String(i)} level={2} opener={opener} />
      ))}
    </>
  );
}

// Listed shows a table; the memory chart as a drawing, and a long list of memory
// metrics by kind, each with the list behind it.
function Listed({
  table: t,
  bases,
  id,
  marks,
  opener,
}: {
  table: Table;
  bases: (Table | undefined)[];
  id: string;
  marks: ReturnType<typeof concerned>;
  opener?: Opener;
}) {
  const kinds = useMemo(() => pivot(t), [t]),
    grid = <Grid table={t} bases={bases} id={id} marks={marks} {...opener?.(t)} />;
  if (isMemoryChart(t))
    return (
      <>
        <Memory table={t} bases={bases} />
        <details class="numbers">
          <summary>Numbers of the chart</summary>
          {grid}
        </details>
      </>
    );
  if (!kinds) return grid;
  return (
    <>
      <Grid table={kinds} bases={bases.map(b => (b && pivot(b)) || undefined)} id={id + ".k"} />
      <details class="numbers">
        <summary>
          {t.title}: all {t.rows.length} metrics
        </summary>
        {grid}
      </details>
    </>
  );
}

interface PartProps {
  section: Section;
  bases: (Section | undefined)[];
  id: string;
  level: number;
  opener?: Opener;
}

function Part({ section: s, bases, id, level, opener }: PartProps) {
  const Heading = level === 2 ? "h2" : "h3";
  const found = useMemo(
    () => [...s.messages].sort((a, b) => (b.speedup?.percent ?? 0) - (a.speedup?.percent ?? 0)),
    [s],
  );
  const marks = useMemo(() => concerned(found, id), [found]);
  const same = (t: Table, i: number) =>
    bases.map(
      b =>
        b?.tables.find(o => o.id === t.id && o.title === t.title) ?? b?.tables.find((o, k) => o.id === t.id && k === i),
    );
  const roofs = s.charts.some(c => c.kind === "roofline"),
    behind = (t: Table) => roofs && t.id !== "header"; // what the picture is made of
  return (
    <section id={"s" + id} class={"level" + level} data-section={s.id}>
      {s.title && <Heading>{s.title}</Heading>}
      {s.description && <p class="about">{s.description}</p>}
      <div class={found.length && (s.tables.length || s.charts.length) ? "beside" : ""}>
        {found.length > 0 && (
          <div class="said">
            {found.map((m, i) => (
              <Said key={i} message={m} id={`${id}.m${i}`} />
            ))}
          </div>
        )}
        <div class="shown">
          {s.tables.map((t, i) =>
            behind(t) ? null : (
              <>
                <Listed key={i} table={t} bases={same(t, i)} id={`${id}.${i}`} marks={marks} opener={opener} />
                {shares(t) && (
                  <Drawn
                    key={"s" + i}
                    chart={shares(t)!}
                    bases={same(t, i).map(o => o && shares(o))}
                    id={`${id}.s${i}`}
                    plain
                  />
                )}
              </>
            ),
          )}
          {s.charts.map((c, i) => (
            <Drawn
              key={"c" + i}
              chart={c}
              bases={bases.map(b => b?.charts.find(o => o.id === c.id && o.title === c.title) ?? b?.charts[i])}
              id={`${id}.c${i}`}
            />
          ))}
          {s.tables.some(behind) && (
            <details class="numbers">
              <summary>Metrics of the roofline</summary>
              {s.tables.map(
                (t, i) => behind(t) && <Grid key={i} table={t} bases={same(t, i)} id={`${id}.${i}`} marks={marks} />,
              )}
            </details>
          )}
        </div>
      </div>
      {s.sections?.map((p, i) => (
        <Part
          key={i}
          section={p}
          bases={bases.map(b => b?.sections?.find(o => o.id === p.id))}
          id={`${id}-${i}`}
          level={3}
          opener={opener}
        />
      ))}
    </section>
  );
}

// shares is the chart of a summary that begins with a share of time: its first rows.
function shares(t: Table): Chart | undefined {
  const name = t.columns.findIndex((c, i) => c.type === "string" && t.labels[i] !== null);
  if (t.columns[0]?.role !== "share" || name < 0 || t.rows.length < 2) return undefined;
  const pick = <T,>(r: T[]): T[] => [r[name], r[0]],
    n = Math.min(12, t.rows.length);
  return {
    ...t,
    id: t.id + "-chart",
    title: `${t.labels[0]}${n < t.rows.length ? `, the first ${n}` : ""}`,
    kind: "bar",
    x: { label: "" },
    y: { label: "", max: 100 },
    description: undefined,
    columns: pick(t.columns),
    labels: pick(t.labels),
    rows: t.rows.slice(0, n).map(pick),
    text: t.text.slice(0, n).map(pick),
  };
}

// concerned are the metrics that messages rest on, with the way to the message.
function concerned(found: Message[], id: string): Map<string, { text: string; go: () => void }> {
  const out = new Map<string, { text: string; go: () => void }>();
  found.forEach((m, i) =>
    m.tables?.forEach(t => {
      const c = inRole(t, "metric");
      if (c >= 0)
        for (const r of t.rows)
          if (typeof r[c] === "string" && !out.has(r[c] as string))
            out.set(r[c] as string, {
              text: m.title || m.source || m.text.slice(0, 80),
              go: () => {
                const e = document.getElementById(`m${id}.m${i}`);
                e?.scrollIntoView({ block: "center" });
                e?.focus();
              },
            });
    }),
  );
  return out;
}

function Said({ message: m, id }: { message: Message; id: string }) {
  return (
    <aside class={"message " + m.type} id={"m" + id} tabIndex={-1} data-at={m.source}>
      <b>
        {words[m.type] ?? ""} {m.title}
      </b>
      {m.speedup && (
        <span class="gain">
          Est. {m.speedup.scope === "local" ? "local " : ""}speedup {m.speedup.percent.toPrecision(4)} %
        </span>
      )}
      <p>{m.text}</p>
      {m.source && <small>{m.source}</small>}
      {m.tables && (
        <details>
          <summary>What this rests on</summary>
          {m.tables.map((t, i) => (
            <Grid key={i} table={t} id={`${id}.${i}`} />
          ))}
        </details>
      )}
    </aside>
  );
}

// openLaunch leads from a row to the details of its launch, and to what a rule
// says there.
export function openLaunch(files: string[]): Opener {
  return t => {
    if (t.link?.to !== "launch") return undefined;
    const [operand, launch, rule] = linked(t);
    return {
      opens: "Details of this launch",
      at: column(t, t.link.cell),
      open: r =>
        set({
          page: "details",
          file: files[Number(t.rows[r][operand])] ?? "",
          launch: String(t.rows[r][launch]),
          at: rule === undefined ? "" : String(t.rows[r][rule] ?? ""),
          filter: "",
        }),
    };
  };
}
