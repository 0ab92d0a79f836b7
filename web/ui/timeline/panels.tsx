import { useEffect, useRef, useState } from "preact/hooks";
import { shade } from "./draw";
import { path } from "./layout";
import { type Named, type Slice, type Source, time } from "./model";

const copy = (text: string) => {
  navigator.clipboard?.writeText(text).catch(() => {});
};

// Drawer tells of the chosen slice.
export function Drawer({
  source,
  slice,
  links,
  go,
  close,
}: {
  source: Source;
  slice: Slice;
  links: Slice[];
  go: (s: Slice) => void;
  close: () => void;
}) {
  const to = (what: string, o: Slice) => (
    <li>
      {what}{" "}
      <button class="link" onClick={() => go(o)}>
        {o.name}
      </button>{" "}
      {time(o.end - o.start)}, {source.tracks[o.track]?.name}
    </li>
  );
  const text = `${slice.full}\nstart ${source.first + BigInt(slice.start)} ns\nduration ${slice.end - slice.start} ns\n${path(source, slice.track)}\n${slice.table} row ${slice.row}`;
  return (
    <section class="tl-drawer" aria-label="Chosen slice">
      <h2>{slice.name}</h2>
      {source.about && <p>Times are those of the picture.</p>}
      <dl>
        {slice.full !== slice.name && (
          <>
            <dt>Name</dt>
            <dd>{slice.full}</dd>
          </>
        )}
        <dt>Start</dt>
        <dd>
          {time(slice.start)} <small>({String(source.first + BigInt(slice.start))} ns)</small>
        </dd>
        <dt>Duration</dt>
        <dd>
          {time(slice.end - slice.start)} <small>({slice.end - slice.start} ns)</small>
        </dd>
        <dt>Track</dt>
        <dd>
          {path(source, slice.track)}, depth {slice.depth}
        </dd>
        {slice.table && (
          <>
            <dt>Table</dt>
            <dd>
              {slice.table}, row {slice.row}
            </dd>
          </>
        )}
        {links.some(o => o.id === slice.call) && (
          <>
            <dt>Delay</dt>
            <dd>{time(slice.start - links.find(o => o.id === slice.call)!.end)} after the call returned</dd>
          </>
        )}
      </dl>
      {links.length > 0 && (
        <ul>
          {links.map(o => to(o.id === slice.call ? "Called by" : "Caused", o))}
          {slice.work.length > links.length && <li>and {slice.work.length - links.length} more</li>}
        </ul>
      )}
      <p>
        <button onClick={() => copy(text)}>Copy</button> <button onClick={close}>Close</button>
      </p>
    </section>
  );
}

