import { Drawn } from "./chart";
import type { Chart, Document } from "./document";
import { Plane } from "./plane";
import { Figure } from "./chart";
import { set } from "./state";
import { Grid } from "./table";

// Launch asks what the occupancy page wants to know of a launch.
export function Launch({ options: o }: { options: Record<string, string> }) {
  const put = (k: string, v: string) => set({ ask: String(new URLSearchParams({ ...o, [k]: v })) }, false);
  const slide = (k: string, label: string, max: number, step: number) => (
    <label>
      {label}{" "}
      <input
        type="range"
        min={k === "block" ? step : 0}
        max={max}
        step={step}
        value={o[k] ?? 0}
        onInput={e => put(k, e.currentTarget.value)}
      />
      <input
        type="number"
        aria-label={label}
        min={0}
        max={max}
        value={o[k] ?? 0}
        onChange={e => put(k, e.currentTarget.value)}
      />
    </label>
  );
  const amd = /^gfx|^mi|^amd/i.test(o.device ?? "");
  return (
    <form class="launch" onSubmit={e => e.preventDefault()}>
      <label>
        Device <input value={o.device} list="devices" onChange={e => put("device", e.currentTarget.value)} />
      </label>
      <datalist id="devices">
        {["sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120", "gfx90a", "gfx942"].map(d => (
          <option value={d} />
        ))}
      </datalist>
      {slide("block", amd ? "Work-group" : "Block size", 1024, 32)}
      {slide("registers", amd ? "VGPRs" : "Registers", amd ? 512 : 255, 1)}
      {slide("shared", amd ? "LDS bytes" : "Shared memory bytes", 233472, 1024)}
      {amd && slide("sgprs", "SGPRs", 128, 1)}
    </form>
  );
}

// Occupancy shows the table, and each curve with the launch's own place marked.
export function Occupancy({ document: d }: { document: Document }) {
  const [s] = d.sections;
  return (
    <section>
      <h2>{s.title}</h2>
      {s.tables.map((t, i) => (
        <Grid key={i} table={t} id={"0." + i} />
      ))}
      <div class="curves">
        {(s.sections ?? [])
          .flatMap(p => p.charts)
          .map((c, i) => (
            <div key={c.id}>
              <Figure title={c.title} name={c.id}>
                <Curve chart={c} own={c.x.mark ?? -1} />
              </Figure>
              <details class="numbers">
                <summary>Numbers of the chart</summary>
                <Grid table={c} id={"0.c" + i} />
              </details>
            </div>
          ))}
      </div>
      {d.sections
        .slice(1)
        .flatMap((s, k) =>
          s.charts.map((c, i) => <Drawn key={`${k}.${i}`} chart={c} bases={[]} id={`${k + 1}.${i}`} />),
        )}
    </section>
  );
}

function Curve({ chart: c, own }: { chart: Chart; own: number }) {
  const dots = c.rows
    .map(r => ({ x: Number(r[0]), y: Number(r[1]), label: `${r[0]}: ${r[1]}` }))
    .filter(d => Number.isFinite(d.x) && Number.isFinite(d.y));
  if (!dots.length) return null;
  const at = dots.find(d => d.x >= own) ?? dots[dots.length - 1];
  return (
    <Plane
      title={c.title}
      curves={[
        { dots: [{ ...dots[0], y: 0 }, ...dots, { ...dots[dots.length - 1], y: 0 }], label: c.title, kind: "area" },
      ]}
      dots={
        at && own >= 0
          ? [{ x: Math.min(own, dots[dots.length - 1].x), y: at.y, label: `this launch: ${own}, ${at.y} ${c.y.label}` }]
          : []
      }
      x={c.x.label}
      y={c.y.label}
      top={c.y.max}
    />
  );
}
