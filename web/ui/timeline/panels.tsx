import { useEffect, useState } from "preact/hooks";
import * as api from "../api";
import type { Document } from "../document";
import { firstSentences } from "../finding";
import { Icon } from "../icon";
import { clean, kernel, kind, short } from "../names";
import { count, num, say } from "../num";
import { Alert, copy, KernelName, Note as Nothing, To } from "../parts";
import { plainTitle } from "../stats";
import { path } from "./layout";
import { toTimeline } from "./link";
import { type Fact as TheFact, type Named, type Slice, type Source, time } from "./model";
import type { Kept } from "./notes";

const Fact = ({ label, v }: { label: string; v: preact.ComponentChild }) => (
  <div>
    <dt>{label}</dt>
    <dd>{v}</dd>
  </div>
);

const at = (ns: number) => {
  const n = num(ns, "ns");
  return (
    <>
      {n.text}
      <span class="u">{n.unit}</span>
    </>
  );
};

// Chosen tells of the chosen slice: when, what it was launched with, what caused it.
export function Chosen({
  source,
  slice,
  links,
  go,
  pick,
}: {
  source: Source;
  slice: Slice | null;
  links: Slice[];
  go: (s: Slice) => void;
  pick: (n: { name: string; full: string }) => void;
}) {
  const [facts, setFacts] = useState<TheFact[]>([]),
    [all, setAll] = useState<number | null>(null);
  useEffect(() => {
    let live = true;
    setFacts([]);
    setAll(null);
    if (slice) {
      source.facts(slice.id).then(
        f => live && setFacts(f),
        () => {},
      );
      source.search("^" + slice.full.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") + "$", -1, false).then(
        v => live && setAll(v.total),
        () => {},
      );
    }
    return () => {
      live = false;
    };
  }, [slice?.id]);
  if (!slice)
    return (
      <p class="mut">
        Choose a slice, or drag over some time. <kbd>/</kbd> searches, <kbd>,</kbd> <kbd>.</kbd> step to neighbours.
      </p>
    );
  const call = links.find(o => o.id === slice.call),
    stream = source.tracks[slice.track]?.kind === "stream";
  const text = `${slice.full}\nstart ${source.first + BigInt(slice.start)} ns\nduration ${slice.end - slice.start} ns\n${path(source, slice.track)}\n${slice.table} row ${slice.row}`;
  return (
    <section aria-label="Chosen slice">
      <h2>
        {stream && <i class={"swt g" + kind(slice.name)} />}
        <span>{clean(slice.full || slice.name)}</span>
      </h2>
      <dl class="kv">
        <Fact label="Start" v={<span title={`${source.first + BigInt(slice.start)} ns`}>{at(slice.start)}</span>} />
        <Fact label="Duration" v={<span title={`${slice.end - slice.start} ns`}>{at(slice.end - slice.start)}</span>} />
        {facts.map(f => (
          <Fact key={f.label} label={f.label} v={f.text ? clean(f.text) : say(f.value, f.unit)} />
        ))}
        {call && <Fact label="Queued" v={at(slice.start - call.end)} />}
        <Fact label="Track" v={clean(path(source, slice.track))} />
      </dl>
      <ul class="ev">
        {links.map(o => (
          <li key={o.id}>
            <button class="chip" onClick={() => go(o)} title={clean(o.full)}>
              <Icon name={o.id === slice.call ? "arrow-up" : "arrow-down"} size="xs" />
              {o.id === slice.call ? "Called by " : "Caused "}
              {clean(short(o.name))} <b>{time(o.end - o.start)}</b>
            </button>
          </li>
        ))}
        {slice.work.length > links.length && <li class="mut">and {slice.work.length - links.length} more</li>}
        {all !== null && all > 1 && (
          <li>
            <button class="chip" onClick={() => pick(slice)}>
              <Icon name="gauge" size="xs" /> all {count(all)} of it
            </button>
          </li>
        )}
        {stream && !/^\[|memcpy|memset/i.test(slice.name) && (
          <li>
            <button
              class="chip"
              onClick={() =>
                copy(
                  `ncu --kernel-name ${JSON.stringify(kernel(slice.full).name)} --launch-count 1 --set full -o report …`,
                )
              }
            >
              <Icon name="cpu" size="xs" /> Profile with ncu: copy the command
            </button>
          </li>
        )}
        <li>
          <button class="chip" onClick={() => copy(text)}>
            <Icon name="copy" size="xs" /> Copy
          </button>
        </li>
      </ul>
    </section>
  );
}

// Sums is what the chosen time adds up to, by name.
export function Sums({
  rows,
  wide,
  error,
  pick,
  where,
}: {
  rows: Named[] | null;
  wide: number;
  error: string;
  pick: (n: Named) => void;
  where: string;
}) {
  const tsv = () => "name\tcount\ttotal_ns\n" + (rows ?? []).map(r => `${r.full}\t${r.count}\t${r.total}\n`).join("");
  if (error) return <Alert>{error}</Alert>;
  return (
    <section aria-label="Sums of the selection">
      <div class="ah">
        <b>Area of {time(wide)}</b>
        <span class="mut">{where}</span>
        {rows && <span class="mut">{num(rows.reduce((n, r) => n + r.count, 0)).text} slices</span>}
        <button class="chip" onClick={() => copy(tsv())}>
          <Icon name="copy" size="xs" /> Copy
        </button>
      </div>
      {!rows ? (
        <p role="status" class="mut">
          Adding up…
        </p>
      ) : !rows.length ? (
        <p class="mut">Nothing ran there.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>Name</th>
              <th class="number">Count</th>
              <th class="number">Total</th>
              <th class="number">Mean</th>
              <th class="number">Of the area</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, 200).map(r => (
              <tr key={r.full}>
                <td>
                  <button class="lnk" onClick={() => pick(r)} title={clean(r.full)}>
                    <KernelName full={r.full} />
                  </button>
                </td>
                <td class="number" data-raw={r.count}>
                  {count(r.count)}
                </td>
                <td class="number">{time(r.total)}</td>
                <td class="number">{time(r.total / r.count, 3)}</td>
                <td class="number">{say((100 * r.total) / wide, "%")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows && rows.length > 200 && <p class="mut">The first 200 of {rows.length} names.</p>}
    </section>
  );
}

// Found lists the names that a search found.
export function Found({
  q,
  found,
  pick,
}: {
  q: string;
  found: { total: number; names: Named[] } | null;
  pick: (n: Named) => void;
}) {
  if (!found) return <p class="mut">Nothing is searched for. A search takes a regular expression.</p>;
  return (
    <section aria-label="Results of the search">
      <div class="ah">
        <b>
          {count(found.total)} slices of {found.names.length} names
        </b>
        <span class="mut">
          <kbd>n</kbd> <kbd>N</kbd> next and previous
        </span>
      </div>
      {!found.total && (
        <p class="mut">No slice is called like {clean(q)}. A part of the name is enough; capital letters count.</p>
      )}
      <table>
        <tbody>
          {found.names.slice(0, 200).map(n => (
            <tr key={n.full}>
              <td>
                <button class="lnk" onClick={() => pick(n)} title={clean(n.full)}>
                  <KernelName full={n.full} />
                </button>
              </td>
              <td class="number">{count(n.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

// Findings are what the checks say, with the way to where it is.
export function Findings({ d }: { d: Document | null | undefined }) {
  if (!d) return <p class="mut">{api.saved ? "On the Overview." : "Checking…"}</p>;
  const all = d.sections.filter(
    s => s.tables.some(t => t.rows.length) && s.messages.some(m => m.type === "optimization" || m.type === "warning"),
  );
  if (!all.length) return <Nothing title="The checks found nothing to mend" icon="circle-check" />;
  return (
    <table>
      <tbody>
        {all.map(s => {
          const t = s.tables[0];
          return (
            <tr key={s.id}>
              <td>
                <To to={{ page: "stats", ask: s.id }}>{plainTitle(s.title)}</To>{" "}
                <span class="mut">{firstSentences(s.messages[0].text, 1)}</span>
              </td>
              <td class="number">{t.rows.length}</td>
              <td>{t.link?.to === "span" && <To to={toTimeline(t, t.rows[0])}>Show the first</To>}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

// Notes are the flags that were set, and where they are kept.
export function Notes({ of: { notes, put, where, lost }, go }: { of: Kept; go: (t: number) => void }) {
  return (
    <>
      {lost && <p class="mut">The notes are kept in the address only: {clean(lost)}</p>}
      {!notes.length ? (
        <p class="mut">
          There are no notes. <kbd>c</kbd> sets one at the chosen slice, or in the middle.{" "}
          {where ? `They are kept in ${where}, beside the file.` : "They are part of the address."}
        </p>
      ) : (
        <table>
          <tbody>
            {notes.map((n, i) => (
              <tr key={i}>
                <td>
                  <button class="lnk" onClick={() => go(n.at)}>
                    <Icon name="sticky-note" size="xs" /> {clean(n.text)}
                  </button>
                </td>
                <td class="number">{time(n.at)}</td>
                <td>
                  <button class="lnk" onClick={() => put(notes.filter((_, k) => k !== i))}>
                    Remove
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