// Sums is what the chosen time adds up to.
export function Sums({
  rows,
  wide,
  error,
  pick,
  close,
}: {
  rows: Named[] | null;
  wide: number;
  error: string;
  pick: (n: Named) => void;
  close: () => void;
}) {
  const tsv = () => "name\tcount\ttotal_ns\n" + (rows ?? []).map(r => `${r.full}\t${r.count}\t${r.total}\n`).join("");
  return (
    <section class="tl-drawer" aria-label="Sums of the selection">
      <h2>Selection of {time(wide)}</h2>
      {error ? (
        <p role="alert" class="error">
          {error}
        </p>
      ) : !rows ? (
        <p role="status">Adding up…</p>
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th>Name</th>
                <th class="number">Count</th>
                <th class="number">Total</th>
                <th class="number">Mean</th>
                <th class="number">Of the selection</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, 200).map(r => (
                <tr>
                  <td>
                    <button class="link" onClick={() => pick(r)} title={r.full}>
                      {r.name}
                    </button>
                  </td>
                  <td class="number">{r.count}</td>
                  <td class="number">{time(r.total)}</td>
                  <td class="number">{time(r.total / r.count)}</td>
                  <td class="number">{((100 * r.total) / wide).toFixed(1)} %</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p>
        {rows && rows.length > 200 && `The first 200 of ${rows.length} names. `}
        <button onClick={() => copy(tsv())}>Copy</button> <button onClick={close}>Close</button>
      </p>
    </section>
  );
}

// Found lists the names that a search found.
export function Found({
  total,
  names,
  pick,
  close,
}: {
  total: number;
  names: Named[];
  pick: (n: Named) => void;
  close: () => void;
}) {
  return (
    <section class="tl-drawer" aria-label="Results of the search">
      <h2>
        {total} slices of {names.length} names
      </h2>
      <ul class="tl-found">
        {names.slice(0, 200).map(n => (
          <li>
            <button class="link" onClick={() => pick(n)} title={n.full}>
              {n.name}
            </button>{" "}
            {n.count}
          </li>
        ))}
      </ul>
      <p>
        <small>
          A name goes to its next slice. <kbd>n</kbd> <kbd>N</kbd>: next and previous of the search.
        </small>{" "}
        <button onClick={close}>Close</button>
      </p>
    </section>
  );
}

// Minimap shows the streams of the whole file, or the other tracks where there
// is none, and the window within it.
export function Minimap({
  source,
  a,
  b,
  dark,
  show,
}: {
  source: Source;
  a: number;
  b: number;
  dark: boolean;
  show: (a: number, b: number) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null),
    [busy, setBusy] = useState<Float32Array | null>(null),
    cells = 600;
  useEffect(() => {
    const leaf = source.tracks.map((_, k) => k).filter(k => source.tracks[k].rows > 0),
      streams = leaf.filter(k => source.tracks[k].kind === "stream");
    const tracks = streams.length ? streams : leaf;
    if (!tracks.length) return;
    source.view(0, source.span, cells, tracks.slice(0, 200), 1).then(
      v => {
        const out = new Float32Array(cells);
        v.rows.forEach(items => {
          for (let i = 0; i < items.x.length; i++) {
            const from = Math.floor((items.x[i] * cells) / 65536),
              to = Math.min(cells - 1, Math.floor(((items.x[i] + items.wide[i]) * cells) / 65536));
            for (let k = from; k <= to; k++)
              out[k] += (items.density[i] / 255) * (to > from ? 1 : Math.max(0.1, (items.wide[i] * cells) / 65535));
          }
        });
        setBusy(out);
      },
      () => {},
    );
  }, [source]);
  useEffect(() => {
    const c = canvas.current,
      g = c?.getContext("2d");
    if (!c || !g) return;
    const ratio = devicePixelRatio || 1,
      w = c.clientWidth,
      h = c.clientHeight;
    c.width = w * ratio;
    c.height = h * ratio;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    const most = busy ? Math.max(0.01, ...busy) : 1;
    g.fillStyle = shade(6, dark);
    busy?.forEach((v, i) => g.fillRect((i * w) / cells, h - (v / most) * h, w / cells + 0.5, (v / most) * h));
    const x0 = (a / source.span) * w,
      x1 = Math.max(x0 + 3, (b / source.span) * w);
    g.fillStyle = dark ? "rgba(0,0,0,.6)" : "rgba(90,100,110,.35)";
    g.fillRect(0, 0, x0, h);
    g.fillRect(x1, 0, w - x1, h);
    g.strokeStyle = dark ? "#6cb2ff" : "#0b62b8";
    g.lineWidth = 2;
    g.strokeRect(x0 + 1, 1, Math.max(1, x1 - x0 - 2), h - 2);
  });
  const move = (e: PointerEvent) => {
    if (!e.buttons || !canvas.current) return;
    const at = (e.offsetX / canvas.current.clientWidth) * source.span;
    show(at - (b - a) / 2, at + (b - a) / 2);
  };
  return (
    <canvas
      ref={canvas}
      class="tl-map"
      role="img"
      aria-label="Whole file with the window that is shown; drag to move it"
      onPointerDown={e => {
        e.currentTarget.setPointerCapture(e.pointerId);
        move(e);
      }}
      onPointerMove={move}
    />
  );
}
