import { useMemo } from "preact/hooks";
import * as api from "./api";
import * as card from "./card";
import { Said } from "./said";
import { type Chart, column, linked, type Table } from "./document";
import { firstSentences } from "./finding";
import { points } from "./series";
import { heat, say, ticks, time } from "./num";
import { Alert, Busy, Note, useWidth } from "./parts";
import { set, type State } from "./state";
import { Grid } from "./table";
import { options, pageOf, useDoc, type View } from "./use";

// Ranks answers which rank of a distributed run is slow, since when, and why.
export function Ranks({ v }: { v: View }) {
  const files = v.files.filter(f => api.holds(f, "timeline") && !f.error).map(f => f.id),
    page = pageOf(v, "ranks"),
    { got, error, busy } = useDoc(v, "ranks", page ? options(page, v.state) : {}, undefined, files.join(","));
  if (!page) return <Note title="Ranks are not part of this export" />;
  if (error)
    return (
      <Alert
        title="The ranks cannot be put together."
        tools={
          api.takes(page, "force") && /--force/.test(error) ? (
            <button class="btn" onClick={() => set({ ask: "force=true" })}>
              Do it all the same
            </button>
          ) : undefined
        }
      >
        {error.replace(/;[^;]*--.*$/, "")}
      </Alert>
    );
  if (!got) return <Busy what={`Putting ${files.length} timelines together`} />;
  const d = got.doc,
    [run] = d.sections,
    of = (id: string) => d.sections.find(s => s.id === id),
    table = of("ranks")?.tables[0],
    steps = of("rank_steps")?.tables[0],
    worst = run?.messages[0];
  const to =
    (t: Table) =>
    (r: number): State | undefined => {
      const [at, wide, operand] = linked(t);
      if (at === undefined || typeof t.rows[r][at] !== "number") return undefined;
      const from = Number(t.rows[r][at]);
      return {
        page: "timeline",
        file: files[Number(t.rows[r][operand] ?? 0)] ?? v.file.id,
        range: `${from},${from + Math.max(1, Number(t.rows[r][wide]))}`,
        window: "",
        select: "",
        slice: "",
        base: "",
      };
    };
  return (
    <div class={"wrap" + (busy ? " stale" : "")} id="page" data-page="ranks">
      <section class="verdict">
        <div>
          <p class="eyebrow">Ranks</p>
          <h1>{worst ? firstSentences(worst.text, 1) : "No rank stands out."}</h1>
          <p class="sec">{run?.title}</p>
        </div>
      </section>
      {d.notes?.map(n => (
        <Alert key={n} kind="warn">
          {n}
        </Alert>
      ))}
      {of("heat")?.charts.map(c => (
        <Map key={c.id} c={c} open={(rank, at, wide) => go(v, files, table, rank, at, wide)} />
      ))}
      <div style={{ display: "grid", gap: "8px", margin: "12px 0" }}>
        {run?.messages.slice(worst ? 1 : 0, 6).map((m, i) => (
          <Said key={i} m={m} duration={0} all={run} />
        ))}
      </div>
      {table && (
        <section class="card kern">
          <Grid
            table={{ ...table, title: "" }}
            id="ranks"
            title="Ranks"
            sub="most self time first; a row leads to the rank's timeline at its worst step"
            find={table.rows.length > 12}
            at={column(table, "rank")}
            to={to(table)}
            opens="Show its worst step on the timeline"
            only={c => !["pid", "offset", "error", "file"].includes(c)}
          />
        </section>
      )}
      {steps && (
        <details class="numbers">
          <summary>Steps of each rank</summary>
          <Grid
            table={steps}
            id="rank_steps"
            at={column(steps, "step")}
            to={to(steps)}
            opens="Show the step on the timeline"
            boxed
          />
        </details>
      )}
      {d.sections
        .filter(s => !["heat", "ranks", "rank_steps"].includes(s.id))
        .flatMap(s => s.tables)
        .map(t => (
          <details key={t.id} class="numbers">
            <summary>{d.sections.find(s => s.tables.includes(t))?.title || t.title}</summary>
            <Grid table={t} id={t.id} boxed keep />
          </details>
        ))}
    </div>
  );
}

