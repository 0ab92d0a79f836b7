import * as card from "./card";

export interface Dot {
  x: number;
  y: number;
  label: string;
  kind?: string;
  lines?: [string, string][];
}
export interface Curve {
  dots: Dot[];
  label: string;
  kind: string;
  named?: boolean;
}
export interface Guide {
  x: number;
  label: string;
}

const short = (v: number) =>
  v !== 0 && (Math.abs(v) >= 1e5 || Math.abs(v) < 1e-3) ? v.toExponential(1) : String(Number(v.toPrecision(4)));

// ticks are round numbers from a to b: 1, 2 or 5 times a power of ten, or with
// log powers of ten.
function ticks(a: number, b: number, log: boolean): number[] {
  if (log) {
    const n = Math.floor(Math.log10(b) + 1e-9) - Math.ceil(Math.log10(a) - 1e-9) + 1,
      every = Math.ceil(n / 10);
    return Array.from(
      { length: Math.max(0, Math.floor((n - 1) / every) + 1) },
      (_, i) => 10 ** (Math.ceil(Math.log10(a) - 1e-9) + i * every),
    );
  }
  const raw = (b - a) / 6 || 1,
    power = 10 ** Math.floor(Math.log10(raw)),
    step = power * ([1, 2, 5, 10].find(s => s * power >= raw) ?? 10);
  return Array.from({ length: Math.floor((b - a) / step + 1e-9) + 1 }, (_, i) => a + i * step);
}

interface Props {
  title: string;
  x: string;
  y: string;
  curves: Curve[];
  dots: Dot[];
  guides?: Guide[];
  log?: boolean;
  logY?: boolean;
  from?: number;
  top?: number;
}

// Plane draws curves and dots over two axes. Dots take the focus and say what they are.
export function Plane({ title, x, y, curves, dots, guides = [], log = false, logY = false, from, top }: Props) {
  const all = [...curves.flatMap(c => c.dots), ...dots];
  if (!all.length) return null;
  const bound = (f: (d: Dot) => number, up: boolean) =>
    all.reduce((m, d) => (up ? Math.max(m, f(d)) : Math.min(m, f(d))), up ? -Infinity : Infinity);
  const near = guides.filter(g => g.x > 0 || !log);
  const x0 = bound(d => d.x, false),
    x1 = Math.max(
      bound(d => d.x, true),
      ...near.map(g => g.x).filter(v => v <= 20 * bound(d => d.x, true)),
    ),
    y0 = from ?? 0,
    y1 =
      (Math.max(
        bound(d => d.y, true),
        top ?? -Infinity,
      ) || 1) * (logY ? 2 : 1);
  const place = (v: number, a: number, b: number, log: boolean) =>
    log ? (Math.log10(v) - Math.log10(a)) / (Math.log10(b) - Math.log10(a) || 1) : (v - a) / (b - a || 1);
  const px = (v: number) => 62 + 710 * place(v, x0, x1, log),
    py = (v: number) => 270 - 250 * place(v, y0, y1, logY);
  const hover = (e: MouseEvent & { currentTarget: Element }) => {
    // the nearest point of a curve
    const b = e.currentTarget.getBoundingClientRect(),
      mx = ((e.clientX - b.left) / b.width) * 800,
      my = ((e.clientY - b.top) / b.height) * 310;
    let best: Dot | undefined,
      by = "",
      far = 40;
    for (const c of curves)
      for (const d of c.dots) {
        const l = Math.hypot(px(d.x) - mx, py(d.y) - my);
        if (l < far) {
          far = l;
          best = d;
          by = c.label;
        }
      }
    if (best)
      card.show(
        {
          title: by,
          lines: [
            [x, short(best.x)],
            [y, short(best.y)],
          ],
        },
        new Anchor(e.clientX, e.clientY) as unknown as Element,
      );
    else card.hide();
  };
  return (
    <svg role="img" aria-label={title} viewBox="0 0 800 310" onMouseMove={hover} onMouseLeave={card.hide}>
      {ticks(x0, x1, log).map(t => (
        <>
          <line class="rule" x1={px(t)} x2={px(t)} y1="20" y2="270" />
          <text x={px(t)} y="286" text-anchor="middle">
            {short(t)}
          </text>
        </>
      ))}
      {ticks(y0, y1, logY).map(t => (
        <>
          <line class="rule" x1="62" x2="772" y1={py(t)} y2={py(t)} />
          <text x="56" y={py(t) + 4} text-anchor="end">
            {short(t)}
          </text>
        </>
      ))}
      <text x="410" y="304" text-anchor="middle">
        {x}
      </text>
      <text x="4" y="12">
        {y}
      </text>
      {near
        .filter(g => g.x >= x0 && g.x <= x1)
        .map((g, i) => (
          <g class="guide">
            <line x1={px(g.x)} x2={px(g.x)} y1="20" y2="270" />
            <text
              x={px(g.x) + (px(g.x) > 700 ? -3 : 3)}
              y={30 + 12 * (i % 4)}
              text-anchor={px(g.x) > 700 ? "end" : "start"}
            >
              {g.label}
            </text>
          </g>
        ))}
      {curves.map(c => (
        <path class={c.kind} d={"M" + c.dots.map(m => `${px(m.x).toFixed(1)} ${py(m.y).toFixed(1)}`).join("L")}>
          <title>{c.label}</title>
        </path>
      ))}
      {curves
        .filter(c => c.named)
        .map(c => {
          const d = c.dots[c.dots.length - 1];
          return (
            <text x="770" y={py(d.y) - 5} text-anchor="end">
              {c.label}
            </text>
          );
        })}
      {dots.map(m => (
        <Mark dot={m} x={px(m.x)} y={py(m.y)} />
      ))}
      {curves.length > 1 && !curves.some(c => c.named) && <Legend curves={curves} />}
    </svg>
  );
}

// An Anchor is a place of the pointer that a card can stand beside.
class Anchor {
  constructor(
    private x: number,
    private y: number,
  ) {}
  getBoundingClientRect(): DOMRect {
    return new DOMRect(this.x + 12, this.y, 0, 12);
  }
}

// Mark is a disc; those of baselines are hollow diamonds.
function Mark({ dot: m, x, y }: { dot: Dot; x: number; y: number }) {
  const note = (e: { currentTarget: Element; stopPropagation(): void }) => {
    e.stopPropagation();
    card.show(
      {
        title: m.label,
        lines: m.lines ?? [
          ["x", short(m.x)],
          ["y", short(m.y)],
        ],
      },
      e.currentTarget,
    );
  };
  const on = {
    tabIndex: 0,
    role: "img" as const,
    "aria-label": m.label,
    onMouseMove: note,
    onFocus: note,
    onBlur: card.hide,
  };
  return m.kind ? (
    <path {...on} class={"dot " + m.kind} d={`M${x} ${y - 7}l7 7l-7 7l-7 -7z`} />
  ) : (
    <circle {...on} r="6" cx={x} cy={y} />
  );
}

function Legend({ curves }: { curves: Curve[] }) {
  return (
    <g>
      {curves.map((c, i) => (
        <g transform={`translate(${640} ${10 + 14 * i})`}>
          <path class={c.kind} d="M0 0L24 0" />
          <text x="30" y="4">
            {c.label}
          </text>
        </g>
      ))}
    </g>
  );
}
