import { useEffect, useRef } from "preact/hooks";
import * as card from "../card";
import type { Chart } from "./chart";
import { path } from "./layout";
import { type Source, time } from "./model";

interface Acts {
  choose: (w: { a: number; b: number } | null) => void;
  click: (id: number) => void;
  measured: (w: { a: number; b: number }) => void;
  measuring: () => boolean;
}

// usePointer makes dragging, wheel and hovering of the canvas.
export function usePointer(chart: { current?: Chart }, source: Source, acts: Acts) {
  const drag = useRef<{ x: number; at: number; pan: boolean; far: boolean } | null>(null),
    timer = useRef(0),
    over = useRef("");
  useEffect(() => {
    // not passive, so that the page is not zoomed too
    const c = chart.current!;
    const wheel = (e: WheelEvent) => {
      if (e.ctrlKey || e.metaKey) {
        e.preventDefault();
        c.zoom(Math.exp(Math.max(-1, Math.min(1, e.deltaY / 200))), e.offsetX);
      } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
        e.preventDefault();
        c.pan((e.deltaX || e.deltaY) / Math.max(1, c.wide));
      }
      away();
    };
    c.canvas.addEventListener("wheel", wheel, { passive: false });
    return () => {
      c.canvas.removeEventListener("wheel", wheel);
      away();
    };
  }, [source]);
  const away = () => {
    clearTimeout(timer.current);
    over.current = "";
    card.hide();
  };
  const hover = (c: Chart, x: number, y: number, e: PointerEvent) => {
    const spot = c.pick(x, y),
      line = c.line(y),
      v = line && c.sample(line.track, c.time(x)),
      at = new card.Anchor(e.clientX + 6, e.clientY + 6);
    clearTimeout(timer.current);
    if (!line || (!spot && !v)) return away();
    const track = path(source, line.track);
    if (!spot)
      return card.show(
        {
          title: source.tracks[line.track].name,
          lines: [
            ["Value", v!.min === v!.max ? `${v!.mean}` : `${+v!.mean.toPrecision(6)} (${v!.min} to ${v!.max})`],
            ["At", time(c.time(x))],
          ],
        },
        at,
      );
    const one = !!spot.items.one[spot.i];
    over.current = `${spot.line.track} ${spot.depth} ${spot.i}`;
    card.show(
      {
        title: one ? spot.name : `${spot.items.value[spot.i]} slices`,
        lines: one
          ? [
              ["Takes", "about " + time(spot.end - spot.start)],
              ["At", time(spot.start)],
              ["Track", track],
            ]
          : [
              ["Busy", `${Math.round(spot.items.density[spot.i] / 2.55)} % of ${time(spot.end - spot.start)}`],
              ["Longest", spot.name],
              ["At", time(spot.start)],
              ["Track", track],
            ],
      },
      at,
    );
    const mine = over.current;
    if (one)
      timer.current = window.setTimeout(
        () =>
          source.slice(spot.items.value[spot.i]).then(
            s =>
              over.current === mine &&
              card.show(
                {
                  title: s.full || s.name,
                  lines: [
                    ["Takes", time(s.end - s.start)],
                    ["At", time(s.start)],
                    ["Track", track],
                  ],
                },
                at,
              ),
            () => {},
          ),
        160,
      );
  };
  return {
    onPointerDown: (e: PointerEvent) => {
      const c = chart.current!;
      if (e.button !== 0 && e.button !== 1) return;
      away();
      drag.current = {
        x: e.offsetX,
        at: acts.measuring() ? c.edge(e.offsetX, e.offsetY) : c.time(e.offsetX),
        pan: e.shiftKey || e.button === 1,
        far: false,
      };
      c.canvas.setPointerCapture(e.pointerId);
    },
    onPointerMove: (e: PointerEvent) => {
      const c = chart.current!,
        d = drag.current;
      c.cursor = e.offsetX;
      c.paint();
      if (!d) {
        hover(c, e.offsetX, e.offsetY, e);
        return;
      }
      if (Math.abs(e.offsetX - d.x) > 3) d.far = true;
      if (!d.far) return;
      const t = acts.measuring() && !d.pan ? c.edge(e.offsetX, e.offsetY) : c.time(e.offsetX);
      if (d.pan) {
        c.show(c.win.a + d.at - t, c.win.b + d.at - t);
        return;
      }
      const w = { a: Math.max(0, Math.min(d.at, t)), b: Math.max(d.at, t) };
      if (acts.measuring()) c.measure = w;
      else c.chosen = w;
      c.paint();
    },
    onPointerUp: (e: PointerEvent) => {
      const c = chart.current!,
        d = drag.current,
        t = acts.measuring() ? c.edge(e.offsetX, e.offsetY) : c.time(e.offsetX);
      drag.current = null;
      if (!d || d.pan) return;
      if (d.far) {
        const a = Math.max(0, Math.round(Math.min(d.at, t))),
          w = { a, b: Math.max(a + 1, Math.round(Math.max(d.at, t))) };
        acts.measuring() ? acts.measured(w) : acts.choose(w);
        return;
      }
      const s = c.pick(e.offsetX, e.offsetY);
      if (s && !s.items.one[s.i]) {
        const room = Math.max(10, s.end - s.start) * 0.2;
        c.show(s.start - room, s.end + room);
      } // several: look closer
      else acts.click(s ? s.items.value[s.i] : -1);
    },
    onPointerLeave: () => {
      const c = chart.current;
      if (c) {
        c.cursor = -1;
        c.paint();
      }
      away();
    },
    onPointerCancel: () => {
      drag.current = null;
      away();
    },
  };
}
