import { save } from "./save";

const looks = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "fill-opacity",
  "opacity",
  "font-size",
  "font-weight",
  "font-family",
];

// source is the picture beside a button as a document of its own, with the colours that
// the page has now. Bars, which are no drawing in the page, become one.
function source(button: Element): string {
  const f = button.closest("figure")!,
    s = f.querySelector<SVGSVGElement>("figcaption ~ * svg:not(.i), figcaption ~ svg:not(.i)"),
    copy = s ? drawing(s) : bars(f);
  const back = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [k, v] of Object.entries({
    width: "100%",
    height: "100%",
    fill: getComputedStyle(document.body).backgroundColor,
  }))
    back.setAttribute(k, v);
  copy.prepend(back);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

function drawing(s: SVGSVGElement): SVGElement {
  const copy = s.cloneNode(true) as SVGElement,
    own = s.querySelectorAll("*"),
    its = copy.querySelectorAll("*");
  own.forEach((e, i) => {
    const look = getComputedStyle(e);
    for (const p of looks) its[i].setAttribute(p, look.getPropertyValue(p));
  });
  copy.setAttribute("width", String(s.viewBox.baseVal.width));
  copy.setAttribute("height", String(s.viewBox.baseVal.height));
  return copy;
}

const made = (name: string, at: Record<string, string | number>, text = ""): SVGElement => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [k, v] of Object.entries(at)) e.setAttribute(k, String(v));
  if (text) e.textContent = text;
  return e;
};

// bars draws the boxes and texts of bars where they stand.
function bars(f: Element): SVGElement {
  const from = f.getBoundingClientRect(),
    svg = made("svg", {
      width: Math.ceil(from.width),
      height: Math.ceil(from.height),
      viewBox: `0 0 ${Math.ceil(from.width)} ${Math.ceil(from.height)}`,
    });
  for (const e of f.querySelectorAll<HTMLElement>(".trk, .trk i, .trk em, .trk s, .stk > span, .lg i")) {
    const r = e.getBoundingClientRect();
    svg.append(
      made("rect", {
        x: r.left - from.left,
        y: r.top - from.top,
        width: r.width,
        height: r.height,
        rx: 2,
        fill: getComputedStyle(e).backgroundColor,
      }),
    );
  }
  for (const e of f.querySelectorAll<HTMLElement>("figcaption, .pb .l, .pb b, .lg span")) {
    const r = e.getBoundingClientRect(),
      look = getComputedStyle(e),
      right = look.textAlign === "right";
    svg.append(
      made(
        "text",
        {
          x: (right ? r.right : r.left) - from.left,
          y: r.top - from.top + r.height / 2 + 4,
          "text-anchor": right ? "end" : "start",
          fill: look.color,
          "font-size": look.fontSize,
          "font-weight": look.fontWeight,
          "font-family": look.fontFamily,
        },
        e.textContent?.trim() ?? "",
      ),
    );
  }
  return svg;
}

export const svg = (b: Element, name: string): void => save(name + ".svg", "image/svg+xml", source(b));

export function png(b: Element, name: string): void {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.width;
    canvas.height = 2 * image.height;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const a = document.createElement("a");
    a.href = canvas.toDataURL("image/png");
    a.download = name + ".png";
    a.click();
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(source(b));
}
