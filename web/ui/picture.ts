import { save } from "./save";

// source is the picture beside a button as a document of its own, with the
// colours that the page has now.
function source(button: Element): string {
  const s = button.closest("figure")!.querySelector("svg")!,
    copy = s.cloneNode(true) as SVGElement;
  const own = s.querySelectorAll("*"),
    its = copy.querySelectorAll("*");
  own.forEach((e, i) => {
    const look = getComputedStyle(e);
    for (const p of ["fill", "stroke", "stroke-width", "stroke-dasharray", "fill-opacity", "font-size", "font-weight"])
      its[i].setAttribute(p, look.getPropertyValue(p));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", "sans-serif");
  const box = s.viewBox.baseVal;
  copy.setAttribute("width", String(box.width));
  copy.setAttribute("height", String(box.height));
  const back = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [k, v] of Object.entries({
    width: "100%",
    height: "100%",
    fill: getComputedStyle(document.body).backgroundColor,
  }))
    back.setAttribute(k, v);
  copy.prepend(back);
  return new XMLSerializer().serializeToString(copy);
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
