import { useMemo } from "preact/hooks";
import * as api from "./api";
import { type Chart, type Document } from "./document";
import { Figure, steps } from "./chart";
import { metricOf } from "./finding";
import { kernel } from "./names";
import { count, num, say } from "./num";
import { Alert, Busy, Note, Pick } from "./parts";
import { Facts } from "./plainpage";
import { Plane } from "./plane";
import { set } from "./state";
import { useAsk, useDoc, pageOf, type View } from "./use";

const devices = ["sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120", "gfx90a", "gfx942"];

// ofLaunch is what the calculator wants to know of a launch, as the report has it.
async function ofLaunch(file: string, launch: number): Promise<Record<string, string> | null> {
  const s = (await api.page("details", file, { "print-details": "all" }, launch)).sections[0];
  if (!s) return null;
  const m = (n: string) => {
      const v = metricOf(s, n)?.value;
      return typeof v === "number" ? String(v) : undefined;
    },
    cc = String(s.properties?.cc ?? "").replace(".", "");
  const out: Record<string, string> = { sweep: "true" };
  if (cc) out.device = "sm_" + cc;
  const shared =
    Number(m("launch__shared_mem_per_block_dynamic") ?? 0) + Number(m("launch__shared_mem_per_block_static") ?? 0);
  for (const [k, v] of [
    ["block", m("launch__block_size")],
    ["registers", m("launch__registers_per_thread")],
    ["shared", shared ? String(shared) : m("launch__shared_mem_per_block")],
  ] as const)
    if (v !== undefined) out[k] = v;
  return out.block ? out : null;
}

// Occupancy computes how much of a kernel fits on a multiprocessor, beginning with the launch in view.
export function Occupancy({ v }: { v: View }) {
  const page = pageOf(v, "occupancy"),
    asked = v.state.ask?.includes("=") ? Object.fromEntries(new URLSearchParams(v.state.ask)) : null,
    report = api.holds(v.file, "launches") && !v.file.error,
    ready = !report || v.launches !== null;
  const from = useAsk(
    !asked && report && ready ? JSON.stringify(["launch", v.file.id, v.launch, v.revision]) : "",
    () => (!asked && report && ready ? ofLaunch(v.file.id, v.launch).catch(() => null) : null),
  );
  const first: Record<string, string> = {};
  for (const [k, x] of Object.entries(page?.first ?? {})) first[k] = x[x.length - 1];
  const filled = !!asked || !report || (ready && !from.busy),
    opts = asked ?? (from.got ? { ...first, ...from.got } : first);
  const { got, error } = useDoc(
    { ...v, state: { ...v.state, base: "" } },
    "occupancy",
    filled ? opts : first,
    undefined,
    "",
  );
  if (!page) return <Note title="The calculator is not part of this export" />;
  const put = (k: string, x: string) => set({ ask: String(new URLSearchParams({ ...opts, [k]: x })) }, false);
  return (
    <div class="wrap" id={got && filled ? "page" : undefined} data-page="occupancy">
      {!got || !filled ? (
        error ? null : (
          <Busy what="Computing" />
        )
      ) : (
        <Board
          d={got.doc}
          o={opts}
          put={put}
          of={from.got && !asked ? kernel(v.launches?.find(l => l.number === v.launch)?.kernel ?? "").name : ""}
          v={v}
        />
      )}
      {error && <Alert title="That cannot be computed.">{error}</Alert>}
    </div>
  );
}

