import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { beside } from "./float";

// Popup floats beside the button that opened it, takes the focus and gives it back.
export function Popup({
  of,
  label,
  class: c = "",
  close,
  where,
  children,
}: {
  of: Element | null;
  label: string;
  class?: string;
  close: () => void;
  where?: "bottom-start" | "bottom-end" | "right-start";
  children: ComponentChildren;
}) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (of && box.current) beside(of, box.current, where);
  });
  useEffect(() => {
    const b = box.current!,
      was = document.activeElement;
    (b.querySelector<HTMLElement>("input,[tabindex='0'],button") ?? b).focus();
    const out = (e: PointerEvent) => {
      if (e.target instanceof Node && !b.contains(e.target) && !of?.contains(e.target)) close();
    };
    addEventListener("pointerdown", out, true);
    return () => {
      removeEventListener("pointerdown", out, true);
      if (b.contains(document.activeElement) || document.activeElement === document.body)
        (was instanceof HTMLElement && was.isConnected ? was : document.querySelector<HTMLElement>("main"))?.focus();
    };
  }, []);
  return (
    <div
      ref={box}
      class={"pop sw " + c}
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={e => {
        if (e.key === "Escape") {
          e.stopPropagation();
          close();
        }
        if (e.key === "Tab") {
          const all = [...e.currentTarget.querySelectorAll<HTMLElement>("button,input,a[href],[tabindex='0']")].filter(
              x => !x.hasAttribute("disabled"),
            ),
            i = all.indexOf(document.activeElement as HTMLElement);
          if (all.length && (i < 0 || (e.shiftKey ? i === 0 : i === all.length - 1))) {
            e.preventDefault();
            all[e.shiftKey ? all.length - 1 : 0].focus();
          }
        }
      }}
    >
      {children}
    </div>
  );
}

// useList moves a choice through a list by keys; enter takes it.
export function step(e: KeyboardEvent, at: number, n: number): number | null {
  const to: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + 8,
    PageUp: at - 8,
    Home: 0,
    End: n - 1,
  };
  if (
    !(e.key in to) ||
    !n ||
    (e.target instanceof HTMLInputElement && (e.key === "Home" || e.key === "End") && e.target.value)
  )
    return null;
  e.preventDefault();
  if (e.key === "ArrowDown" && at >= n - 1) return 0;
  if (e.key === "ArrowUp" && at <= 0) return n - 1;
  return Math.max(0, Math.min(n - 1, to[e.key]));
}
