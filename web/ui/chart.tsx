import type { Chart } from "./document";
import { save } from "./save";
import { Grid } from "./table";

// Drawn is a chart, and its table always, so that every number can be read.
export function Drawn({ chart: c, base, id }: { chart: Chart; base?: Chart; id: string }) {
  const bars = (c.kind === "bar" || c.kind === "histogram") && c.rows.length > 0 && c.rows.length <= 100;
  const picture = bars ? <Bars chart={c} /> : c.kind === "roofline" ? <Roofline chart={c} /> : c.kind === "line" ? <Line chart={c} /> : null;
  return <>{picture && <figure class="chart">{picture}<figcaption><b>{c.title}</b><span class="tools">
    <button onClick={e => svg(e.currentTarget, c.id || "chart")}>SVG</button><button onClick={e => png(e.currentTarget, c.id || "chart")}>PNG</button></span></figcaption></figure>}
    <Grid table={c} base={base} id={id} /></>;
}

// source is the picture beside a button as a document of its own.
function source(button: HTMLElement): string {
  const s = button.closest("figure")!.querySelector("svg")!, copy = s.cloneNode(true) as SVGElement, look = getComputedStyle(s);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const box = s.viewBox.baseVal;
  copy.setAttribute("width", String(box.width));
  copy.setAttribute("height", String(box.height));
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = `text{font:12px sans-serif;fill:${look.color}}rect,circle{fill:#0b62b8}path{fill:none;stroke:#0b62b8;stroke-width:1.5}`;
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

const svg = (b: HTMLElement, name: string) => save(name + ".svg", "image/svg+xml", source(b));

function png(b: HTMLElement, name: string): void {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.width; canvas.height = 2 * image.height;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const a = document.createElement("a");
    a.href = canvas.toDataURL("image/png"); a.download = name + ".png"; a.click();
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(source(b));
}

function Bars({ chart: c }: { chart: Chart }) {
  const v = c.columns.findIndex((_, i) => c.rows.some(r => typeof r[i] === "number"));
  const l = c.labels.findIndex((x, i) => x !== null && c.rows.some(r => typeof r[i] === "string"));
  if (v < 0 || l < 0) return null;
  const size = (i: number) => Math.abs(Number(c.rows[i][v]) || 0) / most * 400;
  const most = Math.max(c.x.max ?? 0, ...c.rows.map(r => Math.abs(Number(r[v]) || 0))) || 1;
  return <svg role="img" aria-label={c.title || c.kind} viewBox={`0 0 800 ${c.rows.length * 22}`}>
    {c.rows.map((r, i) => <g key={i} transform={`translate(0 ${i * 22})`}><title>{`${c.text[i][l]}: ${r[v]}`}</title>
      <text x="290" y="15" text-anchor="end">{c.text[i][l].slice(0, 44)}</text>
      <rect x="300" y="3" height="16" width={size(i)} /><text x={306 + size(i)} y="15">{c.text[i][v]}</text></g>)}</svg>;
}

const short = (v: number) => v.toPrecision(3).replace(/\.?0+$/, "");

interface Mark { x: number; y: number; label: string }

// Plane draws paths and marks over two axes; scale maps a number to 0…1.
function Plane({ paths, marks, title, x, y }: { paths: Mark[][]; marks: Mark[]; title: string;
  x: { label: string; at: (v: number) => number; ticks: number[] }; y: { label: string; at: (v: number) => number; ticks: number[] } }) {
  const px = (v: number) => 60 + 700 * x.at(v), py = (v: number) => 270 - 250 * y.at(v);
  return <svg role="img" aria-label={title} viewBox="0 0 800 310">
    {x.ticks.map(t => <text x={px(t)} y="286" text-anchor="middle">{short(t)}</text>)}{y.ticks.map(t => <text x="54" y={py(t) + 4} text-anchor="end">{short(t)}</text>)}
    <text x="410" y="304" text-anchor="middle">{x.label}</text><text x="4" y="12">{y.label}</text>
    {paths.map(p => <path d={"M" + p.map(m => `${px(m.x)} ${py(m.y)}`).join("L")}><title>{p[0]?.label}</title></path>)}
    {marks.map(m => <circle r="5" cx={px(m.x)} cy={py(m.y)}><title>{m.label}</title></circle>)}</svg>;
}

function Line({ chart: c }: { chart: Chart }) {
  const n = c.columns.map((_, i) => i).filter(i => c.rows.some(r => typeof r[i] === "number"));
  if (n.length < 2) return null;
  const points = c.rows.filter(r => typeof r[n[0]] === "number" && typeof r[n[1]] === "number").map((r, i) => ({ x: r[n[0]] as number, y: r[n[1]] as number, label: c.text[i].join(" ") }));
  const x0 = points.reduce((m, p) => Math.min(m, p.x), Infinity), x1 = points.reduce((m, p) => Math.max(m, p.x), -Infinity), y1 = points.reduce((m, p) => Math.max(m, p.y), 0) || 1;
  return <Plane title={c.title || c.kind} paths={[points]} marks={[]}
    x={{ label: c.labels[n[0]] ?? "", at: v => (v - x0) / (x1 - x0 || 1), ticks: [x0, (x0 + x1) / 2, x1] }}
    y={{ label: c.labels[n[1]] ?? "", at: v => v / y1, ticks: [0, y1 / 2, y1] }} />;
}

// Roofline draws, over intensity (work by traffic), what was reached and below
// which roofs: work is bounded by its own peak and by intensity times traffic.
function Roofline({ chart: c }: { chart: Chart }) {
  const rows = c.rows.filter(r => typeof r[2] === "number" && typeof r[4] === "number" && r[2] > 0 && r[4] > 0)
    .map(r => ({ label: String(r[0]), kind: String(r[1]), work: r[2] as number, traffic: r[3] as number, x: r[4] as number }));
  if (!rows.length) return null;
  const low = (f: (r: typeof rows[0]) => number) => Math.log10(Math.min(...rows.map(f))), high = (f: (r: typeof rows[0]) => number) => Math.log10(Math.max(...rows.map(f)));
  const x0 = low(r => r.x) - 1, x1 = high(r => r.x) + 1, y0 = low(r => r.work) - 1, y1 = high(r => r.work) + 0.3;
  const ticks = (a: number, b: number) => Array.from({ length: Math.max(0, Math.floor(b) - Math.ceil(a) + 1) }, (_, i) => 10 ** (Math.ceil(a) + i));
  const roofs = rows.filter(r => !/point|achieved/i.test(r.kind)), points = rows.filter(r => /point|achieved/i.test(r.kind));
  const start = (r: typeof rows[0]) => Math.max(10 ** x0, 10 ** y0 / r.traffic);
  return <Plane title={c.title || c.kind}
    paths={roofs.map(r => [{ x: start(r), y: start(r) * r.traffic, label: r.label }, { x: r.x, y: r.work, label: r.label }, { x: 10 ** x1, y: r.work, label: r.label }])}
    marks={points.map(r => ({ x: r.x, y: r.work, label: `${r.label}: ${short(r.work)} at ${short(r.x)}` }))}
    x={{ label: c.x.label, at: v => (Math.log10(v) - x0) / (x1 - x0), ticks: ticks(x0, x1) }}
    y={{ label: c.y.label, at: v => (Math.log10(v) - y0) / (y1 - y0), ticks: ticks(y0, y1) }} />;
}