function Board({
  d,
  o,
  put,
  of,
  v,
}: {
  d: Document;
  o: Record<string, string>;
  put: (k: string, x: string) => void;
  of: string;
  v: View;
}) {
  const [s] = d.sections,
    t = s.tables[0],
    said = s.properties ?? {},
    share = Number(said.occupancy ?? 0),
    warps = Number(said.active),
    blocks = Number(said.groups),
    limit = String(said.limits ?? "")
      .toLowerCase()
      .replace(/, (?=[^,]*$)/, " and "),
    swept = (s.sections ?? []).map(p => ({ option: String(p.properties?.option), chart: p.charts[0] })),
    most = Number(said.most ?? 0);
  const amd = /^gfx|^mi|^amd/i.test(o.device ?? "");
  const slide = (k: string, label: string, max: number, step: number) => (
    <label>
      {label}
      <input
        class="field"
        type="number"
        aria-label={label}
        min={0}
        max={max}
        value={o[k] ?? 0}
        onChange={e => put(k, e.currentTarget.value)}
      />
      <input
        type="range"
        aria-label={label + ", slider"}
        min={k === "block" ? step : 0}
        max={max}
        step={step}
        value={o[k] ?? 0}
        onInput={e => put(k, e.currentTarget.value)}
      />
    </label>
  );
  const tries = useMemo(() => neighbours(swept, o, warps), [d]);
  return (
    <>
      <section class="verdict">
        <div>
          <p class="eyebrow">Occupancy{of && ` of ${of}`}</p>
          {s.properties ? (
            <h1>
              {of ? <code>{of}</code> : "Such a launch"} keeps <b>{say(share, "%")}</b> of the warps of a multiprocessor
              in flight; {limit ? <b>{limit}</b> : "nothing"} {/ and |s$/.test(limit) ? "limit" : "limits"} it.
            </h1>
          ) : (
            <h1>{s.messages[0]?.text}</h1>
          )}
          {s.properties && (
            <p class="sec">
              {count(blocks)} {blocks === 1 ? "block" : "blocks"} of {count(Number(o.block))} threads, {count(warps)} of{" "}
              {count(most)} warps.
            </p>
          )}
        </div>
        {v.state.ask && api.holds(v.file, "launches") && (
          <button class="btn" onClick={() => set({ ask: "" })}>
            As launched
          </button>
        )}
      </section>
      <div class="occ">
        <form class="in" onSubmit={e => e.preventDefault()}>
          <label>
            Device
            <Pick
              id="device"
              label="Device"
              value={o.device ?? ""}
              pick={x => put("device", x)}
              options={[...new Set([o.device ?? "", ...devices])].filter(Boolean).map((x): [string, string] => [x, x])}
            />
          </label>
          {slide("block", amd ? "Work-group" : "Block size", 1024, 32)}
          {slide("registers", amd ? "VGPRs" : "Registers", amd ? 512 : 255, 1)}
          {slide("shared", amd ? "LDS bytes" : "Shared memory, bytes", 233472, 1024)}
          {amd && slide("sgprs", "SGPRs", 128, 1)}
        </form>
        <div>
          <p class="big num">
            {num(share, "%").text}
            <span class="u">%</span>
          </p>
          <div class="sqs" role="img" aria-label={`${warps} of ${most} warps`}>
            {Array.from({ length: Math.min(128, most) }, (_, i) => (
              <i key={i} class={i < warps ? "on" : ""} />
            ))}
          </div>
          {t && <Facts t={t} all />}
          {tries.length > 0 && (
            <>
              <p class="bh" style={{ marginTop: "16px" }}>
                Try<span>neighbours that gain</span>
              </p>
              <div class="mt">
                <table aria-label="Neighbours that gain">
                  <tbody>
                    {tries.map(x => (
                      <tr key={x.k + x.at}>
                        <td>
                          <button class="ml" style={{ color: "var(--accent)" }} onClick={() => put(x.k, String(x.at))}>
                            {x.label} {count(x.at)}
                          </button>
                        </td>
                        <td class="number">{count(x.warps)} warps</td>
                        <td class="number">{say((100 * x.warps) / most, "%")}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          )}
        </div>
        <div class="three">
          {swept.map(({ chart: c }) => (
            <Figure key={c.id} title={c.title.replace(/^warps in flight over /, "")} what="warps in flight" name={c.id}>
              <Curve chart={c} own={c.x.mark ?? -1} />
            </Figure>
          ))}
        </div>
      </div>
    </>
  );
}

// neighbours are the nearest places on each curve where more warps would fit.
function neighbours(swept: { option: string; chart: Chart }[], o: Record<string, string>, warps: number) {
  const labels: Record<string, string> = {
    registers: "registers",
    shared: "bytes of shared memory",
    block: "threads in a block",
  };
  return swept.flatMap(({ option: k, chart: c }) => {
    const own = c.x.mark ?? -1;
    if (!labels[k] || own < 0) return [];
    const xs = c.rows
      .map(r => [Number(r[0]), Number(r[1])] as const)
      .filter(p => p[1] > warps && (k !== "block" || (p[0] % 32 === 0 && p[0] >= 64)));
    const near = xs.reduce<readonly [number, number] | null>(
      (m, p) => (!m || Math.abs(p[0] - own) < Math.abs(m[0] - own) ? p : m),
      null,
    );
    return near && String(near[0]) !== o[k] ? [{ k, label: labels[k], at: near[0], warps: near[1] }] : [];
  });
}

function Curve({ chart: c, own }: { chart: Chart; own: number }) {
  const dots = c.rows
    .map(r => ({ x: Number(r[0]), y: Number(r[1]), label: `${r[0]}: ${r[1]}` }))
    .filter(d => Number.isFinite(d.x) && Number.isFinite(d.y));
  if (!dots.length) return null;
  const at = dots.filter(d => d.x <= own).pop() ?? dots[0];
  return (
    <Plane
      title={c.title}
      high={150}
      curves={[{ dots: steps(dots), label: c.title, kind: "curve" }]}
      dots={
        at && own >= 0
          ? [
              {
                x: Math.min(own, dots[dots.length - 1].x),
                y: at.y,
                label: `this launch: ${own}, ${at.y} ${c.y.label}`,
                lines: [
                  [c.x.label, String(own)],
                  [c.y.label, String(at.y)],
                ],
              },
            ]
          : []
      }
      x={c.x.label}
      y={c.y.label}
      top={c.y.max}
      from={0}
    />
  );
}
