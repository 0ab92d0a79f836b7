// A page without a form of its own: sections with their messages, tables and charts.
import * as api from "./api";
import { titleOf } from "./catalogue";
import type { Chart, Document, Section, Table } from "./document";
import { Drawn } from "./chart";
import { Said } from "./said";
import { isMetrics, Metrics } from "./metrics";
import { clean } from "./names";
import { Alert, Busy, Note } from "./parts";
import { applies } from "./rules";
import { Grid } from "./table";
import { set, type State } from "./state";
import { options, pageOf, useDoc, type View } from "./use";

// Plain loads a page that has no form of its own.
export function Plain({ v }: { v: View }) {
  const name = v.name ?? "",
    page = pageOf(v, name),
    { got, error, busy } = useDoc(v, name, options(page, v.state), undefined, page?.kinds ? v.file.id : "");
  if (!page) return <Note title="There is no such page">The viewer has no page called {name}.</Note>;
  if (error)
    return (
      <div class="wrap" id="page" data-page={name}>
        <header class="verdict">
          <h1>{titleOf(name, v.pages)}</h1>
        </header>
        <Alert title="This page cannot be shown.">{error}</Alert>
      </div>
    );
  if (!got) return <Busy what="Loading" />;
  return (
    <div class={busy ? "stale" : ""}>
      <PlainPage name={name} title={titleOf(name, v.pages)} document={got.doc} bases={got.bases}>
        {(name === "rules" || name === "sections") && !api.saved && (
          <p>
            <button
              class="btn"
              onClick={() => {
                api.forget();
                set({ fresh: String(Date.now()) }, false);
              }}
            >
              Read the files again
            </button>
          </p>
        )}
      </PlainPage>
    </div>
  );
}

interface Props {
  name: string;
  title: string;
  document: Document;
  bases: (Document | undefined)[];
  to?: (t: Table) => { at: number; opens: string; to: (row: number) => State | undefined } | undefined;
  children?: preact.ComponentChildren;
}

function PlainPage({ name, title, document: d, bases, to = applies, children }: Props) {
  const empty = !d.sections.length;
  return (
    <div class="wrap" id="page" data-page={name}>
      <header class="verdict">
        <div>
          <p class="eyebrow">{title}</p>
          <h1>
            {clean(
              d.sections.length === 1 && d.sections[0].title && d.sections[0].title !== title
                ? d.sections[0].title
                : title,
            )}
          </h1>
        </div>
      </header>
      {children}
      {d.notes?.map(n => (
        <Alert key={n} kind="warn">
          {n}
        </Alert>
      ))}
      {empty && <Note title="There is nothing to show">The file holds nothing that belongs here.</Note>}
      {d.sections.map((s, i) => (
        <Part
          key={i}
          s={s}
          bases={bases.map(b => b?.sections[i])}
          id={String(i)}
          level={2}
          to={to}
          find={i === 0}
          bare={d.sections.length === 1}
        />
      ))}
    </div>
  );
}

function Part({
  s,
  bases,
  id,
  level,
  to,
  find,
  bare,
}: {
  s: Section;
  bases: (Section | undefined)[];
  id: string;
  level: number;
  to: NonNullable<Props["to"]>;
  find?: boolean;
  bare?: boolean;
}) {
  const H = level === 2 ? "h2" : "h3";
  const same = (t: Table, i: number) =>
    bases.map(
      b =>
        b?.tables.find(o => o.id === t.id && o.title === t.title) ?? b?.tables.find((o, k) => o.id === t.id && k === i),
    );
  const facts = s.tables.filter(isFacts),
    rest = s.tables.filter(t => !facts.includes(t));
  return (
    <section class="sect" data-section={s.id}>
      {s.title && !bare && (
        <header>
          <H>{clean(s.title)}</H>
          {s.description && <span class="sub">{clean(s.description)}</span>}
        </header>
      )}
      {s.messages.map((m, i) => (
        <Said key={i} m={m} duration={0} all={s} />
      ))}
      <div class={"two" + (facts.length > 1 || (facts.length && rest.length) ? "" : " one")}>
        {facts.map((t, i) => (
          <div key={i}>
            <Facts t={t} />
          </div>
        ))}
      </div>
      {rest.map((t, i) => {
        const lead = to(t);
        return isMetrics(t) && t.rows.length < 60 ? (
          <Metrics key={i} table={t} bases={same(t, i)} />
        ) : (
          <div key={i} style={{ marginTop: "8px" }}>
            <Grid
              table={t}
              bases={same(t, i)}
              id={`${id}.${i}`}
              boxed
              find={find && i === 0 && t.rows.length > 8}
              at={lead?.at}
              opens={lead?.opens}
              to={lead?.to}
            />
            {shares(t) && (
              <Drawn chart={shares(t)!} bases={same(t, i).map(o => o && shares(o))} id={`${id}.s${i}`} plain />
            )}
          </div>
        );
      })}
      {s.charts.map((c, i) => (
        <div key={"c" + i} style={{ marginTop: "12px", maxWidth: "900px" }}>
          <Drawn
            chart={c}
            bases={bases.map(b => b?.charts.find(o => o.id === c.id && o.title === c.title) ?? b?.charts[i])}
            id={`${id}.c${i}`}
          />
        </div>
      ))}
      {s.sections?.map((p, i) => (
        <Part
          key={i}
          s={p}
          bases={bases.map(b => b?.sections?.find(o => o.id === p.id))}
          id={`${id}-${i}`}
          level={3}
          to={to}
        />
      ))}
    </section>
  );
}

// shares is the chart of a summary that begins with a share of time: its first rows, by what they
// are called.
export function shares(t: Table): Chart | undefined {
  const name = t.columns.findIndex(c => ["kernel", "nvtx", "operation", "function"].includes(c.role ?? ""));
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

// isFacts tells tables of two columns of which the first names what the second says.
const isFacts = (t: Table): boolean =>
  t.columns.length === 2 &&
  t.rows.length < 120 &&
  t.columns[0].type === "string" &&
  !t.link &&
  t.rows.every(r => typeof r[0] === "string");

// Facts is such a table.
export function Facts({ t }: { t: Table }) {
  return (
    <div class="mt">
      <table aria-label={t.title || "facts"}>
        <tbody>
          {t.rows.map((r, i) => (
            <tr key={i}>
              <td title={clean(String(r[0]))}>
                <span class="ml sec">{clean(t.text[i]?.[0] ?? String(r[0]))}</span>
              </td>
              <td class="fact" data-raw={typeof r[1] === "number" ? String(r[1]) : undefined}>
                {clean(t.text[i]?.[1] ?? String(r[1] ?? ""))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
