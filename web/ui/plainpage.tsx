// A page without a form of its own: sections with their messages, tables and charts.
import * as api from "./api";
import { titleOf } from "./catalogue";
import { type Document, type Section, type Table, unitOf } from "./document";
import { Drawn } from "./chart";
import { Said } from "./said";
import { isMetrics, Metrics } from "./metrics";
import { heading, writer } from "./cell";
import { clean } from "./names";
import { IconButton } from "./icon";
import { raw } from "./num";
import { Alert, Busy, copy, KernelName, Note, Value } from "./parts";
import { applies } from "./rules";
import { FilterField, Grid, tester } from "./table";
import { set, type State, useAddress } from "./state";
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
      <PlainPage
        name={name}
        title={titleOf(name, v.pages)}
        short={page.short}
        file={v.file.name}
        document={got.doc}
        bases={got.bases}
      >
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
  short: string; // what the page is for
  file: string; // what the file is called
  document: Document;
  bases: (Document | undefined)[];
  to?: (t: Table) => { at: number; opens: string; to: (row: number) => State | undefined } | undefined;
  children?: preact.ComponentChildren;
}

function PlainPage({ name, title, short, file, document: d, bases, to = applies, children }: Props) {
  const [first] = d.sections,
    verdict = first?.messages.find(m => m.source === "verdict"),
    lone = d.sections.length === 1 && first.title && first.title !== title ? called(clean(first.title), file) : "",
    rows = d.sections.reduce((n, s) => n + rowsOf(s), 0);
  const about = short.replace(/^Show (.)/, (_, c: string) => c.toUpperCase()).replace(/\.?$/, ".");
  return (
    <div class="wrap plainp" id="page" data-page={name}>
      <header class="verdict">
        <div>
          {(verdict || lone) && <p class="eyebrow">{title}</p>}
          <h1>{verdict ? <Words text={verdict.text} /> : lone || title}</h1>
          {!verdict && short && <p class="sec">{about}</p>}
        </div>
        {rows > 8 && <FilterField label={`Filter ${title.toLowerCase()}`} />}
      </header>
      {children}
      {d.notes?.map(n => (
        <Alert key={n} kind="warn">
          {n}
        </Alert>
      ))}
      {!first && <Note title="There is nothing to show">The file holds nothing that belongs here.</Note>}
      {runs(d.sections).map(run =>
        run.length > 1 ? (
          <div class="side2" key={run[0]}>
            {run.map(i => (
              <FactCard key={i} title={d.sections[i].title} t={d.sections[i].tables[0]} />
            ))}
          </div>
        ) : (
          <Part
            key={run[0]}
            s={d.sections[run[0]]}
            bases={bases.map(b => b?.sections[run[0]])}
            id={String(run[0])}
            level={2}
            to={to}
            bare={d.sections.length === 1 && !first.properties?.kernel}
          />
        ),
      )}
    </div>
  );
}

// called is a title that is the path of the file without what the file is not called by.
const called = (title: string, file: string): string => (file && title.endsWith("/" + file) ? file : title);

const rowsOf = (s: Section): number =>
  s.tables.reduce((n, t) => n + t.rows.length, 0) + (s.sections?.reduce((n, p) => n + rowsOf(p), 0) ?? 0);

// runs are the sections as they stand: those of facts alone share the width with their neighbours.
function runs(sections: Section[]): number[][] {
  const out: number[][] = [];
  const facts = (s: Section) =>
    s.tables.length === 1 && isFacts(s.tables[0]) && !s.messages.length && !s.charts.length && !s.sections?.length;
  const of = sections.map((_, i) => i).filter(i => facts(sections[i]));
  if (of.length > 1) out.push(of);
  sections.forEach((_, i) => {
    if (of.length < 2 || !of.includes(i)) out.push([i]);
  });
  return out;
}

// Words is a sentence whose numbers stand out.
function Words({ text }: { text: string }) {
  return (
    <>
      {clean(text)
        .split(/(\b\d[\d.,\u202f]*(?:\s?(?:%|[munµ]?s|[KMGT]?i?B))?(?![\w]))/)
        .map((x, i) => (i % 2 ? <b key={i}>{x}</b> : x))}
    </>
  );
}

// Heading is the title of a section: of one about a launch the name of its kernel, then the rest.
function Heading({ s, level }: { s: Section; level: number }) {
  const H = level === 2 ? "h2" : "h3",
    kernel = String(s.properties?.kernel ?? "");
  if (!kernel || !s.title.startsWith(kernel)) return <H>{clean(s.title)}</H>;
  return (
    <>
      <H class="of">
        <KernelName full={kernel} />
      </H>
      <span class="sub">{clean(s.title.slice(kernel.length).replace(/^[\s,]+/, ""))}</span>
    </>
  );
}

