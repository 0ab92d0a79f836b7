import type { Document, Message, Section } from "./document";
import { Drawn } from "./chart";
import { spots } from "./spot";
import { Grid } from "./table";
import { read, set } from "./state";
import { useLayoutEffect, useMemo } from "preact/hooks";

const words: Record<string, string> = { ok: "Note", optimization: "Optimization", warning: "Warning", error: "Error" };

export function Page({ document: d, base }: { document: Document; base?: Document }) {
  const hottest = useMemo(() => d.title === "source" ? spots(d) : [], [d]);
  useLayoutEffect(() => { // at once: no key is lost
    const key = (e: KeyboardEvent) => {
      if (e.ctrlKey || e.metaKey || e.altKey || !hottest.length || e.target instanceof HTMLInputElement || e.target instanceof HTMLTextAreaElement) return;
      const at = hottest.indexOf(read().spot ?? ""), n = hottest.length;
      if (e.key === "n") set({ spot: hottest[(at + 1) % n] }, false);
      else if (e.key === "p") set({ spot: hottest[(Math.max(at, 0) + n - 1) % n] }, false);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [hottest]);
  if (d.sections.length === 0) return <p class="empty">There is nothing to show.</p>;
  return <>{d.title === "details" && d.sections.length > 1 && <Kernels sections={d.sections} />}{d.sections.map((s, i) => <Part key={i} section={s} base={base?.sections[i]} id={String(i)} level={2} hot={d.title === "source"} />)}</>;
}

const all = (s: Section): Message[] => [...s.messages, ...(s.sections ?? []).flatMap(all)];

// Kernels lists the launches, those first that promise most.
function Kernels({ sections }: { sections: Section[] }) {
  const rows = sections.map((s, i) => {
    const found = all(s).filter(m => m.speedup).sort((a, b) => b.speedup!.percent - a.speedup!.percent)[0];
    let duration = "";
    for (const p of s.sections ?? []) for (const t of p.tables) {
      const r = t.rows.findIndex(r => r[0] === "gpu__time_duration.sum"), v = t.columns.findIndex(c => c.name === "value"), u = t.columns.findIndex(c => c.name === "unit");
      if (r >= 0 && v >= 0 && !duration) duration = `${t.text[r][v]} ${t.text[r][u] ?? ""}`;
    }
    return { i, title: s.title, duration, gain: found?.speedup?.percent ?? 0, what: found?.title ?? "" };
  }).sort((a, b) => b.gain - a.gain);
  return <figure class="grid" id="kernels"><figcaption><b>Kernels, the largest estimated speedup first</b></figcaption><div class="scroll" tabIndex={0}><table>
    <thead><tr><th>Kernel</th><th class="number">Duration</th><th class="number">Est. speedup</th><th>Finding</th></tr></thead>
    <tbody>{rows.slice(0, 200).map(r => <tr key={r.i}><td><button class="link" onClick={() => document.getElementById("s" + r.i)?.scrollIntoView()}>{r.title}</button></td>
      <td class="number">{r.duration}</td><td class="number">{r.gain ? r.gain.toPrecision(4) + " %" : ""}</td><td>{r.what}</td></tr>)}</tbody></table></div></figure>;
}

function Part({ section: s, base, id, level, hot }: { section: Section; base?: Section; id: string; level: number; hot: boolean }) {
  const Heading = level === 2 ? "h2" : "h3";
  const found = [...s.messages].sort((a, b) => (b.speedup?.percent ?? 0) - (a.speedup?.percent ?? 0));
  return <section id={"s" + id} class={"level" + level}>
    {s.title && <Heading>{s.title}</Heading>}{s.description && <p class="about">{s.description}</p>}
    {found.map((m, i) => <Said key={i} message={m} id={`${id}.m${i}`} />)}
    {s.tables.map((t, i) => <Grid key={i} table={t} base={base?.tables.find(b => b.id === t.id)} id={`${id}.${i}`} hot={hot} />)}
    {s.charts.map((c, i) => <Drawn key={i} chart={c} base={base?.charts[i]} id={`${id}.c${i}`} />)}
    {s.sections?.map((p, i) => <Part key={i} section={p} base={base?.sections?.find(b => b.id === p.id)} id={`${id}-${i}`} level={3} hot={hot} />)}
  </section>;
}

function Said({ message: m, id }: { message: Message; id: string }) {
  return <aside class={"message " + m.type}><b>{words[m.type] ?? ""} {m.title}</b>
    {m.speedup && <span class="gain">Est. {m.speedup.scope === "local" ? "local " : ""}speedup {m.speedup.percent.toPrecision(4)} %</span>}
    <p>{m.text}</p>{m.source && <small>{m.source}</small>}
    {m.tables && <details><summary>What this rests on</summary>{m.tables.map((t, i) => <Grid key={i} table={t} id={`${id}.${i}`} />)}</details>}</aside>;
}

