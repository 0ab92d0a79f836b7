import { useEffect, useRef, useState } from "preact/hooks";
import { gpusOf, utilisation } from "../overviewtrace";
import { colours } from "./colour";
import type { Source } from "./model";

const cells = 600;

// Minimap shows how busy each GPU is over the whole, or the other tracks where there
// is none, what a search found, and the window.
export function Minimap({
  source,
  a,
  b,
  hits,
  theme,
  show,
}: {
  source: Source;
  a: number;
  b: number;
  hits: number[];
  theme: number;
  show: (a: number, b: number) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null),
    [rows, setRows] = useState<{ name: string; bins: Float32Array }[]>([]);
  useEffect(() => {
    let live = true;
    (async () => {
      const gpus = gpusOf(source).slice(0, 4),
        all = gpus.length
          ? gpus.map(g => ({ name: g.name, tracks: g.streams }))
          : [{ name: "All tracks", tracks: source.tracks.map((_, k) => k).filter(k => source.tracks[k].rows > 0) }],
        out: { name: string; bins: Float32Array }[] = [];
      for (const g of all) out.push({ name: g.name, bins: await utilisation(source, g.tracks, 0, source.span, cells) });
      if (live) setRows(out);
    })().catch(() => {});
    return () => {
      live = false;
    };
  }, [source]);
  useEffect(() => {
    const c = canvas.current,
      g = c?.getContext("2d");
    if (!c || !g) return;
    const ratio = devicePixelRatio || 1,
      w = c.clientWidth,
      h = c.clientHeight,
      k = colours();
    c.width = w * ratio;
    c.height = h * ratio;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    const each = (h - 4) / Math.max(1, rows.length);
    rows.forEach((r, i) => {
      g.fillStyle = k.c[i % 2 ? 3 : 1];
      r.bins.forEach((v, n) =>
        g.fillRect((n * w) / cells, 2 + (i + 1) * each - v * (each - 2), w / cells + 0.5, v * (each - 2)),
      );
    });
    const x0 = (a / source.span) * w,
      x1 = Math.max(x0 + 3, (b / source.span) * w);
    g.fillStyle = k.shade;
    g.fillRect(0, 0, x0, h);
    g.fillRect(x1, 0, w - x1, h);
    g.fillStyle = k.worse;
    for (const t of hits) g.fillRect((t / source.span) * w - 0.5, 0, 1.5, 6);
    g.strokeStyle = k.accent;
    g.lineWidth = 2;
    g.strokeRect(x0 + 1, 1, Math.max(1, x1 - x0 - 2), h - 2);
    g.fillStyle = k.accent;
    for (const x of [x0, x1]) {
      g.beginPath();
      g.roundRect(x - 3, h / 2 - 7, 6, 14, 3);
      g.fill();
    }
  }, [rows, a, b, hits, theme]);
  const drag = useRef<"move" | "a" | "b">("move");
  const move = (e: PointerEvent) => {
    const c = canvas.current;
    if (!e.buttons || !c) return;
    const at = (e.offsetX / c.clientWidth) * source.span;
    if (drag.current === "a") show(Math.min(at, b - 1), b);
    else if (drag.current === "b") show(a, Math.max(at, a + 1));
    else show(at - (b - a) / 2, at + (b - a) / 2);
  };
  return (
    <div class="tl-map">
      <div aria-hidden="true">
        {rows.map(r => (
          <span key={r.name}>{r.name}</span>
        ))}
      </div>
      <canvas
        ref={canvas}
        role="img"
        aria-label="The whole with the window that is shown; drag to move it"
        onPointerDown={e => {
          const c = canvas.current!,
            px = (t: number) => (t / source.span) * c.clientWidth;
          drag.current = Math.abs(e.offsetX - px(a)) < 6 ? "a" : Math.abs(e.offsetX - px(b)) < 6 ? "b" : "move";
          e.currentTarget.setPointerCapture(e.pointerId);
          move(e);
        }}
        onPointerMove={move}
      />
    </div>
  );
}