function Part({
  s,
  bases,
  id,
  level,
  to,
  bare,
}: {
  s: Section;
  bases: (Section | undefined)[];
  id: string;
  level: number;
  to: NonNullable<Props["to"]>;
  bare?: boolean;
}) {
  const said = s.messages.filter(m => m.source !== "verdict"),
    facts = s.tables.filter(isFacts),
    rest = s.tables.filter(t => !facts.includes(t)),
    [first] = rest;
  const same = (t: Table, i: number) =>
    bases.map(
      b =>
        b?.tables.find(o => o.id === t.id && o.title === t.title) ?? b?.tables.find((o, k) => o.id === t.id && k === i),
    );
  const titled = !!s.title && !bare;
  const head = (t: Table) => (joined ? clean(s.title) : clean(t.title));
  // A section of one table without a title of its own is that table.
  const joined = titled && !s.properties?.kernel && first && !first.title && rest.length === 1 && !facts.length;
  if (!first && !facts.length && !s.charts.length && !s.sections?.length && said.length === 1 && said[0].type === "ok")
    return (
      <section class="card" data-section={s.id}>
        <Note title={clean(said[0].title || s.title)}>
          <p>{clean(said[0].text)}</p>
        </Note>
      </section>
    );
  return (
    <section class={"psect" + (level > 2 ? " in" : "")} data-section={s.id}>
      {titled && !joined && (
        <header>
          <Heading s={s} level={level} />
          {s.description && <span class="sub">{clean(s.description)}</span>}
        </header>
      )}
      {said.map((m, i) => (
        <Said key={i} m={m} duration={0} all={s} />
      ))}
      {facts.length > 0 && (
        <div class={facts.length > 1 ? "side2" : ""}>
          {facts.map((t, i) => (
            <FactCard key={i} title={t.title} t={t} />
          ))}
        </div>
      )}
      {rest.map((t, i) => {
        const lead = to(t),
          empty = blank(t, same(t, i));
        return isMetrics(t) && t.rows.length < 60 ? (
          <Metrics key={i} table={t} bases={same(t, i)} />
        ) : (
          <div key={i} class="card tab">
            {t.rows.length === 1 && t.columns.length > 2 && !t.link ? (
              <OneRow t={t} title={head(t)} level={joined ? level : level + 1} />
            ) : (
              <Grid
                table={t}
                bases={same(t, i)}
                id={`${id}.${i}`}
                title={joined ? clean(s.title) : undefined}
                sub={joined && s.description ? clean(s.description) : undefined}
                at={lead?.at}
                opens={lead?.opens}
                to={lead?.to}
                only={c => !empty.has(c)}
                heading={joined ? level : level + 1}
              />
            )}
          </div>
        );
      })}
      {s.charts.length > 0 && (
        <div class={"draws" + (s.charts.length > 1 ? " more" : "")}>
          {s.charts.map((c, i) => (
            <div class="card pad" key={"c" + i}>
              <Drawn
                chart={c}
                bases={bases.map(b => b?.charts.find(o => o.id === c.id && o.title === c.title) ?? b?.charts[i])}
                id={`${id}.c${i}`}
              />
            </div>
          ))}
        </div>
      )}
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

// OneRow is a table of one row: each of its cells below what it is.
function OneRow({ t, title, level }: { t: Table; title: string; level: number }) {
  const H = level === 2 ? "h2" : "h3";
  return (
    <>
      {title && (
        <header>
          <H>{title}</H>
        </header>
      )}
      <dl class="facts one1">
        {t.columns.map((c, i) => {
          const n = writer(t, i)(0);
          return t.labels[i] === null || c.type === "list" || !n.text ? null : (
            <div key={i}>
              <dt>{heading(t, i)}</dt>
              <dd
                class={typeof t.rows[0][i] === "number" ? "" : "w"}
                data-raw={typeof t.rows[0][i] === "number" ? raw(t.rows[0][i], unitOf(t, 0, i)) : undefined}
              >
                {n.text}
                {n.unit && <span class="u">{n.unit}</span>}
              </dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}

// blank are the columns in which no row has anything: the menu of columns still has them.
function blank(t: Table, bases: (Table | undefined)[]): Set<string> {
  const none = (c: number) => [t, ...bases].every(o => !o || o.rows.every(r => (r[c] ?? "") === ""));
  return new Set(t.rows.length ? t.columns.filter((_, c) => none(c)).map(c => c.name) : []);
}

// isFacts tells tables of two columns of which the first names what the second says.
const isFacts = (t: Table): boolean =>
  t.columns.length === 2 &&
  t.rows.length < 120 &&
  t.columns[0].type === "string" &&
  !t.link &&
  t.rows.every(r => typeof r[0] === "string");

// Facts is such a table, of what the page's filter leaves.
export function Facts({ t, all }: { t: Table; all?: boolean }) {
  const test = tester(all ? "" : (useAddress().filter ?? ""));
  return (
    <dl class="fl" aria-label={t.title || "facts"}>
      {t.rows.map((r, i) => {
        const name = clean(t.text[i]?.[0] ?? String(r[0])),
          text = clean(t.text[i]?.[1] ?? String(r[1] ?? "")),
          unit = typeof r[1] === "number" ? unitOf(t, i, 1) : "";
        if (!test(name) && !test(text)) return null;
        return (
          <div key={i}>
            <dt title={clean(String(r[0]))}>{name}</dt>
            <dd
              class={typeof r[1] === "number" ? "num" : ""}
              data-raw={typeof r[1] === "number" ? raw(r[1], unit) : undefined}
            >
              {unit ? <Value v={r[1] as number} unit={unit} /> : text || "–"}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function FactCard({ t, title }: { t: Table; title: string }) {
  return (
    <section class="card facts1">
      {title && (
        <header>
          <h2>{clean(title)}</h2>
          <span class="tools">
            <IconButton
              icon="copy"
              size="s"
              label={`Copy ${clean(title).toLowerCase()}`}
              onClick={() => copy(t.text.map(r => r.slice(0, 2).join("\t")).join("\n"))}
            />
          </span>
        </header>
      )}
      <Facts t={t} />
    </section>
  );
}
