interface Place {
  getBoundingClientRect(): DOMRect;
}

const edge = 6; // px that stay free at the sides of the window

// beside puts something that floats next to an element, inside the window whatever its size: on the other side
// where there is more room.
export function beside(
  of: Place,
  box: HTMLElement,
  where: "bottom-start" | "bottom-end" | "right-start" = "bottom-start",
  gap = 4,
): void {
  box.style.maxHeight = "640px";
  const a = of.getBoundingClientRect(),
    [w, h] = [box.offsetWidth, box.offsetHeight],
    [wide, high] = [innerWidth, innerHeight],
    right = where === "right-start" && (a.right + gap + w <= wide - edge || a.left - gap - w >= edge);
  let x: number, y: number;
  if (right) {
    x = a.right + gap + w <= wide - edge ? a.right + gap : a.left - gap - w;
    y = a.top;
  } else {
    const [below, above] = [high - a.bottom - gap - edge, a.top - gap - edge],
      down = h <= below || below >= above;
    box.style.maxHeight = `${Math.max(120, Math.min(640, down ? below : above))}px`;
    x = where === "bottom-end" ? a.right - w : a.left;
    y = down ? a.bottom + gap : a.top - gap - Math.min(h, box.offsetHeight);
  }
  const into = (v: number, size: number, room: number) => Math.max(edge, Math.min(v, room - edge - size));
  box.style.left = into(x, box.offsetWidth, wide) + "px";
  box.style.top = into(y, box.offsetHeight, high) + "px";
}