// go shows a rank's timeline around a time.
function go(v: View, files: string[], ranks: Table | undefined, rank: string, at: number, wide: number): void {
  const r = ranks?.rows.find(r => String(r[column(ranks, "rank")]) === rank),
    operand = ranks && r ? Number(r[column(ranks, "operand")] ?? 0) : 0;
  set({
    page: "timeline",
    file: files[operand] ?? v.file.id,
    range: `${Math.round(at)},${Math.round(at + wide)}`,
    window: "",
    select: "",
    slice: "",
    base: "",
  });
}

// Map draws a row for each rank and a cell for each stretch of time, in six steps.
function Map({ c, open }: { c: Chart; open: (rank: string, at: number, wide: number) => void }) {
  const [box, wide] = useWidth(900),
    list = c.columns.findIndex((x, i) => x.type === "list" || c.rows.some(r => Array.isArray(r[i]))),
    name = c.columns.findIndex(x => x.type === "string");
  const rows = useMemo(
    () => c.rows.map(r => ({ rank: String(r[name]), ps: points(r[list]) })).filter(r => r.ps.length),
    [c],
  );
  if (!rows.length) return null;
  const first = Math.min(...rows.map(r => r.ps[0].id)),
    last = Math.max(...rows.map(r => r.ps[r.ps.length - 1].id)),
    cell = Math.max(1, rows[0].ps.length > 1 ? rows[0].ps[1].id - rows[0].ps[0].id : last - first),
    span = last - first + cell,
    left = 54,
    high = rows.length > 60 ? 6 : rows.length > 20 ? 12 : 20,
    x = (t: number) => left + ((wide - left) * (t - first)) / span;
  const each = Math.max(1, Math.ceil(16 / high));
  return (
    <figure class="chart" style={{ margin: "10px 0" }} data-chart="heat">
      <figcaption>
        {c.title}
        <span class="what">by rank over the run; a click shows it on the rank's timeline</span>
      </figcaption>
      <div ref={box}>
        <svg
          class="plot"
          role="img"
          aria-label={`${c.title}: ${rows.length} ranks over ${time(span)}`}
          width={wide}
          height={rows.length * high + 18}
          onMouseLeave={card.hide}
        >
          {rows.map((r, i) => (
            <g key={r.rank}>
              {i % each === 0 && (
                <text class="ax" x={left - 6} y={i * high + Math.min(high, 14) - 2} text-anchor="end">
                  {r.rank}
                </text>
              )}
              {r.ps.map((p, k) => (
                <rect
                  key={k}
                  x={x(p.id)}
                  y={i * high}
                  width={Math.max(1, ((wide - left) * cell) / span + 0.4)}
                  height={high - 1}
                  style={{ fill: `var(--h${heat(p.value)})` }}
                  onMouseMove={e =>
                    card.show(
                      {
                        title: "Rank " + r.rank,
                        lines: [
                          [c.title, say(p.value, "%")],
                          ["At", time(p.id - first)],
                        ],
                      },
                      new card.Anchor(e.clientX, e.clientY),
                    )
                  }
                  onClick={() => open(r.rank, p.id, cell)}
                />
              ))}
            </g>
          ))}
          {ticks(0, span, false, 6).map(t => (
            <text key={t} class="ax" x={x(first + t)} y={rows.length * high + 13} text-anchor={t ? "middle" : "start"}>
              {time(t, 3)}
            </text>
          ))}
        </svg>
      </div>
      <div class="hl" aria-hidden="true">
        <span>0</span>
        {[0, 1, 2, 3, 4, 5].map(h => (
          <i key={h} class={"h" + h} />
        ))}
        <span>100 %</span>
      </div>
    </figure>
  );
}
