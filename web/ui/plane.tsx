import { useState } from "preact/hooks";
import * as card from "./card";
import { digits, num, ticks } from "./num";
import { useWidth } from "./parts";

export interface Dot {
  x: number;
  y: number;
  label: string;
  kind?: string;
  lines?: [string, string][];
  said?: [string, string]; // stands beside the dot
}
export interface Curve {
  dots: Dot[];
  label: string;
  kind: string;
  named?: string; // stands on the curve
}
export interface Guide {
  x: number;
  label: string;
}

// top is the largest of its axis: where that has a prefix all have.
const short = (v: number, unit: string | undefined, top: number): string => {
  const n = num(v, unit || (top >= 1e5 ? "bit" : ""), 3);
  return v === 0
    ? "0"
    : top >= 1e5 || unit
      ? n.text.replace(/\.0+$/, "") + n.unit.replace(/ ?bit$/, "")
      : digits(v, 3)
          .replace(/(\.\d*?)0+$/, "$1")
          .replace(/\.$/, "");
};

interface Props {
  title: string;
  x: string;
  y: string;
  xUnit?: string;
  yUnit?: string;
  curves: Curve[];
  dots: Dot[];
  guides?: Guide[];
  log?: boolean;
  logY?: boolean;
  from?: number;
  top?: number;
  left?: number; // ends that the x axis has at least
  right?: number;
  named?: [number?, number?]; // how many places of each axis have names
  high?: number;
  zone?: number; // what lies left of it is tinted
  plumb?: { x: number; y: number; to: number }[];
}

