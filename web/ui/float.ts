import { computePosition, flip, offset, shift, size } from "@floating-ui/dom";

interface Place {
  getBoundingClientRect(): DOMRect;
}

// beside puts something that floats next to an element, inside the window whatever its size.
export async function beside(
  of: Place,
  box: HTMLElement,
  where: "bottom-start" | "bottom-end" | "right-start" = "bottom-start",
  gap = 4,
): Promise<void> {
  const { x, y } = await computePosition(of as Element, box, {
    strategy: "fixed",
    placement: where,
    middleware: [
      offset(gap),
      flip({ padding: 6, fallbackAxisSideDirection: "end" }),
      shift({ padding: 6 }),
      size({
        padding: 6,
        apply: ({ availableHeight, elements }) => {
          elements.floating.style.maxHeight = `${Math.max(120, Math.min(640, availableHeight))}px`;
        },
      }),
    ],
  });
  box.style.left = x + "px";
  box.style.top = y + "px";
}