// Plane draws curves and dots over two axes, in the pixels that it has. Dots take the focus and say what they are.
export function Plane({
  title,
  x,
  y,
  xUnit,
  yUnit,
  curves,
  dots,
  guides = [],
  log = false,
  logY = false,
  from,
  top,
  left,
  right,
  named = [],
  high = 220,
  zone,
  plumb = [],
}: Props) {
  const [box, wide] = useWidth(520),
    [cross, setCross] = useState<Dot | null>(null);
  const all = [...curves.flatMap(c => c.dots), ...dots];
  if (!all.length) return null;
  const bound = (f: (d: Dot) => number, up: boolean) =>
    all.reduce((m, d) => (up ? Math.max(m, f(d)) : Math.min(m, f(d))), up ? -Infinity : Infinity);
  const near = guides.filter(g => g.x > 0 || !log);
  const x0 = Math.min(
      bound(d => d.x, false),
      left ?? Infinity,
    ),
    x1 = Math.max(
      bound(d => d.x, true),
      right ?? -Infinity,
      ...near.map(g => g.x).filter(v => v <= 20 * bound(d => d.x, true)),
    ),
    y0 =
      from ??
      Math.min(
        0,
        bound(d => d.y, false),
      ),
    y1 =
      (Math.max(
        bound(d => d.y, true),
        top ?? -Infinity,
      ) || 1) * (logY ? 2 : 1.04);
  const place = (v: number, a: number, b: number, log: boolean) =>
    log ? (Math.log10(v) - Math.log10(a)) / (Math.log10(b) - Math.log10(a) || 1) : (v - a) / (b - a || 1);
  const l = 44,
    r = wide - 8,
    t = y ? 20 : 8, // what goes upwards is said above
    b = high - 36;
  const px = (v: number) => l + (r - l) * place(v, x0, x1, log),
    py = (v: number) => b - (b - t) * place(v, y0, y1, logY);
  const hover = (e: MouseEvent & { currentTarget: Element }) => {
    const rect = e.currentTarget.getBoundingClientRect(),
      mx = e.clientX - rect.left,
      my = e.clientY - rect.top;
    let best: Dot | undefined,
      by = "",
      far = 36;
    for (const c of curves)
      for (const d of c.dots) {
        const dist = Math.hypot((px(d.x) - mx) / (c.dots.length > 8 ? 1 : 1), (py(d.y) - my) * 0.6);
        if (dist < far) {
          far = dist;
          best = d;
          by = c.label;
        }
      }
    setCross(best ?? null);
    if (best)
      card.show(
        {
          title: by,
          lines: [
            [x, short(best.x, xUnit, best.x)],
            [y, short(best.y, yUnit, best.y)],
          ],
        },
        new card.Anchor(e.clientX + 6, e.clientY),
      );
    else card.hide();
  };
  return (
    <div ref={box}>
      <svg
        role="img"
        aria-label={title}
        class="plot"
        width={wide}
        height={high}
        viewBox={`0 0 ${wide} ${high}`}
        onMouseMove={hover}
        onMouseLeave={() => {
          card.hide();
          setCross(null);
        }}
      >
        {zone !== undefined && (
          <rect class="zone" x={l} y={t} width={Math.max(0, px(Math.min(x1, Math.max(x0, zone))) - l)} height={b - t} />
        )}
        {places(x0, x1, log, Math.max(3, Math.round(wide / 110)), named[0]).map(v => (
          <g key={"x" + v}>
            <line class="gr" x1={px(v)} x2={px(v)} y1={t} y2={b} />
            <text class="ax" x={px(v)} y={b + 14} text-anchor="middle">
              {short(v, xUnit, x1)}
            </text>
          </g>
        ))}
        {places(y0, top ?? y1, logY, 4, named[1]).map(v => (
          <g key={"y" + v}>
            <line class="gr" x1={l} x2={r} y1={py(v)} y2={py(v)} />
            <text class="ax" x={l - 6} y={py(v) + 3.5} text-anchor="end">
              {short(v, yUnit, top ?? y1)}
            </text>
          </g>
        ))}
        <text class="ax" x={r} y={high - 6} text-anchor="end">
          {x}
        </text>
        <text class="ax" x={2} y={10}>
          {y}
        </text>
        {near
          .filter(g => g.x >= x0 && g.x <= x1)
          .map((g, i) => (
            <g key={g.label}>
              <line class="guide" x1={px(g.x)} x2={px(g.x)} y1={t} y2={b} />
              <text
                class="lb"
                x={px(g.x) + (px(g.x) > r - 90 ? -4 : 4)}
                y={t + 12 + 13 * (i % 8)}
                text-anchor={px(g.x) > r - 90 ? "end" : "start"}
              >
                {g.label}
              </text>
            </g>
          ))}
        {curves.map((c, i) => (
          <path
            key={i}
            class={c.kind}
            d={"M" + c.dots.map(m => `${px(m.x).toFixed(1)} ${py(m.y).toFixed(1)}`).join("L")}
          >
            <title>{c.label}</title>
          </path>
        ))}
        {curves
          .filter(c => c.named)
          .map(c => {
            const d = c.dots[c.dots.length - 1];
            return (
              <text key={c.named} class="lb" x={r - 2} y={py(d.y) - 5} text-anchor="end">
                {c.named}
              </text>
            );
          })}
        {plumb.map((p, i) => (
          <line key={i} class="plumb" x1={px(p.x)} x2={px(p.x)} y1={py(p.y)} y2={py(p.to)} />
        ))}
        {cross && curves.length > 0 && <line class="cross" x1={px(cross.x)} x2={px(cross.x)} y1={t} y2={b} />}
        {dots.map((m, i) => {
          const end = px(m.x) > r - 130;
          return (
            <>
              {m.said && (
                <>
                  <text class="pl" x={px(m.x) + (end ? -11 : 11)} y={py(m.y) + 4} text-anchor={end ? "end" : "start"}>
                    {m.said[0]}
                  </text>
                  <text class="lb" x={px(m.x) + (end ? -11 : 11)} y={py(m.y) + 18} text-anchor={end ? "end" : "start"}>
                    {m.said[1]}
                  </text>
                </>
              )}
              <Mark key={i} dot={m} x={px(m.x)} y={py(m.y)} />
            </>
          );
        })}
      </svg>
    </div>
  );
}

// places are the ticks of an axis: as many as its definition asks for, else round ones.
const places = (a: number, b: number, log: boolean, about: number, n?: number): number[] =>
  n && n > 1 && !log ? Array.from({ length: n }, (_, i) => a + ((b - a) * i) / (n - 1)) : ticks(a, b, log, about);

// Mark is a disc; those of baselines are hollow.
function Mark({ dot: m, x, y }: { dot: Dot; x: number; y: number }) {
  const note = (e: { currentTarget: Element; stopPropagation(): void }) => {
    e.stopPropagation();
    card.show({ title: m.label, lines: m.lines ?? [["", ""]] }, e.currentTarget);
  };
  return (
    <circle
      tabIndex={0}
      role="img"
      aria-label={m.label}
      onMouseMove={note}
      onFocus={note}
      onBlur={card.hide}
      class={m.kind || "pt"}
      r="6"
      cx={x}
      cy={y}
    />
  );
}
